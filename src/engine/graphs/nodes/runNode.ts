import { AbortError, isAbort } from '../../../base/abort';
import { counted } from '../../../base/counted';
import { errorText } from '../../../base/errors';
import { clipEnd } from '../../../base/truncate';
import { fallbackOf } from '../edges';
import { type CommandNode, type GraphNode, type JsonValue, parseJson, type ScriptNode } from '../graph';
import { stateAsObject, writesOf } from '../graphState';
import type { NodeOutcome } from '../position';
import type { NodeTurn } from '../runSteps';
import { isJsonObject } from '../template';
import { NobodyAnswered, runApproval, runInput } from './askNodes';
import { runMap } from './mapNode';
import {
  aroundFailure,
  lenientText,
  type NodeRoom,
  strictText,
  updatesOf,
  withUpdates,
  type WorkedNode,
  type WorkPlace,
} from './nodeRoom';
import { runAgent, runLlm } from './workNodes';
import { WorkTimer } from './workTimer';

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

/**
 * The timeout applies while the node works: not while it waits for a slot or, if its work is done by others, for the user. The
 * timeout of a map, of an approval, and of an input limits how long they ask.
 */
function inTime(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
  const { node, signal } = turn;
  if (!takesPlace(node)) return timed(node, room, (own) => runOnce({ ...turn, signal: own }, room), signal);
  return room.limiter.run(
    () => timed(node, room, (own, timer) => runOnce({ ...turn, signal: own }, heardBy(timer, room)), signal),
    signal,
  );
}

async function timed(node: GraphNode, room: NodeRoom, work: TimedWork, signal: AbortSignal): Promise<WorkedNode> {
  const timeMs = 'timeoutMs' in node ? node.timeoutMs : undefined;
  return timeMs === undefined ? work(signal) : new NodeTimer(timeMs, room).within(work, signal);
}

/** Tells a timer while the user is asked. */
function heardBy(timer: NodeTimer | undefined, room: NodeRoom): NodeRoom {
  if (!timer) return room;
  return {
    ...room,
    sessionFor: (turn) => {
      const session = room.sessionFor(turn);
      const asks = (isAsking: boolean) => {
        timer.asks(isAsking);
        session.asks(isAsking);
      };
      return { ...session, asks };
    },
  };
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

type TimedWork = (signal: AbortSignal, timer?: NodeTimer) => Promise<WorkedNode>;

/** Ends work that exceeds its timeout. */
class NodeTimer {
  private readonly late = new AbortController();
  private readonly timer: WorkTimer;
  private asking = 0;

  constructor(
    private readonly timeMs: number,
    { desk, now }: Pick<NodeRoom, 'desk' | 'now'>,
  ) {
    const onLate = () => this.late.abort(new AbortError('It ran out of time'));
    const sleep = (ms: number, signal: AbortSignal) => desk.sleep(ms, signal);
    this.timer = new WorkTimer({ leftMs: timeMs, sleep, now, onLate });
  }

  /** Rejects after the timeout once the work has ended; otherwise settles like `work`. */
  async within(work: TimedWork, signal: AbortSignal): Promise<WorkedNode> {
    const { late, timer, timeMs } = this;
    timer.run();
    try {
      return await work(AbortSignal.any([signal, late.signal]), this);
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new Error(`It did not finish within ${counted(timeMs / 1000, 'second')}.`, { cause: error });
    } finally {
      timer.end();
    }
  }

  /** Notes that the user is asked, or that one of the questions is over. The time until all are over does not count. */
  asks(isAsking: boolean): void {
    this.asking += isAsking ? 1 : -1;
    if (this.asking === 0) this.timer.run();
    else this.timer.pause();
  }
}

const NEXT = '_next';

/**
 * Runs the script and reads the one JSON object that it prints: the values to write, and the next nodes. In the branch of a map,
 * `_next` is ignored, even if it is invalid.
 */
async function runScript(
  node: ScriptNode,
  { graph, state, desk, signal, session, isItem }: WorkPlace,
): Promise<NodeOutcome> {
  const work = { node: node.id, session, script: node.script, state: stateAsObject(state) };
  const printed = (await desk.runScript(work, signal)).trim();
  const said = parseJson(printed);
  if (!isJsonObject(said)) {
    const what = printed === '' ? 'It printed nothing' : `It printed ${JSON.stringify(clipEnd(printed, 200))}`;
    throw new Error(`${what} instead of one JSON object. Print nothing else to standard output.`);
  }
  const { [NEXT]: next, ...written } = said;
  const writes = writesOf(written, state);
  const merged = new Map([...state, ...writes.map(({ key, value }) => [key, value] as const)]);
  const updates = updatesOf(node, merged, {}, graph);
  return {
    writes: withUpdates(writes, updates),
    targets: (isItem ? undefined : nextOf(next)) ?? node.next,
    output: written,
  };
}

/** Reads one id or a list of ids, which is a fan-out. */
function nextOf(next: JsonValue | undefined): string[] | undefined {
  if (next === undefined || next === null) return undefined;
  const ids = typeof next === 'string' ? [next] : next;
  if (Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')) return [...new Set(ids)];
  throw new Error(`“_next” is ${JSON.stringify(next)}. Print the id of a node, or a list of ids.`);
}

/** Runs the command. Its updates see `exit_code`, which is null if it was ended or nothing ran, and `output`. */
async function runCommand(node: CommandNode, place: WorkPlace): Promise<WorkedNode> {
  const { graph, state, desk, signal, session } = place;
  const command = strictText(node.command, state, graph).trim();
  const work = { node: node.id, session, command, timeoutMs: node.timeoutMs };
  const end = command === '' ? { exitCode: null, output: '' } : await desk.runCommand(work, signal);
  const own = { command, exit_code: end.exitCode, output: end.output };
  return { writes: updatesOf(node, state, own, graph), targets: node.next, output: own };
}
