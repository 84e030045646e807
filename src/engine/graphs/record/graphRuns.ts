import { nearest } from '../../../base/matching';
import { newId } from '../../../base/newId';
import { sameJson } from '../../../base/sameJson';
import { yamlReady } from '../../content/yamlSource';
import { EngineError } from '../../engineError';
import type { Clock } from '../../ports';
import type { SessionCatalog } from '../../sessions/sessionCatalog';
import { readGraph } from '../format/readGraph';
import { type Graph, type GraphNode, type JsonObject, type JsonValue, parseJson } from '../graph';
import { applyWrites, type GraphState, scopeWith, stateAsObject } from '../graphState';
import { lenientText } from '../nodes/nodeRoom';
import type { Position } from '../position';
import { isJsonObject } from '../template';
import { type EntryOf, type GraphEntry, type GraphRecord, type GraphRecordPorts, GraphRecords } from './graphRecords';
import { progressOf } from './progress';
import { type RunView, runViewOf } from './runView';

/** A run and the session in which it ran. */
export interface KnownRun {
  readonly sessionId: string;
  /** Absolute path of the session's workspace. */
  readonly workspace: string;
  /** True while a process runs in the session. */
  readonly isHeld: boolean;
  readonly view: RunView;
}

/** The point from which a run is retried. */
interface RetryFrom {
  /** A node, meaning its last visit, or a 0-based step number. */
  readonly at: string | number;
  /** Values to replace in the state at that point. */
  readonly changes?: JsonObject;
  /** A state to use instead of the recorded one. */
  readonly state?: JsonObject;
}

/** The graph runs stored on this machine. */
export class GraphRuns {
  constructor(
    private readonly sessions: Pick<SessionCatalog, 'list' | 'borrow' | 'heldElsewhere'>,
    private readonly ports: GraphRecordPorts & { clock: Pick<Clock, 'now'> },
  ) {}

  /** Returns the runs of a workspace, or all of them, newest first. Unreadable records are left out and reported in `problems`. */
  async list(workspace?: string): Promise<{ runs: KnownRun[]; problems: string[] }> {
    const problems: string[] = [];
    const all = (await this.sessions.list()).filter((one) => workspace === undefined || one.workspace === workspace);
    const found = await Promise.all(
      all.map(async ({ id: sessionId, workspace: folder }) => {
        const records = await this.recordsOf(sessionId);
        const ids = await records.list();
        if (ids.length === 0) return [];
        const isHeld = await this.sessions.heldElsewhere(sessionId);
        const views = await Promise.all(
          ids.map(async (id) => {
            try {
              return [{ sessionId, workspace: folder, isHeld, view: runViewOf(await records.read(id)) }];
            } catch (error) {
              problems.push(error instanceof Error ? error.message : String(error));
              return [];
            }
          }),
        );
        return views.flat();
      }),
    );
    return { runs: found.flat().sort((a, b) => b.view.beganAt - a.view.beganAt), problems };
  }

  /** Finds a run by its id, or by a prefix or suffix that is unique. Rejects with EngineError `not-found`. */
  async find(id: string): Promise<KnownRun> {
    const { runs } = await this.list();
    const exact = runs.find(({ view }) => view.id === id);
    const near = runs.filter(({ view }) => view.id.startsWith(id) || view.id.endsWith(id));
    const found = exact ?? (near.length === 1 ? near[0] : undefined);
    if (found) return found;
    const ids = runs.map(({ view }) => view.id);
    const meant = nearest(id, ids);
    const several = near.length > 1 ? `${near.length} runs match: ${near.map(({ view }) => view.id).join(', ')}.` : '';
    const hint = several || (meant === undefined ? 'Run cairn runs list to see them.' : `Did you mean “${meant}”?`);
    throw new EngineError('not-found', `There is no graph run “${id}”. ${hint}`);
  }

