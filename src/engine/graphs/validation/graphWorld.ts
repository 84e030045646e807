/** What exists for a graph to refer to. Undefined fields are unknown and not checked. */
export interface GraphWorld {
  /** The name of the agent that the graph belongs to. */
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly skills?: readonly string[];
  /** Tools in addition to those that are always part of Cairn. */
  readonly tools?: readonly string[];
  /** Words in scripts that provide tools; any of them may be a tool. */
  readonly toolWords?: ReadonlySet<string>;
  /** Ids of MCP servers. */
  readonly servers?: readonly string[];
  readonly models?: KnownModels;
  /** By path, as written in the nodes. */
  readonly scripts?: ReadonlyMap<string, SeenScript>;
}

/** A model that is not listed may still exist, unless its provider is unknown. */
export interface KnownModels {
  readonly providers: readonly string[];
  /** `provider:model`. */
  readonly listed: readonly string[];
}

/** The text of a script. It is never run for this. */
export type SeenScript =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** Outside the agent's folder, so it is not read. */
  | { readonly kind: 'outside' }
  /** The script exists but cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string };
