import type { AgentEventBody } from '../events/agentEvent';
import type { GraphDesk } from './desk';
import type { ScriptTargets } from './edges';
import type { Graph } from './graph';
import type { GraphEntry } from './record/graphEntry';
import type { GraphRequest } from './record/graphRecords';

/** A graph as loaded for an agent. */
export interface AgentGraph {
  readonly graph: Graph;
  /** The full text of the file. */
  readonly text: string;
  /** Absolute path. */
  readonly path: string;
}

/** The graph of an agent. Loaded when the agent runs if another file refers to it, as for built-in agents. */
export interface GraphOfAgent {
  /** Absolute path. */
  readonly path: string;
  /** Rejects with EngineError if the graph cannot be read. */
  readonly load: () => Promise<AgentGraph>;
}

/** Events that a graph run emits. */
export type GraphEvent = Extract<
  AgentEventBody,
  { type: 'graph-started' | 'node-started' | 'node-progress' | 'node-finished' | 'notice' }
>;

export interface GraphRunParts {
  readonly agent: string;
  readonly file: AgentGraph;
  readonly desk: GraphDesk;
  /** Undefined: every script may go anywhere. */
  readonly scripts?: ScriptTargets;
  /** Time limit for the whole run, including the time before it was stopped; undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Appends an entry to the run's record; resolves once it is on disk. */
  keep(id: string, entry: GraphEntry): Promise<void>;
  /** The run to resume, with the entries of its record; undefined for a new run. */
  readonly resumed: ResumedGraph | undefined;
  /** Returns what others have requested of the run since the last call. */
  readonly asked: (id: string) => Promise<GraphRequest | undefined>;
  readonly now: () => number;
  readonly tell: (event: GraphEvent) => void;
  readonly signal: AbortSignal;
  /** Whether the program is shutting down, so that the run was cut off and may resume later. */
  isShutDown(): boolean;
}

export interface ResumedGraph {
  readonly id: string;
  readonly prompt: string;
  readonly entries: readonly GraphEntry[];
}
