import type { ContentSource, Named } from '../content/contentSource';

/** Knowledge and tools that are loaded when they are needed. */
export interface Skill extends Named {
  /** The name of its folder. */
  readonly name: string;
  readonly source: ContentSource;
  /** When to load it: what the model decides by. */
  description: string;
  /** What the model is told once it is loaded. */
  body: string;
  /** Absolute; `references/`, `scripts/` and `assets/` of it are read when they are needed. Null when it has none. */
  folder: string | null;
  /** Names and wildcards of tools that it adds. */
  tools: readonly string[];
  /** MCP servers that it needs. */
  servers: readonly string[];
  /** Unloaded by itself at the end of a turn in which it could act. */
  autoUnload: boolean;
  /** False: only a person may load it. */
  forModel: boolean;
  /** Only a model may load it; people cannot type its name after `/`. */
  notForPeople?: true;
  /** What may be said with it, in words for people. */
  hint?: string;
}

/** What an agent, a role, a session or the person says about skills; absent means: not said here. */
export interface SkillPolicy {
  /** False turns skills off; nobody further down can turn them on again. */
  on?: boolean;
  /** The skills that may be loaded; an empty list means none. */
  names?: readonly string[];
  /** Which of those that are there: wildcards over names, the last match wins, and what none matches may be loaded. */
  rules?: readonly { pattern: string; action: 'allow' | 'ask' | 'deny' }[];
  /** Whether the prompt tells the model of skills. Default true. */
  injects?: boolean;
  /** Told instead of the built-in words. */
  instructions?: string;
}
