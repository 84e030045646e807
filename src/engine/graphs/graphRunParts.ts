import type { AgentEventBody } from '../events/agentEvent';
import type { GraphDesk } from './desk';
import type { ScriptTargets } from './edges';
import type { Graph } from './graph';
import type { GraphEntry } from './record/graphEntry';
import type { GraphRequest } from './record/graphRecords';

/** A graph as an agent has it. */
export interface AgentGraph {
  readonly graph: Graph;
  /** The whole file. */
  readonly text: string;
  /** Absolute. */
  readonly path: string;
}

/** The graph that an agent is; what comes with Cairn is read when it runs. */
export interface GraphOfAgent {
  /** Absolute. */
  readonly path: string;
  /** Rejects with EngineError when it cannot be read. */
  readonly load: () => Promise<AgentGraph>;
}

/** What a run of a graph tells while it goes on. */
export type GraphEvent = Extract<
  AgentEventBody,
  { type: 'graph-started' | 'node-started' | 'node-progress' | 'node-finished' | 'notice' }
>;

export interface GraphRunParts {
  readonly agent: string;
  readonly file: AgentGraph;
  readonly desk: GraphDesk;
  /** Absent: each script may go anywhere. */
  readonly scripts?: ScriptTargets;
  /** All that the run may take, with what it took before it was stopped; undefined: it may go on without end. */
  readonly timeoutMs: number | undefined;
  /** Keeps a line of the run's record; it is on the disk when that resolves. */
  keep(id: string, entry: GraphEntry): Promise<void>;
  /** A run that goes on where it was stopped, with what its record says. */
  readonly resumed: ResumedGraph | undefined;
  /** What others asked of the run since the last question. */
  readonly asked: (id: string) => Promise<GraphRequest | undefined>;
  readonly now: () => number;
  readonly tell: (event: GraphEvent) => void;
  readonly signal: AbortSignal;
  /** The program ends, so the run was cut off, and may go on later. */
  isShutDown(): boolean;
}

export interface ResumedGraph {
  readonly id: string;
  readonly prompt: string;
  readonly entries: readonly GraphEntry[];
}
