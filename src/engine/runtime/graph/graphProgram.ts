import { sameJson } from '../../../base/sameJson';
import { yamlReady } from '../../content/yamlSource';
import { EngineError } from '../../engineError';
import type { FinishedNode } from '../../events/agentEvent';
import type { RunOutcome } from '../../events/runOutcome';
import type { AgentGraph, GraphEvent, GraphRunParts, ResumedGraph } from '../../graphs/desk';
import type { ScriptTargets } from '../../graphs/edges';
import { readGraph } from '../../graphs/format/readGraph';
import { budgetLimits } from '../../graphs/graph';
import { GraphRun } from '../../graphs/graphRun';
import { laterRunText } from '../../graphs/record/graphRuns';
import { type GraphRecord, GraphRecords } from '../../graphs/record/graphRecords';
import { NOTHING, sum } from '../../graphs/record/progress';
import { runViewOf } from '../../graphs/record/runView';
import { named } from '../../graphs/validation/graphCheck';
import { type SeenScript, targetsIn, UNREAD, waysOfScript } from '../../graphs/validation/graphWorld';
import { graphsOf, startsFrom } from '../../graphs/validation/ways';
import { validateGraph } from '../../graphs/validation/validateGraph';
import { textOf } from '../../messages/message';
import { readRepositoryFile } from '../../permissions/repositoryFile';
import { isShutDown } from '../../run/interrupts';
import { type AgentLoop, LoopEnd } from '../../run/loop/agentLoop';
import { runLoop } from '../../run/loop/runLoop';
import type { AgentSession } from '../../sessions/agentSession';
import type { AgentRuntimeParts } from '../agentRuntimeParts';
import { type GraphOfRun, nodeDesk } from './nodeDesk';

/**
 * Runs a graph agent. If the run is cancelled, resolves once everything that its nodes started has ended and the record says so:
 * until then, nobody else may continue it.
 */
export async function runGraph(
  parts: AgentRuntimeParts,
  run: GraphOfRun,
  input: Parameters<typeof runLoop>[2],
): Promise<RunOutcome> {
  const records = new GraphRecords(run.context.conversation.session.folder, run.context.conversation.ports);
  const last = run.isNew ? undefined : await recordToContinue(records, run);
  const answer = last && answerTo(last, run);
  // A run that completed, perhaps in another process, is not carried out again for the same message.
  if (answer !== undefined && isSaid(answer, run.context.conversation.session)) return { kind: 'completed', answer };
  const loop = answer === undefined ? await graphProgram(parts, run, records, last) : () => Promise.resolve(answer);
  let working: Promise<unknown> = Promise.resolve();
  const tracked: AgentLoop = (internals) => {
    const going = loop(internals);
    working = going;
    return going;
  };
  try {
    return await runLoop(run.context, tracked, input);
  } finally {
    // Its error is that of the run.
    await working.catch(() => undefined);
  }
}

