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
}
