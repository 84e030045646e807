/** A skill that the model may choose. */
export interface ShelvedSkill {
  name: string;
  description: string;
  /** Names of the tools that it adds. */
  tools: readonly string[];
  loaded: boolean;
}

/** A skill that was just loaded. */
export interface LoadedSkill {
  name: string;
  body: string;
  /** Absolute. */
  folder: string | null;
  /** The skill's other files, relative to the folder. */
  files: readonly string[];
  /** Names of the tools that it adds. */
  tools: readonly string[];
}

/** The skills that a run may use. On failure, every method throws ToolFailure, worded for the model. */
export interface SkillShelf {
  list(): Promise<readonly ShelvedSkill[]>;
  load(name: string): Promise<LoadedSkill>;
  unload(name: string): Promise<void>;
}