/** Returns the loop of a graph agent. `last`: the run to continue; if it was stopped, it does so with the graph it started with. */
async function graphProgram(
  parts: AgentRuntimeParts,
  run: GraphOfRun,
  records: GraphRecords,
  last: GraphRecord | undefined,
): Promise<AgentLoop> {
  const { context, file } = run;
  const { session, emitter, ports, signal } = context.conversation;
  const stopped = last && isOver(last) ? undefined : last;
  const own = stopped && stopped.begun.graph !== file.text ? await keptGraph(stopped) : file;
  const changes = own === file ? '' : await graphChanges(own.text, file.text);
  if (changes !== '') {
    const text = `The graph has changed since this run started; the run continues with the graph as it was. ${changes}`;
    emitter.emit({ type: 'notice', level: 'info', text });
  }
  const refused = stopped || !own.graph.settings.validatesFirst ? undefined : await refusedGraph(parts, run);
  if (refused !== undefined) return () => Promise.reject(refusal(refused));
  const usedUp = holdBudget(run, stopped);
  const seen = new SeenNodes(ports.clock.now());
  const loop = graphLoop({
    file: own,
    desk: nodeDesk(parts, { ...run, file: own }),
    scripts: await scriptTargets(own, run.agent.folder, ports),
    // Taken from the current file, like the budget, so that a run that timed out can be given more time.
    timeoutMs: file.graph.settings.timeoutMs,
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

/** The record has all nodes, and no card shows that many. */
const MOST_NODES = 500;

/** The part of a graph's run that is stored with the session, so that its chat can be shown again. */
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

/**
 * Returns the wanted run of the session, or its latest. Until this process could run in the session, another one may have begun
 * others there. Rejects with EngineError `invalid-state` if the wanted one can no longer continue.
 */
async function recordToContinue(
  records: GraphRecords,
  { wanted }: Pick<GraphOfRun, 'wanted'>,
): Promise<GraphRecord | undefined> {
  const [newest] = await records.list();
  if (!wanted) return newest === undefined ? undefined : records.read(newest).catch(neverBegun);
  const record = await records.read(wanted.id);
  if (wanted.isRetry || newest === wanted.id || endOf(record)?.how === 'completed') return record;
  throw new EngineError('invalid-state', laterRunText(wanted.id, newest ?? ''));
}

function endOf({ entries }: GraphRecord) {
  const last = entries.at(-1);
  return last?.type === 'ended' ? last : undefined;
}

/** Whether the answer is already the last message of the conversation. */
function isSaid(answer: string, { messages }: AgentSession): boolean {
  const last = messages.at(-1);
  return last?.role === 'assistant' && textOf(last) === answer;
}

function isOver(record: GraphRecord): boolean {
  const how = endOf(record)?.how;
  return how === 'completed' || how === 'rejected';
}

/** Returns the answer of a run that completed, if it is the wanted one, or was for the last message of its session. */
function answerTo(record: GraphRecord, { context, wanted }: GraphOfRun): string | undefined {
  const end = endOf(record);
  const { messages } = context.conversation.session;
  const asked = messages.findLast((message) => message.role === 'user' && !message.automatic);
  const isLatest = wanted !== undefined || asked === undefined || asked.time <= record.begun.time;
  return end?.how === 'completed' && isLatest ? end.answer : undefined;
}

/** A process killed while writing the first line of the record has not done anything. */
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

/** Returns the program of a graph, which runs step by step; each step is stored before the next one starts. */
function graphLoop(parts: Omit<GraphRunParts, 'agent' | 'signal'>): AgentLoop {
  return async (internals) => {
    const { text: prompt } = await internals.receive();
    const { agent, signal } = internals;
    internals.setState('running-tool');
    return new GraphRun({ ...parts, agent, signal }).carryOut(prompt);
  };
}

/** Returns why a graph is not started: what its validation found, as a sentence. Undefined if nothing prevents it. */
async function refusedGraph(
  parts: Pick<AgentRuntimeParts, 'agents' | 'ports'>,
  { agent, file }: Pick<GraphOfRun, 'agent' | 'file'>,
): Promise<string | undefined> {
  const { text, path, graph } = file;
  await yamlReady(text);
  const all = await parts.agents.list();
  const agents = all.map(({ name }) => name);
  const [scripts, starts] = await Promise.all([
    missingScripts(parts, { agent, file }),
    startsFrom(graph, graphsOf(all)),
  ]);
  const found = validateGraph(readGraph(text, path), { agent: agent.name, agents, scripts, starts });
  const [first, ...others] = found.filter(({ severity }) => severity === 'error');
  if (!first) return undefined;
  const more =
    others.length === 0 ? '' : ` There are ${others.length} more; run cairn --validate ${path} to see them all.`;
  const { line, column, message } = first;
  return `The graph “${graph.name}” was not started, because it cannot succeed. ${path}:${line}:${column}: ${message}${more}`;
}

/** Finds only missing scripts. Errors in existing ones are reported when they run. */
async function missingScripts(
  { ports: { files, paths } }: Pick<AgentRuntimeParts, 'ports'>,
  { agent: { folder }, file }: Pick<GraphOfRun, 'agent' | 'file'>,
): Promise<ReadonlyMap<string, SeenScript>> {
  const named = [...file.graph.nodes.values()].flatMap((node) => (node.type === 'script' ? [node.script] : []));
  const missing = await Promise.all(
    [...new Set(named)].map(async (script) => {
      if (folder === null) return [script];
      const found = await files.find(paths.resolve(folder, script)).catch(() => undefined);
      return found ? [] : [script];
    }),
  );
  return new Map(missing.flat().map((script) => [script, { kind: 'missing' }] as const));
}

/** Reads scripts only if a node waits for all branches, which includes scripts that may still reach it. */
async function scriptTargets(
  { graph }: AgentGraph,
  folder: string | null,
  ports: AgentRuntimeParts['ports'],
): Promise<ScriptTargets> {
  const nodes = [...graph.nodes.values()];
  if (folder === null || !nodes.some(({ joinsAll }) => joinsAll)) return new Map();
  const named = new Set(nodes.flatMap((node) => (node.type === 'script' ? [node.script] : [])));
  const read = [...named].map(async (script) => {
    const file = await readRepositoryFile(ports.paths.resolve(folder, script), folder, ports).catch(() => undefined);
    const targets = targetsIn(file ? waysOfScript(new TextDecoder().decode(file)) : UNREAD);
    return targets ? [[script, targets] as const] : [];
  });
  return new Map((await Promise.all(read)).flat());
}

/**
 * Limits a run to its graph's current budget, including what its record says was used before. The returned function describes a
 * used-up budget, or returns undefined while there is some left.
 */
function holdBudget(
  { team: { spending }, file: { graph, path } }: Pick<GraphOfRun, 'team' | 'file'>,
  stopped: GraphRecord | undefined,
): () => string | undefined {
  const { budget } = graph.settings;
  if (!budget) return () => undefined;
  const before = stopped ? runViewOf(stopped) : NOTHING;
  spending.stayWithin(budgetLimits(budget), before);
  return () => {
    const { tokens, costUsd } = sum(before, spending.total);
    const isOut = (used: number, most: number | undefined): most is number => most !== undefined && used >= most;
    const said = [
      ...(isOut(tokens, budget.tokens) ? [`${tokens} of ${budget.tokens} tokens`] : []),
      ...(isOut(costUsd, budget.cost) ? [`$${Number(costUsd.toFixed(4))} of $${budget.cost}`] : []),
    ];
    if (said.length === 0) return undefined;
    const whole = before.tokens > 0 ? ', including what was used before it was stopped' : '';
    return `The budget of the graph “${graph.name}” is used up: ${said.join(' and ')}${whole}. Raise settings.budget in ${path}, then continue.`;
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Describes how a graph differs from an earlier text of it, in sentences; empty if only its formatting changed. */
async function graphChanges(before: string, now: string): Promise<string> {
  await Promise.all([yamlReady(before), yamlReady(now)]);
  const [{ nodes: earlier, ...rest }, { nodes: later, ...others }] = [fieldsOf(before), fieldsOf(now)];
  const nodes = differences(earlier, later);
  const beside = differences(rest, others);
  const said = [
    listed('Changed nodes', nodes.changed),
    listed('Added nodes', nodes.added),
    listed('Removed nodes', nodes.removed),
    listed('Changed beside the nodes', [...beside.changed, ...beside.added, ...beside.removed]),
  ];
  return said.filter((text) => text !== '').join(' ');
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}: ${named(names)}.`;
}

function fieldsOf(text: string): Fields & { nodes: Fields } {
  return { nodes: {}, ...readGraph(text, '').fields };
}

function differences(before: Fields, now: Fields): Record<'changed' | 'added' | 'removed', string[]> {
  const [earlier, later] = [Object.keys(before), Object.keys(now)];
  return {
    changed: earlier.filter((key) => Object.hasOwn(now, key) && !sameJson(before[key], now[key])),
    added: later.filter((key) => !Object.hasOwn(before, key)),
    removed: earlier.filter((key) => !Object.hasOwn(now, key)),
  };
}
