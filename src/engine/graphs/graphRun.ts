import { isAbort, NOT_NEEDED } from '../../base/abort';
import { counted } from '../../base/counted';
import { errorText } from '../../base/errors';
import { newId } from '../../base/newId';
import { clipEnd } from '../../base/truncate';
import { LoopEnd } from '../run/loop/agentLoop';
import type { GraphRunParts, Used } from './desk';
import { Accounts } from './nodes/accounts';
import { NobodyAnswered } from './nodes/askNodes';
import type { NodeRoom, WorkedNode } from './nodes/nodeRoom';
import { runNode } from './nodes/runNode';
import { WorkTimer } from './nodes/workTimer';
import { GraphFailure } from './position';
import type { EntryOf, GraphEntry, GraphRequest } from './record/graphRecords';
import { AskingNodes, type Progress, progressOf, timeUsed, WorkUnderway } from './record/progress';
import { type Ended, Limiter, type NodeTurn, runSteps } from './runSteps';

/** How often requests of other processes are polled. */
const LISTENS_MS = 500;

/** Maximum calls recorded per node, and per item of a map; the agent's transcript has all of them. */
const MOST_CALLS = 200;

type Ending = Pick<EntryOf<'ended'>, 'how' | 'answer' | 'message'>;

interface Took {
  readonly begunAt: number;
  readonly used: Used;
}

/** A run of a graph, from its start or from where it was stopped. */
export class GraphRun {
  private readonly id: string;
  private readonly stopping = new AbortController();
  private request: GraphRequest | undefined;
  private isLate = false;
  private readonly asking = new AskingNodes();
  /** Ends the run after its timeout; the time while somebody is asked does not count. */
  private readonly timer: WorkTimer | undefined;

  constructor(private readonly parts: GraphRunParts) {
    const { timeoutMs, resumed, desk, now } = parts;
    this.id = resumed?.id ?? newId('graph');
    const onLate = () => {
      this.isLate = true;
      this.stopping.abort();
    };
    const leftMs = (timeoutMs ?? 0) - (resumed ? timeUsed(resumed.entries) : 0);
    if (timeoutMs !== undefined)
      this.timer = new WorkTimer({ leftMs, sleep: (ms, signal) => desk.sleep(ms, signal), now, onLate });
  }

  /** Returns the answer. Rejects with LoopEnd if it ends in any other way, and with AbortError. */
  async carryOut(prompt: string): Promise<string> {
    const over = new AbortController();
    void this.listen(over.signal);
    const { timer } = this;
    timer?.run();
    try {
      const { answer, node, dropped } = await this.steps(prompt);
      if (dropped.length > 0) {
        const text = `The graph ended at “${node}” before reaching ${dropped.join(', ')}. Join the branches before the end.`;
        this.parts.tell({ type: 'notice', level: 'warning', text });
      }
      await this.keep({ type: 'ended', time: this.parts.now(), how: 'completed', answer });
      return answer;
    } catch (error) {
      const { ending, thrown } = this.endingOf(error);
      if (ending) await this.keep({ type: 'ended', time: this.parts.now(), ...ending });
      throw thrown;
    } finally {
      over.abort(NOT_NEEDED);
      timer?.end();
    }
  }

  private async steps(prompt: string): Promise<Ended> {
    const { file, scripts, tell, resumed } = this.parts;
    const { graph } = file;
    const from = await this.begin(prompt);
    tell({ type: 'graph-started', graphId: this.id, name: graph.name, resumed: resumed !== undefined });
    const room = this.room(from);
    return runSteps(from.position, from.done, {
      graph,
      ...(scripts && { scripts }),
      signal: AbortSignal.any([this.parts.signal, this.stopping.signal]),
      runNode: (turn) => this.runNode(turn, room),
      // Already recorded with its usage when the node finished.
      nodeDone: () => Promise.resolve(),
      stepDone: async (step, after) => {
        const next = after.kind === 'going' ? [...after.position.frontier] : [];
        await this.keep({ type: 'step-done', time: this.parts.now(), step, next });
        await this.hear();
        if (after.kind === 'going' && this.request === 'pause') this.stopping.abort();
      },
    });
  }

