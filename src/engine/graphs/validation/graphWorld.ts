/** What there is for a graph to name. Of what is undefined nothing is known, and it is not checked. */
export interface GraphWorld {
  /** What the agent is called whose graph it is. */
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly skills?: readonly string[];
  /** Tools beside those that always come with Cairn. */
  readonly tools?: readonly string[];
  /** What stands in scripts that bring tools, of which any word may be one. */
  readonly toolWords?: ReadonlySet<string>;
  /** Ids of MCP servers. */
  readonly servers?: readonly string[];
  readonly models?: KnownModels;
  /** By the paths that its nodes write. */
  readonly scripts?: ReadonlyMap<string, SeenScript>;
}

/** A model that is not listed may be there all the same, but not one of a provider that nobody knows. */
export interface KnownModels {
  readonly providers: readonly string[];
  /** `provider:model`. */
  readonly listed: readonly string[];
}

/** A script by what stands in it: it is never run for this. */
export type SeenScript =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** Not below the folder of its agent, so that it is not read. */
  | { readonly kind: 'outside' }
  /** It is there, and cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string };
