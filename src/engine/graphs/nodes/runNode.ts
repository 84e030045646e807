import { AbortError, isAbort, NOT_NEEDED } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { GraphDesk } from '../desk';
import type { GraphNode, JsonValue } from '../graph';
import { fallbackOf } from '../itemNodes';
import type { NodeOutcome } from '../schedule/position';
import type { NodeTurn } from '../schedule/runSteps';
import { aroundFailure, lenientText, updatesOf } from './fillNode';
import { NobodyAnswered, runApproval, runInput } from './askNodes';
import { runMap } from './mapNode';
import type { NodeRoom, WorkedNode, WorkPlace } from './nodeRoom';
import { runCommand, runScript } from './programNodes';
import { runAgent, runLlm } from './workNodes';

/** A day. Longer delays would exceed what a timer can count, which then fires at once. */
const MAX_BACK_OFF_MS = 86_400_000;

/** Runs a node with its retries, timeout, and fallback. Rejects with its error, and with AbortError. */
export async function runNode(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
  const { node } = turn;
  try {
    const outcome = await tried(turn, room);
    if (outcome.end === undefined && outcome.targets.length === 0)
      throw new Error('It has no “next” node to continue with.');
    return outcome;
  } catch (error) {
    if (turn.signal.aborted || isAbort(error) || error instanceof NobodyAnswered) throw error;
    const fallback = fallbackOf(node);
    if (fallback === undefined) throw error;
    const failure = errorText(error);
    return { ...aroundFailure(turn, room, failure), targets: [fallback], failure };
  }
}

async function tried(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
  const { node, signal } = turn;
  const { attempts = 1, delayMs = 0, factor = 1 } = node.retry ?? {};
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTime(turn, room);
    } catch (error) {
      const isOver = signal.aborted || isAbort(error) || error instanceof NobodyAnswered;
      if (isOver || attempt >= attempts) throw error;
      await room.onRetry(turn, attempt + 1, errorText(error));
      await room.desk.sleep(Math.min(delayMs * factor ** (attempt - 1), MAX_BACK_OFF_MS), signal);
    }
  }
}

/** The timeout applies while the node works, not while it waits for a slot. */
function inTime(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
  const { node, signal } = turn;
  const work: NodeWork<WorkedNode> = (own) => runOnce({ ...turn, signal: own }, room);
  const timed = () => new NodeTimer(room.desk).within('timeoutMs' in node ? node.timeoutMs : undefined, work, signal);
  return takesPlace(node) ? room.limiter.run(timed, signal) : timed();
}

/** A map takes no slot; its branches do. */
function takesPlace({ type }: GraphNode): boolean {
  return type === 'script' || type === 'command' || type === 'llm' || type === 'agent' || type === 'rag';
}

async function runOnce(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
  const { node, state, signal } = turn;
  const { graph, desk } = room;
  switch (node.type) {
    case 'input':
      return runInput(node, { graph, state, desk, signal });
    case 'approval':
      return runApproval(node, { graph, state, desk, signal });
    case 'end': {
      const writes = updatesOf(node, state, {}, graph);
      return { writes, targets: [], end: lenientText(node.output, afterWriting(turn, writes), graph) };
    }
    case 'script':
      return runScript(node, workPlace(turn, room));
    case 'command':
      return runCommand(node, workPlace(turn, room));
    case 'llm':
      return runLlm(node, workPlace(turn, room));
    case 'agent':
      return runAgent(node, workPlace(turn, room));
    case 'map':
      return runMap(node, turn, room, (branch) => tried(branch, room));
    case 'rag':
      throw new Error(
        'Cairn has no knowledge bases yet, so a rag node cannot run. Replace it with an agent or llm node.',
      );
  }
}

function workPlace(turn: NodeTurn, room: NodeRoom): WorkPlace {
  const { state, signal } = turn;
  const { graph, desk } = room;
  const [session, account, isItem] = [room.sessionFor(turn), room.accountOf(turn), turn.item !== undefined];
  return { graph, state, desk, signal, session, account, isItem };
}

/** The output of an end node may refer to what it writes itself. */
function afterWriting({ state }: NodeTurn, writes: NodeOutcome['writes']): ReadonlyMap<string, JsonValue> {
  return new Map([...state, ...writes.map(({ key, value }) => [key, value] as const)]);
}

type NodeWork<T> = (signal: AbortSignal) => Promise<T>;

/** Ends work that exceeds its timeout. */
class NodeTimer {
  constructor(private readonly desk: Pick<GraphDesk, 'sleep'>) {}

  /** Rejects after a timeout once the work has ended; otherwise settles like `work`. */
  async within<T>(timeMs: number | undefined, work: NodeWork<T>, signal: AbortSignal): Promise<T> {
    if (timeMs === undefined) return work(signal);
    const [late, done] = [new AbortController(), new AbortController()];
    this.desk.sleep(timeMs, AbortSignal.any([signal, done.signal])).then(
      () => late.abort(new AbortError('It ran out of time')),
      () => undefined,
    );
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new Error(`It did not finish within ${timeMs / 1000} seconds.`, { cause: error });
    } finally {
      done.abort(NOT_NEEDED);
    }
  }
}
