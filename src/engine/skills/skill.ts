import type { ContentSource, Named } from '../content/contentSource';

/** Knowledge and tools that are loaded when needed. */
export interface Skill extends Named {
  /** The name of its folder. */
  readonly name: string;
  readonly source: ContentSource;
  /** When to load it; the model decides by this text. */
  description: string;
  /** Instructions that the model gets once the skill is loaded. */
  body: string;
  /** Absolute path; its `references/`, `scripts/`, and `assets/` are read when needed. Null if it has none. */
  folder: string | null;
  /** Names and wildcards of the tools that it adds. */
  tools: readonly string[];
  /** MCP servers that it needs. */
  servers: readonly string[];
  /** Whether it is unloaded at the end of a turn in which it was used. */
  autoUnload: boolean;
  /** False: only the user may load it. */
  forModel: boolean;
  /** Only a model may load it; it is not available after `/`. */
  notForPeople?: true;
  /** Arguments that may follow the name, for people. */
  hint?: string;
}

/** Skill settings of an agent, a role, a session, or the user; absent fields are unspecified. */
export interface SkillPolicy {
  /** False turns skills off; no other level can turn them on again. */
  on?: boolean;
  /** The skills that may be loaded; an empty list means none. */
  names?: readonly string[];
  /** Rules by name with wildcards, where the last match wins; skills without a match may be loaded. */
  rules?: readonly { pattern: string; action: 'allow' | 'ask' | 'deny' }[];
  /** Whether the prompt mentions skills. Default: true. */
  injects?: boolean;
  /** Replaces the built-in instructions. */
  instructions?: string;
}
