import * as z from 'zod/mini';
import type { DrawnWay, GraphDrawing } from './graphDrawing';

export const GRAPH_FORMATS = ['svg', 'png', 'mermaid'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

const id = z.string().check(z.maxLength(100_000));

/** What a page with a graph asks its host for. */
export const graphActions = [
  /** Goes to where a node stands. */
  z.object({ kind: z.literal('show-node'), node: id }),
  z.object({ kind: z.literal('show-line'), line: z.int().check(z.minimum(1)) }),
  /** Draws a group as the nodes that it is; of one that is drawn so, as a group again. */
  z.object({ kind: z.literal('toggle-group'), group: id }),
  z.object({ kind: z.literal('run-graph') }),
  /** Shows what a node did in a step of a run. */
  z.object({ kind: z.literal('show-visit'), node: id, step: z.int().check(z.minimum(0)) }),
  z.object({ kind: z.literal('hide-visit') }),
  z.object({ kind: z.literal('pause-run') }),
  z.object({ kind: z.literal('stop-run') }),
  z.object({ kind: z.literal('continue-run') }),
  /** Does a run again from a step. `state`: as the person wrote it, in JSON; null: as it was. */
  z.object({
    kind: z.literal('retry-run'),
    step: z.int().check(z.minimum(0)),
    state: z.nullable(z.string().check(z.maxLength(1_000_000))),
  }),
  /** Asks for another run, to show it beside this one. */
  z.object({ kind: z.literal('compare-run') }),
  z.object({ kind: z.literal('hide-comparison') }),
  z.object({ kind: z.literal('open-transcript'), sessionId: z.string().check(z.maxLength(200)) }),
  /** `data`: text, of a picture in Base64; of a format that the host writes nothing. */
  z.object({
    kind: z.literal('export-graph'),
    format: z.enum(GRAPH_FORMATS),
    data: z.string().check(z.maxLength(60_000_000)),
  }),
] as const;

export interface GraphNodeView {
  readonly id: string;
  /** As it is written; may be empty. */
  readonly type: string;
  readonly description: string;
  /** It is named, but written nowhere. */
  readonly isMissing: boolean;
}

export interface GraphProblemView {
  /** Null: it is of no node. */
  readonly node: string | null;
  readonly line: number;
  readonly isError: boolean;
  readonly text: string;
}

/** `around`: it failed, and its fallback led around that. `stopped`: the run ended before it did. */
export type VisitState = 'running' | 'asking' | 'done' | 'around' | 'failed' | 'stopped';

/** A node that a map runs for its items: how many came to what there. `around` as above. */
export interface BranchItems {
  readonly node: string;
  /** So many did not come to it. */
  readonly left: number;
  readonly begun: number;
  readonly done: number;
  readonly around: number;
  readonly failed: number;
  readonly stopped: number;
  /** So many were tried more than once. */
  readonly retried: number;
}

/** One time that a node ran. Times are milliseconds since the epoch. */
export interface VisitView {
  readonly node: string;
  readonly step: number;
  readonly state: VisitState;
  /** From when on a branch waited for it to begin. */
  readonly waitedFrom: number;
  readonly beganAt: number;
  /** Null: it has no end yet. */
  readonly endedAt: number | null;
  readonly asks: readonly { readonly from: number; readonly to: number | null }[];
  readonly tries: number;
  /** Of a map, so many are done. */
  readonly items: number;
  /** Of these, so many by their fallback. */
  readonly itemsAround: number;
  readonly branches: readonly BranchItems[];
  readonly tokens: number;
  readonly costUsd: number;
  /** Where it went on. */
  readonly targets: readonly string[];
  /** Why it failed, or was stopped. */
  readonly message: string | null;
  /** Where the transcript of the agent is that worked on it. */
  readonly sessionId: string | null;
}

/** One use of a tool. `item`: of a map, from 1; null: of the node itself. */
export interface VisitCallView {
  readonly tool: string;
  readonly title: string;
  readonly status: 'ok' | 'error' | 'rejected' | 'cancelled';
  readonly durationMs: number;
  readonly item: number | null;
}

/** What is known of one visit beside that, as text. */
export interface VisitDetailView {
  readonly node: string;
  readonly step: number;
  readonly prompt: string | null;
  readonly output: string | null;
  /** What the agents that worked on it called. */
  readonly calls: readonly VisitCallView[];
  /** So many more were made. */
  readonly moreCalls: number;
  /** The state before it, as JSON. */
  readonly before: string;
  /** That is all of it, so that it can be changed. */
  readonly isWhole: boolean;
  /** What it changed; null: the key was not there. */
  readonly changes: readonly { readonly key: string; readonly before: string | null; readonly after: string }[];
  /** Why nothing more is known. */
  readonly problem: string | null;
}

/** A run of a graph, as far as it came. */
export interface GraphRunView {
  /** `interrupted`: it has no end, and nobody carries it out. */
  readonly state: 'running' | 'asking' | 'interrupted' | 'completed' | 'rejected' | 'failed' | 'stopped' | 'paused';
  readonly prompt: string;
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly tokens: number;
  readonly costUsd: number;
  /** Its answer, or why it ended without one. */
  readonly end: string | null;
  /** In the order in which they began. */
  readonly visits: readonly VisitView[];
  readonly detail: VisitDetailView | null;
  readonly comparison: RunComparisonView | null;
}

/** Of a node in one of two runs that are compared. */
export type ComparedVisitView = Pick<VisitView, 'state' | 'tokens' | 'costUsd' | 'targets'> & {
  readonly durationMs: number | null;
};

/** A run beside another one, node by node. */
export interface RunComparisonView {
  readonly with: Pick<GraphRunView, 'state' | 'prompt' | 'beganAt'>;
  readonly rows: readonly {
    readonly node: string;
    /** Null: it did not run there, or not so often. */
    readonly one: ComparedVisitView | null;
    readonly other: ComparedVisitView | null;
    readonly differs: boolean;
    /** What each wrote, where that is not the same; null: nothing under that key. */
    readonly changes: readonly { readonly key: string; readonly one: string | null; readonly other: string | null }[];
  }[];
}

/** A graph as it is drawn; all that a page of it shows. */
export interface GraphView {
  readonly page: 'graph';
  readonly name: string;
  readonly start: string;
  /** In the order of the file. */
  readonly nodes: readonly GraphNodeView[];
  readonly ways: readonly DrawnWay[];
  /** Null: nothing could be drawn yet. */
  readonly drawing: GraphDrawing | null;
  /** Groups that are drawn as nodes. */
  readonly opened: readonly string[];
  readonly problems: readonly GraphProblemView[];
  /** The node in which the caret of the editor is. */
  readonly current: string | null;
  /** Why what is drawn is not what the file says. */
  readonly note: string | null;
  /** There is an agent that can be run. */
  readonly canRun: boolean;
  /** Null: it is the file that is shown, and no run. */
  readonly run: GraphRunView | null;
}