  /** Polls for requests that other processes leave in a file. */
  private async listen(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      try {
        await this.parts.desk.sleep(LISTENS_MS, over);
        await this.hear();
      } catch {
        // The run is over, or the request cannot be read; the next poll tries again.
      }
    }
  }

  /** Reads the request of another process, if any; a stop takes effect immediately. */
  private async hear(): Promise<void> {
    this.request = (await this.parts.asked(this.id)) ?? this.request;
    if (this.request === 'stop') this.stopping.abort();
  }

  private async begin(prompt: string): Promise<Progress> {
    const { agent, file, resumed } = this.parts;
    const time = this.parts.now();
    if (resumed) {
      // Discards a request from before the run ended.
      await this.parts.asked(this.id);
      await this.keep({ type: 'resumed', time });
      return progressOf(file.graph, resumed.prompt, resumed.entries);
    }
    const { text: graph, path } = file;
    await this.keep({ type: 'begun', version: 1, id: this.id, time, agent, path, graph, prompt });
    return progressOf(file.graph, prompt, []);
  }

  private room(from: Progress): NodeRoom {
    const { desk, file } = this.parts;
    const underway = new WorkUnderway(from);
    const accounts = new Accounts(file.graph, from, (place, used) =>
      this.keep({ type: 'used', time: this.parts.now(), ...place, ...used }),
    );
    return {
      graph: file.graph,
      desk,
      now: this.parts.now,
      limiter: new Limiter(file.graph.settings.maxConcurrency),
      itemsDone: (turn) => underway.itemsOf(turn),
      ...this.items(underway, accounts),
      sessionFor: (turn) => ({
        ...underway.sessionOf(turn),
        keep: async (sessionId) => {
          const { step } = turn;
          await this.keep({ type: 'agent-begun', time: this.parts.now(), step, ...placeOf(turn), sessionId });
          underway.worksIn(turn, sessionId);
        },
        called: (call) => {
          if (underway.calls(turn) > MOST_CALLS) return;
          const { step } = turn;
          const said = { ...call, tool: clipEnd(call.tool, 200), title: clipEnd(call.title, 500) };
          const keeping = this.keep({ type: 'called', time: this.parts.now(), step, ...placeOf(turn), ...said });
          accounts.of(turn).along(keeping);
        },
        asks: (isAsking) => {
          const { step } = turn;
          const { node } = placeOf(turn);
          // Items of a map may ask concurrently; this is recorded once for the node.
          const type = underway.asks(turn, isAsking);
          if (type) accounts.of(turn).along(this.keep({ type, time: this.parts.now(), step, node }));
        },
      }),
      accountOf: (turn) => accounts.of(turn),
      onRetry: async (turn, attempt, message) => {
        const { step } = turn;
        await accounts.of(turn).keep();
        const time = this.parts.now();
        await this.keep({ type: 'retried', time, step, ...placeOf(turn), attempt, message });
        underway.failed(turn, time);
        const text = `${turn.node.id} failed and is retried: ${message}`;
        this.parts.tell({ type: 'notice', level: 'info', text });
      },
    };
  }

  private items(underway: WorkUnderway, accounts: Accounts): Pick<NodeRoom, 'itemBegun' | 'itemDone' | 'itemFailed'> {
    return {
      itemBegun: ({ step, node }, item) =>
        this.keep({ type: 'item-begun', time: this.parts.now(), step, node: node.id, ...item }),
      itemFailed: ({ step, node }, { index, message: why }) => {
        const message = clipEnd(why, 2000);
        return this.keep({ type: 'item-failed', time: this.parts.now(), step, node: node.id, index, message });
      },
      itemDone: async (turn, { index, of: items, value, failure, by }) => {
        const { step } = turn;
        const node = turn.node.id;
        const account = accounts.of({ ...turn, item: { map: node, index } });
        await account.kept();
        const more = { ...account.total, ...failureOf(failure), ...(by !== undefined && { by }) };
        await this.keep({ type: 'item-done', time: this.parts.now(), step, node, index, value, ...more });
        const done = underway.addItem(turn, index, value);
        this.parts.tell({ type: 'node-progress', graphId: this.id, node, done, items });
      },
    };
  }

  private async runNode(turn: NodeTurn, room: NodeRoom): Promise<WorkedNode> {
    const { node, step } = turn;
    const begunAt = this.parts.now();
    await this.keep({ type: 'node-started', time: begunAt, step, node: node.id });
    this.parts.tell({ type: 'node-started', graphId: this.id, node: node.id, step });
    const account = room.accountOf(turn);
    try {
      const outcome = await runNode(turn, this.heard(room, step));
      await account.kept();
      await this.nodeDone(turn, outcome, { begunAt, used: account.total });
      return outcome;
    } catch (error) {
      await account.keep();
      if (!turn.signal.aborted) await this.nodeFailed(turn, errorText(error), { begunAt, used: account.total });
      throw error;
    }
  }

  /** Records when the user is asked and answers, so that the record shows how time was spent. */
  private heard(room: NodeRoom, step: number): NodeRoom {
    const { desk } = room;
    return {
      ...room,
      desk: {
        ...desk,
        askPerson: async (node, question, signal) => {
          await this.keep({ type: 'asked', time: this.parts.now(), step, node });
          const answer = await desk.askPerson(node, question, signal);
          await this.keep({ type: 'answered', time: this.parts.now(), step, node });
          return answer;
        },
      },
    };
  }

  private async nodeDone(
    { node: { id: node }, step }: NodeTurn,
    { writes, targets, end, output, sessionId, failure }: WorkedNode,
    { begunAt, used }: Took,
  ): Promise<void> {
    const time = this.parts.now();
    const durationMs = time - begunAt;
    const session = sessionId !== undefined && { sessionId };
    const child = sessionId !== undefined && { childSessionId: sessionId };
    await this.keep({
      type: 'node-done',
      time,
      step,
      node,
      durationMs,
      writes: [...writes],
      targets: [...targets],
      ...used,
      ...(end !== undefined && { end }),
      ...(output !== undefined && { output }),
      ...session,
      ...failureOf(failure),
    });
    const finished = { node, step, durationMs, targets: [...targets], ...used, ...child, ...failureOf(failure) };
    this.parts.tell({ type: 'node-finished', graphId: this.id, ...finished });
  }

  private async nodeFailed(
    { node: { id: node }, step }: NodeTurn,
    message: string,
    { begunAt, used }: Took,
  ): Promise<void> {
    const time = this.parts.now();
    const durationMs = time - begunAt;
    await this.keep({ type: 'node-failed', time, step, node, durationMs, message });
    const finished = { node, step, durationMs, targets: [], ...used, failure: message };
    this.parts.tell({ type: 'node-finished', graphId: this.id, ...finished });
  }

  /**
   * Returns what is recorded when the run ends without an answer, and the error for the agent's run. Nothing is recorded if the
   * run may resume later.
   */
  private endingOf(error: unknown): { ending?: Ending; thrown: Error } {
    const { signal, file, timeoutMs } = this.parts;
    if (signal.aborted) {
      const thrown = error instanceof Error && isAbort(error) ? error : new Error(errorText(error));
      return this.parts.isShutDown() ? { thrown } : { thrown, ending: { how: 'stopped' } };
    }
    if (this.isLate) {
      const seconds = (timeoutMs ?? 0) / 1000;
      const message = `It did not finish within ${counted(seconds, 'second')}. Raise settings.timeout in ${file.path}, then continue.`;
      return { thrown: new LoopEnd({ kind: 'limit-reached', limit: 'time' }), ending: { how: 'failed', message } };
    }
    if (this.stopping.signal.aborted) {
      const paused = this.request === 'pause';
      const thrown = new LoopEnd({ kind: 'cancelled', ...(paused && { paused }) });
      return { thrown, ending: { how: paused ? 'paused' : 'stopped' } };
    }
    const message = errorText(error);
    const cause = rootOf(error);
    if (cause instanceof NobodyAnswered) {
      const thrown = new LoopEnd({ kind: 'rejected', answer: cause.message }, { cause: error });
      return { thrown, ending: { how: 'rejected', message: cause.message } };
    }
    if (cause instanceof LoopEnd) return { thrown: cause, ending: { how: 'failed', message } };
    const text = `The graph “${file.graph.name}” failed. ${message}`;
    const thrown = new LoopEnd({ kind: 'failed', reason: 'graph', message: text }, { cause: error });
    return { thrown, ending: { how: 'failed', message } };
  }

  private keep(entry: GraphEntry): Promise<void> {
    this.asking.take(entry);
    if (this.asking.isAny) this.timer?.pause();
    else this.timer?.run();
    return this.parts.keep(this.id, entry);
  }
}

/** Errors of models and shells may be as long as whole files. */
function failureOf(why: string | undefined): { failure?: string } {
  return why === undefined ? {} : { failure: clipEnd(why, 2000) };
}

/** Returns the graph node that is running, or the item of a map. */
function placeOf({ node, item }: NodeTurn): { node: string; index?: number } {
  return item ? { node: item.map, index: item.index } : { node: node.id };
}

/** Returns the original cause of a node's failure. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphFailure && error.cause !== undefined ? rootOf(error.cause) : error;
}
