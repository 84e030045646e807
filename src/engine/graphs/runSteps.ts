import { isAbort, throwIfAborted, untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import { errorText } from '../../base/errors';
import { Reach, type ScriptTargets } from './edges';
import type { Graph, GraphNode } from './graph';
import type { GraphState } from './graphState';
import { type AfterStep, afterStep, GraphFailure, type NodeOutcome, type Position } from './position';

/** A node to run, with its input. */
export interface NodeTurn {
  readonly node: GraphNode;
  readonly step: number;
  /** The state before the step. */
  readonly state: GraphState;
  /** The map that runs the node for one of its items, by id, and the item's index. */
  readonly item?: { readonly map: string; readonly index: number };
  /** Aborts with the run, or if another node of the step fails. */
  readonly signal: AbortSignal;
}

interface StepsParts {
  readonly graph: Graph;
  readonly scripts?: ScriptTargets;
  /** Rejects with the error of the node, after its own recovery, such as a fallback. */
  runNode: (turn: NodeTurn) => Promise<NodeOutcome>;
  /** Called when a node is done, and awaited before anything that follows from it. */
  nodeDone: (turn: NodeTurn, outcome: NodeOutcome) => Promise<void>;
  /** Called and awaited likewise for a step, with the resulting position. */
  stepDone: (step: number, after: AfterStep) => Promise<void>;
  readonly signal: AbortSignal;
}

export type Ended = Extract<AfterStep, { kind: 'ended' }>;

/**
 * Runs a graph step by step, from a position to an end: all nodes of the frontier run concurrently on the state before the step,
 * and their writes are combined after the last one. `done`: nodes of this step that are already done. The first node to fail
 * cancels the others of its step. Rejects with GraphFailure and AbortError.
 */
export async function runSteps(
  from: Position,
  done: ReadonlyMap<string, NodeOutcome>,
  parts: StepsParts,
): Promise<Ended> {
  const reach = new Reach(parts.graph, parts.scripts);
  let position = from;
  let outcomes = new Map(done);
  for (;;) {
    throwIfAborted(parts.signal);
    await runFrontier(position, outcomes, parts);
    const after = together(parts.graph, reach, position, outcomes);
    await parts.stepDone(position.step, after);
    if (after.kind === 'ended') return after;
    ({ position } = after);
    outcomes = new Map();
  }
}

/** Adds the result of each node to `outcomes`. Rejects with the first failure, once all have ended. */
async function runFrontier(
  { frontier, state, step }: Position,
  outcomes: Map<string, NodeOutcome>,
  parts: StepsParts,
): Promise<void> {
  const siblings = new AbortController();
  const signal = AbortSignal.any([parts.signal, siblings.signal]);
  let failure: Error | undefined;
  const runOne = async (id: string) => {
    const node = parts.graph.nodes.get(id);
    if (!node || outcomes.has(id)) return;
    // Each node gets a signal of its own, since many listeners on one signal are reported as a leak.
    const turn = { node, step, state, signal: AbortSignal.any([signal]) };
    try {
      const outcome = await parts.runNode(turn);
      await parts.nodeDone(turn, outcome);
      outcomes.set(id, outcome);
    } catch (error) {
      // Later failures are only cancellations caused by the first.
      failure ??= asFailure(error, id);
      siblings.abort();
    }
  };
  await Promise.all(frontier.map(runOne));
  throwIfAborted(parts.signal);
  if (failure) throw failure;
}

function asFailure(error: unknown, node: string): Error {
  if (error instanceof GraphFailure && error.node !== undefined) return error;
  if (error instanceof Error && isAbort(error)) return error;
  return new GraphFailure(errorText(error), node, { cause: error });
}

function together(
  graph: Graph,
  reach: Reach,
  position: Position,
  outcomes: ReadonlyMap<string, NodeOutcome>,
): AfterStep {
  try {
    return afterStep(graph, reach, position, outcomes);
  } catch (error) {
    throw error instanceof GraphFailure ? error : new GraphFailure(errorText(error), undefined, { cause: error });
  }
}

/** Limits the number of concurrent tasks; the others wait in order of arrival. */
export class Limiter {
  private free: number;
  private readonly waiting: Deferred<void>[] = [];

  constructor(most: number) {
    this.free = Math.max(1, most);
  }

  /** Rejects with AbortError while waiting; otherwise settles like `work`. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    const turn = new Deferred<void>();
    this.waiting.push(turn);
    try {
      await untilAborted(turn.promise, signal);
    } catch (error) {
      const at = this.waiting.indexOf(turn);
      if (at >= 0) this.waiting.splice(at, 1);
      // The slot was already assigned.
      else this.leave();
      throw error;
    }
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next.resolve();
    else this.free++;
  }
}
