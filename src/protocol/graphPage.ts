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
}
