import * as z from 'zod/mini';
import type { DrawnWay, GraphDrawing } from './graphDrawing';

const GRAPH_FORMATS = ['svg', 'png', 'mermaid'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

const id = z.string().check(z.maxLength(100_000));

/** What a graph page requests from its host. */
export const graphActions = [
  /** Goes to a node's definition. */
  z.object({ kind: z.literal('show-node'), node: id }),
  z.object({ kind: z.literal('show-line'), line: z.int().check(z.minimum(1)) }),
  /** Draws a group as its individual nodes, or as a group again. */
  z.object({ kind: z.literal('toggle-group'), group: id }),
  z.object({ kind: z.literal('run-graph') }),
  /** Shows what a node did in a step of a run. */
  z.object({ kind: z.literal('show-visit'), node: id, step: z.int().check(z.minimum(0)) }),
  z.object({ kind: z.literal('hide-visit') }),
  z.object({ kind: z.literal('pause-run') }),
  z.object({ kind: z.literal('stop-run') }),
  z.object({ kind: z.literal('continue-run') }),
  /** Runs again from a step. `state`: as edited by the user, in JSON; null to keep it unchanged. */
  z.object({
    kind: z.literal('retry-run'),
    step: z.int().check(z.minimum(0)),
    state: z.nullable(z.string().check(z.maxLength(1_000_000))),
  }),
  /** Asks for another run to compare with this one. */
  z.object({ kind: z.literal('compare-run') }),
  z.object({ kind: z.literal('hide-comparison') }),
  z.object({ kind: z.literal('open-transcript'), sessionId: z.string().check(z.maxLength(200)) }),
  /** `data`: text, or Base64 for an image; empty for formats that the host writes. */
  z.object({
    kind: z.literal('export-graph'),
    format: z.enum(GRAPH_FORMATS),
    data: z.string().check(z.maxLength(60_000_000)),
  }),
] as const;

export interface GraphNodeView {
  readonly id: string;
  /** As written; may be empty. */
  readonly type: string;
  readonly description: string;
  /** The node is referenced but not defined. */
  readonly isMissing: boolean;
}

export interface GraphProblemView {
  /** Null if it does not belong to a node. */
  readonly node: string | null;
  readonly line: number;
  readonly isError: boolean;
  readonly text: string;
}

/** `around`: it failed, and its fallback was taken. `stopped`: the run ended first. */
export type VisitState = 'running' | 'asking' | 'done' | 'around' | 'failed' | 'stopped';

/** A node that a map runs for its items, with the number of items in each state. `around` as above. */
export interface BranchItems {
  readonly node: string;
  /** Items that did not reach it. */
  readonly left: number;
  readonly begun: number;
  readonly done: number;
  readonly around: number;
  readonly failed: number;
  readonly stopped: number;
  /** Items that were tried more than once. */
  readonly retried: number;
}

/** One execution of a node. Times are milliseconds since the epoch. */
export interface VisitView {
  readonly node: string;
  readonly step: number;
  readonly state: VisitState;
  /** When a branch began waiting for it to start. */
  readonly waitedFrom: number;
  readonly beganAt: number;
  /** Null while it has not ended. */
  readonly endedAt: number | null;
  readonly asks: readonly { readonly from: number; readonly to: number | null }[];
  readonly tries: number;
  /** For a map: number of finished items. */
  readonly items: number;
  /** Number of those that took their fallback. */
  readonly itemsAround: number;
  readonly branches: readonly BranchItems[];
  readonly tokens: number;
  readonly costUsd: number;
  /** Where the run continued. */
  readonly targets: readonly string[];
  /** Why it failed or was stopped. */
  readonly message: string | null;
  /** The session with the transcript of the agent that worked on it. */
  readonly sessionId: string | null;
}

/** A tool call. `item`: 1-based item of a map; null for the node itself. */
export interface VisitCallView {
  readonly tool: string;
  readonly title: string;
  readonly status: 'ok' | 'error' | 'rejected' | 'cancelled';
  readonly durationMs: number;
  readonly item: number | null;
}

/** Further details of a visit, as text. */
export interface VisitDetailView {
  readonly node: string;
  readonly step: number;
  readonly prompt: string | null;
  readonly output: string | null;
  /** Tool calls of the agents that worked on it. */
  readonly calls: readonly VisitCallView[];
  /** Number of calls that are not listed. */
  readonly moreCalls: number;
  /** The state before it, as JSON. */
  readonly before: string;
  /** Whether `before` is complete, so that it can be edited. */
  readonly isWhole: boolean;
  /** Its changes to the state; null if the key did not exist. */
  readonly changes: readonly { readonly key: string; readonly before: string | null; readonly after: string }[];
  /** Why nothing more is known. */
  readonly problem: string | null;
}

/** A run of a graph, up to its current point. */
export interface GraphRunView {
  /** `interrupted`: it has not ended, but no process is running it. */
  readonly state: 'running' | 'asking' | 'interrupted' | 'completed' | 'rejected' | 'failed' | 'stopped' | 'paused';
  readonly prompt: string;
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly tokens: number;
  readonly costUsd: number;
  /** Its answer, or why it ended without one. */
  readonly end: string | null;
  /** In the order they started. */
  readonly visits: readonly VisitView[];
  readonly detail: VisitDetailView | null;
  readonly comparison: RunComparisonView | null;
}

/** A node in one of two compared runs. */
export type ComparedVisitView = Pick<VisitView, 'state' | 'tokens' | 'costUsd' | 'targets'> & {
  readonly durationMs: number | null;
};

/** A run compared with another, node by node. */
export interface RunComparisonView {
  readonly with: Pick<GraphRunView, 'state' | 'prompt' | 'beganAt'>;
  readonly rows: readonly {
    readonly node: string;
    /** Null if it did not run there, or not as often. */
    readonly one: ComparedVisitView | null;
    readonly other: ComparedVisitView | null;
    readonly differs: boolean;
    /** Keys to which they wrote different values; null if one wrote nothing. */
    readonly changes: readonly { readonly key: string; readonly one: string | null; readonly other: string | null }[];
  }[];
}

/** A graph as drawn: everything its page shows. */
export interface GraphView {
  readonly page: 'graph';
  readonly name: string;
  readonly start: string;
  /** In file order. */
  readonly nodes: readonly GraphNodeView[];
  readonly ways: readonly DrawnWay[];
  /** Null if nothing could be drawn yet. */
  readonly drawing: GraphDrawing | null;
  /** Groups that are drawn as individual nodes. */
  readonly opened: readonly string[];
  readonly problems: readonly GraphProblemView[];
  /** The node at the editor's cursor. */
  readonly current: string | null;
  /** Why the drawing does not match the file. */
  readonly note: string | null;
  /** Whether there is an agent to run. */
  readonly canRun: boolean;
  /** Null if the page shows the file instead of a run. */
  readonly run: GraphRunView | null;
}
