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
  /** Skills that the user's settings make visible; undefined if all are. */
  readonly visibleSkills?: readonly string[];
  /** Ids of MCP servers. */
  readonly servers?: readonly string[];
  /** Servers that the user has not allowed to start, by each name that a graph may use for them. */
  readonly waitingServers?: ReadonlyMap<string, readonly WaitingServer[]>;
  /** The MCP servers that the files of other agents name, by agent. */
  readonly serversOf?: ReadonlyMap<string, readonly string[]>;
  readonly models?: KnownModels;
  /** By path, as written in the nodes. */
  readonly scripts?: ReadonlyMap<string, SeenScript>;
  /** What the graphs of other agents start, by agent. */
  readonly starts?: ReadonlyMap<string, readonly GraphStart[]>;
}

/** An MCP server that a run cannot start before the user allows it. */
export interface WaitingServer {
  readonly id: string;
  /** Absolute path of the file that defines it. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly consent: 'unasked' | 'changed' | 'denied';
}

/** An agent that a node of a graph starts. */
export interface GraphStart {
  readonly agent: string;
  /** Whether no run of the graph can end without it. */
  readonly isCertain: boolean;
}

/** A model that is not listed may still exist, unless its provider is unknown. */
interface KnownModels {
  readonly providers: readonly string[];
  /** `provider:model`. */
  readonly listed: readonly string[];
}

/** The text of a script. It is never run for this. */
export type SeenScript =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Set if a run asks before it starts the script. */
      readonly consent?: 'unseen' | 'changed';
      readonly link?: ScriptLink;
    }
  | { readonly kind: 'missing'; readonly link?: ScriptLink }
  /** Outside the agent's folder, so it is not read. `at`: its real place. */
  | { readonly kind: 'outside'; readonly at: string }
  /** The script exists but cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly link?: ScriptLink };

/** Where a link in place of a script leads. */
export interface ScriptLink {
  /** Absolute path. */
  readonly to: string;
  /** Whether that is outside the agent's folder. */
  readonly isOutside: boolean;
}

/** The targets of a script, as far as its text shows them. */
export interface ScriptWays {
  /** Targets declared in a comment, `# _next: a, b`; undefined if there is no such comment. */
  readonly declared: readonly ScriptTarget[] | undefined;
  /** Literal values assigned to `_next`. */
  readonly written: readonly ScriptTarget[];
  /** The script may continue at nodes that nothing declares. */
  readonly mayGoElsewhere: boolean;
}

export interface ScriptTarget {
  readonly id: string;
  /** 1-based. */
  readonly line: number;
}

const DECLARES = /^[ \t]*(?:#|\/\/|\*)[ \t]*@?_next[ \t]*:[ \t]*(\S.*)$/gm;
const WRITES = /_next\\?["']?\]?[ \t]*[:=][ \t]*\\?["']([\w.-]{1,200})\\?["']/g;

/** Stands for a script that was not read. */
export const UNREAD: ScriptWays = { declared: undefined, written: [], mayGoElsewhere: true };

export function waysOfScript(text: string): ScriptWays {
  const lineAt = lineCounter(text);
  const comments = [...text.matchAll(DECLARES)];
  const declared = comments.flatMap(({ index, 1: names = '' }) =>
    [...names.matchAll(/[\w.-]+/g)].map(([id]) => ({ id, line: lineAt(index) })),
  );
  const code = text.replace(DECLARES, (comment) => ' '.repeat(comment.length));
  const written = [...code.matchAll(WRITES)].map(({ index, 1: id = '' }) => ({ id, line: lineAt(index) }));
  return {
    declared: comments.length > 0 ? declared : undefined,
    written,
    mayGoElsewhere: comments.length === 0 && code.includes('_next'),
  };
}

/** Returns the nodes that a script may choose; undefined if it may choose any. */
export function targetsIn({ declared = [], written, mayGoElsewhere }: ScriptWays): string[] | undefined {
  return mayGoElsewhere ? undefined : [...declared, ...written].map(({ id }) => id);
}

/** Returns the words of a text, which may be names of keys and nodes. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w-]+/g) ?? []);
}

/** Returns a function that converts an offset to a 1-based line. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
