/** A skill as the model may choose it. */
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
  /** Of what it brings along; relative to the folder. */
  files: readonly string[];
  /** Names of the tools that it adds. */
  tools: readonly string[];
}

/** The skills that a run may use. Every method throws ToolFailure, in words for the model, when it cannot. */
export interface SkillShelf {
  list(): Promise<readonly ShelvedSkill[]>;
  load(name: string): Promise<LoadedSkill>;
  unload(name: string): Promise<void>;
}