  /** Reads a run and its record from the session in which it ran. Rejects with EngineError `not-found` and `damaged`. */
  async read(sessionId: string, id: string): Promise<{ run: KnownRun; record: GraphRecord }> {
    const session = await this.sessions.borrow(sessionId);
    const record = await new GraphRecords(session.folder, this.ports).read(id);
    const isHeld = await this.sessions.heldElsewhere(sessionId);
    const { workspace } = session.metadata;
    return { run: { sessionId, workspace, isHeld, view: runViewOf(record) }, record };
  }

  /**
   * Creates a run from an earlier one, with its state at an earlier point and the given changes. It starts when its session
   * continues. The earlier record stays unchanged. Rejects with EngineError `invalid-input`, with `invalid-state` while a process
   * runs in the session, with `damaged`, and as `find` does.
   */
  async retry(id: string, { at, changes, state: whole }: RetryFrom): Promise<{ sessionId: string; id: string }> {
    const { sessionId, isHeld, view } = await this.find(id);
    if (isHeld) throw new EngineError('invalid-state', `The run ${view.id} is running. Stop it first.`);
    const records = await this.recordsOf(sessionId);
    const record = await records.read(view.id);
    const graph = await graphOf(record);
    const step = stepOf(view, at, () => progressOf(graph, record.begun.prompt, record.entries).position);
    const { position } = progressOf(graph, record.begun.prompt, record.entries, step);
    if (position.step !== step) {
      throw new EngineError('invalid-input', `The run ${view.id} never reached step ${step}; it has ${view.steps}.`);
    }
    const own = newId('graph');
    const time = this.ports.clock.now();
    const state = { ...(whole ?? stateAsObject(position.state)), ...changes };
    const isEdited = whole !== undefined || Object.keys(changes ?? {}).length > 0;
    await records.create(own, [
      { ...record.begun, id: own, time, from: { id: view.id, step } },
      ...before(record.entries, step),
      ...(isEdited ? [{ type: 'edited' as const, time, step, state }] : []),
    ]);
    return { sessionId, id: own };
  }

  /** Rejects with EngineError `invalid-state` if the run is not the latest of its session: only the latest can continue. */
  async refuseEarlier({ sessionId, view }: Pick<KnownRun, 'sessionId' | 'view'>): Promise<void> {
    const [newest = view.id] = await (await this.recordsOf(sessionId)).list();
    if (newest === view.id) return;
    throw new EngineError('invalid-state', laterRunText(view.id, newest));
  }

  /**
   * Asks the process that carries out the run to stop it, or to pause it after its step. Rejects with EngineError `invalid-state`
   * if no process does (see `isHeld`).
   */
  async request(run: Pick<KnownRun, 'sessionId' | 'isHeld' | 'view'>, what: 'stop' | 'pause'): Promise<void> {
    if (!run.isHeld || run.view.state !== 'open') {
      throw new EngineError('invalid-state', `The run ${run.view.id} is not running, so there is nothing to ${what}.`);
    }
    await (await this.recordsOf(run.sessionId)).request(run.view.id, what);
  }

  private async recordsOf(sessionId: string): Promise<GraphRecords> {
    return new GraphRecords((await this.sessions.borrow(sessionId)).folder, this.ports);
  }
}

/** Says why a run that is not the latest of its session cannot continue. */
export function laterRunText(id: string, newest: string): string {
  return `The run ${id} cannot continue, because ${newest} was started after it in the same session. Retry from one of its nodes instead.`;
}

/** Parses a state written by the user. Throws EngineError `invalid-input`. */
export function stateFromText(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw new EngineError('invalid-input', 'The state is not a JSON object. Correct it, then retry.');
}

/** Reads the graph that a run started with. Rejects with EngineError `damaged`. */
async function graphOf({ begun }: GraphRecord): Promise<Graph> {
  await yamlReady(begun.graph);
  const { graph, problems } = readGraph(begun.graph, begun.path);
  if (graph) return graph;
  throw new EngineError('damaged', `The graph of ${begun.id} can no longer be read: ${problems[0]?.message ?? ''}`);
}

