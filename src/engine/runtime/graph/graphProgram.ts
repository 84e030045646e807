import { EngineError } from '../../engineError';
import { readGraph } from '../../graphs/format/readGraph';
import { graphLoop } from '../../graphs/graphLoop';
import type { FinishedNode } from '../../events/agentEvent';
import type { AgentGraph, GraphEvent, ResumedGraph } from '../../graphs/graphRunParts';
import { graphChanges } from '../../graphs/record/graphChanges';
import { type GraphRecord, GraphRecords } from '../../graphs/record/graphRecords';
import { type AgentLoop, LoopEnd } from '../../run/loop/agentLoop';
import { isShutDown } from '../../run/shutDown';
import type { AgentSession } from '../../sessions/agentSession';
import { yamlReady } from '../../content/yamlSource';
import type { AgentRuntimeParts } from '../agentRuntimeParts';
import type { GraphOfRun } from './graphOfRun';
import { holdBudget } from './holdBudget';
import { nodeDesk } from './nodeDesk';
import { refusedGraph } from './refusedGraph';

/** The loop of an agent that is a graph. One that was stopped goes on with the graph that it began with. */
export async function graphProgram(parts: AgentRuntimeParts, run: GraphOfRun): Promise<AgentLoop> {
  const { context, file, isNew } = run;
  const { session, emitter, ports, signal } = context.conversation;
  const records = new GraphRecords(session.folder, ports);
  const last = isNew ? undefined : await lastRun(records);
  const answer = last && unkeptAnswer(last, session);
  if (answer !== undefined) return () => Promise.resolve(answer);
  const stopped = last && isOver(last) ? undefined : last;
  const own = stopped && stopped.begun.graph !== file.text ? await keptGraph(stopped) : file;
  const changes = own === file ? '' : await graphChanges(own.text, file.text);
  if (changes !== '') {
    const text = `The graph was changed since this run began; the run goes on with the graph as it was then. ${changes}`;
    emitter.emit({ type: 'notice', level: 'info', text });
  }
  const refused = stopped || !own.graph.settings.validatesFirst ? undefined : await refusedGraph(parts, run);
  if (refused !== undefined) return () => Promise.reject(refusal(refused));
  const usedUp = holdBudget(run, stopped);
  const seen = new SeenNodes(ports.clock.now());
  const loop = graphLoop({
    file: own,
    desk: nodeDesk(parts, { ...run, file: own }),
    keep: (id, entry) => records.add(id, entry),
    resumed: stopped && resumedFrom(stopped),
    asked: (id) => records.takeRequest(id),
    now: () => ports.clock.now(),
    tell: (event) => {
      seen.take(event);
      emitter.emit(event);
    },
    isShutDown: () => isShutDown(signal),
  });
  return async (internals) => {
    try {
      return await loop(internals);
    } catch (error) {
      const text = signal.aborted ? undefined : usedUp();
      if (text !== undefined) emitter.emit({ type: 'notice', level: 'warning', text });
      throw error;
    } finally {
      await seen.keepIn(session).catch((error: unknown) => {
        ports.log.error('What a graph did could not be written to its session', error);
      });
    }
  };
}

/** More is in the record, and no card shows them all. */
const MOST_NODES = 500;

/** What of a run is kept with the session, so that its chat can be shown again. */
class SeenNodes {
  private readonly nodes: FinishedNode[] = [];
  private graph: { graphId: string; name: string } | undefined;

  constructor(private readonly beganAt: number) {}

  take(event: GraphEvent): void {
    if (event.type === 'graph-started') this.graph = { graphId: event.graphId, name: event.name };
    if (event.type !== 'node-finished' || this.nodes.length >= MOST_NODES) return;
    const { node, step, durationMs, targets, tokens, costUsd, failure, childSessionId } = event;
    const more = { ...(failure !== undefined && { failure }), ...(childSessionId !== undefined && { childSessionId }) };
    this.nodes.push({ node, step, durationMs, targets, tokens, costUsd, ...more });
  }

  async keepIn(session: Pick<AgentSession, 'graphRan'>): Promise<void> {
    if (this.graph) await session.graphRan({ ...this.graph, beganAt: this.beganAt, nodes: this.nodes });
  }
}

function refusal(message: string): LoopEnd {
  return new LoopEnd({ kind: 'failed', reason: 'configuration', message });
}

/** The newest run of the session. */
async function lastRun(records: GraphRecords): Promise<GraphRecord | undefined> {
  const [newest] = await records.list();
  return newest === undefined ? undefined : records.read(newest).catch(neverBegun);
}

function isOver({ entries }: GraphRecord): boolean {
  const last = entries.at(-1);
  return last?.type === 'ended' && (last.how === 'completed' || last.how === 'rejected');
}

/** What a graph answered before the program ended, which its session does not know yet. */
function unkeptAnswer({ begun, entries }: GraphRecord, { history }: AgentSession): string | undefined {
  const last = entries.at(-1);
  const isKept = history.some((entry) => entry.type === 'run-finished' && entry.time >= begun.time);
  return last?.type === 'ended' && last.how === 'completed' && !isKept ? last.answer : undefined;
}

/** A process that is killed while it writes the first line has done nothing yet. */
function neverBegun(error: unknown): undefined {
  if (EngineError.is(error, 'damaged')) return undefined;
  throw error;
}

async function keptGraph({ begun }: GraphRecord): Promise<AgentGraph> {
  await yamlReady(begun.graph);
  const { graph, problems } = readGraph(begun.graph, begun.path);
  if (!graph) throw new Error(problems[0]?.message ?? 'The graph of this run can no longer be read.');
  return { graph, text: begun.graph, path: begun.path };
}

function resumedFrom({ begun, entries }: GraphRecord): ResumedGraph {
  return { id: begun.id, prompt: begun.prompt, entries };
}