/** `reached`: where the run stands; a run that was ended before it began has reached nodes that have no visit. */
function stepOf({ id, nodes }: RunView, at: string | number, reached: () => Position): number {
  if (typeof at === 'number') return at;
  const last = nodes.findLast(({ node }) => node === at);
  if (last) return last.step;
  const { frontier, step } = reached();
  if (frontier.includes(at)) return step;
  const names = [...new Set(nodes.map(({ node }) => node))];
  const meant = nearest(at, names);
  const hint = meant === undefined ? `It ran: ${names.join(', ')}.` : `Did you mean “${meant}”?`;
  throw new EngineError('invalid-input', `The run ${id} did not reach a node “${at}”. ${hint}`);
}

/** Returns the entries before a step, including edits of the state at its start. */
function before(entries: readonly GraphEntry[], step: number): GraphEntry[] {
  const isBefore = (entry: GraphEntry) => 'step' in entry && entry.step < step && entry.type !== 'node-failed';
  const last = entries.findLastIndex((entry) => entry.type !== 'edited' && isBefore(entry));
  return entries.filter((entry, index) => {
    if (entry.type === 'edited') return entry.step <= step;
    // Earlier resumptions are kept, since the gap before each does not count as run time.
    return entry.type === 'resumed' ? index < last : isBefore(entry);
  });
}

/** A change that a node made to the state; `before` is undefined if the key did not exist. */
interface StateChange {
  readonly key: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
}

/** A visit of a node, with its input and its results. */
interface VisitDetail {
  /** What it sent to a model, an agent, the user, or the shell; undefined if it sends nothing. */
  readonly prompt: string | undefined;
  readonly output: JsonValue | undefined;
  /** The calls of the agents that worked on it, in the order in which they ended. */
  readonly calls: readonly EntryOf<'called'>[];
  readonly before: GraphState;
  readonly changes: readonly StateChange[];
}

/**
 * Returns what a record contains about a node in a step. Rejects with EngineError `damaged`, and with GraphFailure if the record
 * does not match its graph.
 */
export async function visitDetail(record: GraphRecord, at: { node: string; step: number }): Promise<VisitDetail> {
  const graph = await graphOf(record);
  const { position } = progressOf(graph, record.begun.prompt, record.entries, at.step);
  const before = position.state;
  const node = graph.nodes.get(at.node);
  const done = record.entries.findLast(
    (entry): entry is EntryOf<'node-done'> =>
      entry.type === 'node-done' && entry.node === at.node && entry.step === at.step,
  );
  const after = done ? applyWrites(before, [{ node: at.node, writes: done.writes }], graph) : before;
  const changes = [...after].flatMap(([key, value]): StateChange[] =>
    sameJson(before.get(key), value) ? [] : [{ key, before: before.get(key), after: value }],
  );
  const calls = record.entries.filter(
    (entry): entry is EntryOf<'called'> => entry.type === 'called' && entry.node === at.node && entry.step === at.step,
  );
  return { prompt: node && promptOf(node, before, graph), output: done?.output, calls, before, changes };
}

/** Renders the prompt from the state, which lacks the values that a map passes to its branches. */
function promptOf(node: GraphNode, state: GraphState, graph: Graph): string | undefined {
  const template = templateOf(node);
  return template === undefined ? undefined : lenientText(template, scopeWith(state, {}), graph);
}

function templateOf(node: GraphNode): string | undefined {
  switch (node.type) {
    case 'llm':
    case 'agent':
      return node.prompt;
    case 'input':
    case 'approval':
      return node.question;
    case 'command':
      return node.command;
    case 'rag':
      return node.query;
    case 'script':
    case 'map':
    case 'end':
      return undefined;
  }
}
