import { counted } from '../../base/counted';
import { errorText } from '../../base/errors';
import { clipEnd } from '../../base/truncate';
import type {
  AgentGraph,
  AgentWork,
  CommandEnd,
  CommandWork,
  GraphDesk,
  LlmWork,
  ScriptWork,
  WorkReport,
} from './desk';
import { DryAnswers, type WrittenAnswers } from './dryAnswers';
import { DryCosts, type DryTotal, type KnownModel } from './dryCosts';
import { itemNodes, Reach, type ScriptTargets } from './edges';
import { type AnswerCheck, type Graph, type GraphNode, type JsonObject, type JsonValue, loadsSkills } from './graph';
import { GraphRun } from './graphRun';
import type { GraphEntry } from './record/graphRecords';
import { isJsonObject, textOfValue } from './template';

/** What would happen in a node, in the order of the run. */
export interface DryNode {
  /** 0-based. */
  readonly step: number;
  readonly node: string;
  readonly type: string;
  /** What would be asked, started, and run; repeated actions appear once, with their count. */
  does: string[];
  /** The assumed answer. */
  answer?: string;
  /** Whether the author wrote the answer. */
  readonly isGiven: boolean;
  goesTo: readonly string[];
  failure?: string;
}

export interface DryRun extends DryTotal {
  readonly nodes: readonly DryNode[];
  /** The answer of the graph; absent if it would not finish. */
  readonly answer?: string;
  /** Why it would not finish. */
  readonly failure?: string;
  /** Maximum number of agents that nodes start. What they use is not in the totals. */
  readonly agents: number;
  /** Nodes of this path that cost something and that a run with other answers may visit again, up to so many times. */
  readonly mayRepeat: readonly { readonly node: string; readonly visits: number }[];
  /** Nodes whose answers were never used. */
  readonly unused: readonly string[];
}

interface DryRunParts extends Omit<DryDeskParts, 'graph' | 'answers' | 'note'> {
  readonly agent: string;
  readonly file: AgentGraph;
  readonly prompt: string;
  readonly answers: WrittenAnswers;
  /** As in a run: which nodes its scripts may choose. */
  readonly scripts: ScriptTargets;
  /** Returns what is known of a model; undefined if nothing is. */
  readonly describe: (model: string) => KnownModel | undefined;
  readonly signal: AbortSignal;
}

/**
 * Walks through a graph as a run would, with the answers written for it or the simplest valid ones. Nothing is asked, started,
 * run, or stored. Rejects with AbortError.
 */
export async function dryRun({
  agent,
  file,
  prompt,
  answers: written,
  scripts,
  describe,
  signal,
  ...parts
}: DryRunParts): Promise<DryRun> {
  const { graph } = file;
  const answers = new DryAnswers(written);
  const walk = new Walk(graph, answers, new DryCosts(describe));
  const desk = dryDesk({ ...parts, graph, answers, note: (note) => walk.note(note) });
  const run = new GraphRun({
    agent,
    file: { ...file, graph: withoutRetries(graph) },
    desk,
    scripts,
    signal,
    timeoutMs: graph.settings.timeoutMs,
    resumed: undefined,
    keep: (_, entry) => {
      walk.take(entry);
      return Promise.resolve();
    },
    asked: () => Promise.resolve(undefined),
    now: () => 0,
    tell: () => undefined,
    isShutDown: () => true,
  });
  const ended = await run.carryOut(prompt).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (signal.aborted) throw error;
      return { failure: walk.failure ?? errorText(error) };
    },
  );
  const { nodes, agents, costs } = walk;
  const mayRepeat = repeatable(nodes, graph, new Reach(graph, scripts));
  return { nodes, ...ended, ...costs.total, agents, mayRepeat, unused: answers.unused };
}

/** Returns the nodes with costs, or maps over such nodes, that lie on a loop. */
function repeatable(walked: readonly DryNode[], graph: Graph, reach: Reach): DryRun['mayRepeat'] {
  const costs = (node: GraphNode): boolean =>
    node.type === 'llm' || node.type === 'agent' || (node.type === 'map' && itemNodes(node, graph).some(costs));
  return [...new Set(walked.map(({ node }) => node))].flatMap((id) => {
    const node = graph.nodes.get(id);
    if (!node || !costs(node) || !reach.declared(id).has(id)) return [];
    return [{ node: id, visits: Math.min(node.maxVisits ?? Infinity, graph.settings.maxVisits) }];
  });
}

/** Another attempt would get the same answer, after a delay. */
function withoutRetries(graph: Graph): Graph {
  const nodes = [...graph.nodes].map(([id, node]) => [id, { ...node, retry: NO_RETRY }] as const);
  return { ...graph, nodes: new Map(nodes) };
}

const NO_RETRY = { attempts: 1, delayMs: 0, factor: 1 };

/** Collects what a dry run does. */
class Walk {
  readonly nodes: DryNode[] = [];
  agents = 0;
  failure: string | undefined;
  private readonly open = new Map<string, { node: DryNode; done: Map<string, number> }>();

  constructor(
    private readonly graph: Graph,
    private readonly answers: DryAnswers,
    readonly costs: DryCosts,
  ) {}

  /** Throws if the node is to fail: a question is not asked again if its answer did not pass the check. */
  note({ node, words, asks }: DryNote): void {
    const [id] = this.open.has(node) ? [node] : this.mapsOver(node);
    const at = id === undefined ? undefined : this.open.get(id);
    if (!at) return;
    const times = (at.done.get(words) ?? 0) + 1;
    at.done.set(words, times);
    const own = this.graph.nodes.get(node);
    if (own?.type === 'input' && at.node.node === node && at.done.size > 1) {
      throw new Error(`The answer for “${node}” does not fit. ${words.replace(/^ask you: /, '')}`);
    }
    // A map that is retried may run an item again.
    const runs = at.node.node === node ? 1 : (this.graph.nodes.get(at.node.node)?.retry?.attempts ?? 1);
    if (asks) this.costs.add({ ...asks, requests: asks.requests * runs });
    if (own?.type === 'agent') this.agents += (own.retry?.attempts ?? 1) * runs;
    at.node.does = [...at.done].map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what));
  }

  take(entry: GraphEntry): void {
    if (entry.type === 'ended' && entry.how !== 'completed') this.failure = entry.message;
    if (!('node' in entry)) return;
    const { node: id, step } = entry;
    if (entry.type === 'node-started') {
      const type = this.graph.nodes.get(id)?.type ?? '';
      const node: DryNode = { step, node: id, type, does: [], isGiven: this.answers.has(id), goesTo: [] };
      this.nodes.push(node);
      this.open.set(id, { node, done: new Map() });
      return;
    }
    const at = this.open.get(id)?.node;
    if (entry.type === 'node-done' && at) {
      const said = entry.end ?? entry.output;
      if (said !== undefined) at.answer = clipEnd(textOfValue(said), 2000);
      at.goesTo = entry.targets;
    }
    if (entry.type === 'node-failed' && at) at.failure = entry.message;
    if (entry.type === 'node-done' || entry.type === 'node-failed') this.open.delete(id);
  }

  private mapsOver(branch: string): string[] {
    return [...this.open.keys()].filter((id) => {
      const node = this.graph.nodes.get(id);
      return node?.type === 'map' && itemNodes(node, this.graph).some((one) => one.id === branch);
    });
  }
}

/** What a run would do for a node. */
interface DryNote {
  readonly node: string;
  /** Description for people. */
  readonly words: string;
  /** Maximum number of requests to a model. */
  readonly asks?: { readonly model: string; readonly requests: number };
}

interface DryDeskParts {
  readonly graph: Graph;
  readonly answers: DryAnswers;
  /** Where a script declares that it continues, by its path as written. */
  readonly waysOf: (script: string) => readonly string[];
  /** Model of nodes that name none. */
  readonly model: string | undefined;
  readonly sleep: GraphDesk['sleep'];
  /** Throws if the node is to fail. */
  readonly note: (note: DryNote) => void;
}

/** How often a model is asked again for an answer that matches a schema. */
const REPAIRS = 2;

/** Returns a desk that does nothing: it notes what would be done, and answers with the given answers or the simplest valid ones. */
function dryDesk(parts: DryDeskParts): GraphDesk {
  return {
    think: (work) => settled(() => think(work, parts)),
    delegate: (work) => settled(() => delegate(work, parts)),
    askModel: ({ node, text }) => {
      const [, why = ''] = text.split('What does not fit yet: ');
      return Promise.reject(new Error(`Its answer does not fit its output_schema: ${why} Write one for “${node}”.`));
    },
    runScript: (work) => settled(() => runScript(work, parts)),
    runCommand: (work) => settled(() => runCommand(work, parts)),
    askPerson: (node, { question, options }) =>
      settled(() => ({ kind: 'answered', texts: [askPerson(node, question, options, parts)] })),
    sleep: parts.sleep,
  };
}

async function settled<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}

function think({ node, model, tools, maxTurns, outputSchema, skills }: LlmWork, parts: DryDeskParts): WorkReport {
  const own = parts.graph.nodes.get(node);
  const attempts = (own?.type === 'llm' ? own.maxAttempts : 1) * (own?.retry?.attempts ?? 1);
  const turns = tools.length > 0 || loadsSkills({ ...parts.graph.skills, ...skills }) ? maxTurns : 1;
  const requests = attempts * (turns + (outputSchema ? REPAIRS : 0));
  const withTools = tools.length > 0 ? ` with ${tools.join(', ')}` : '';
  const name = model ?? parts.model ?? 'the model of the session';
  parts.note({
    node,
    asks: { model: name, requests },
    words: `ask ${name}${withTools}, ${counted(requests, 'request')} at most`,
  });
  return reportOf(node, parts, outputSchema ?? undefined);
}

function delegate({ node, agent }: AgentWork, parts: DryDeskParts): WorkReport {
  const own = parts.graph.nodes.get(node);
  parts.note({ node, words: `start the agent ${agent}${retriesOf(own)}` });
  return reportOf(node, parts, own?.type === 'agent' ? own.outputSchema : undefined);
}

function reportOf(node: string, { answers }: DryDeskParts, schema: JsonValue | undefined): WorkReport {
  const given = answers.next(node) ?? (schema === undefined ? `(answer of ${node})` : shapeOf(schema));
  return {
    text: schema !== undefined && typeof given !== 'string' ? JSON.stringify(given) : textOfValue(given),
  };
}

function retriesOf(node: GraphNode | undefined): string {
  const { attempts = 1 } = node?.retry ?? {};
  return attempts > 1 ? `, up to ${attempts} attempts` : '';
}

function runScript({ node, script }: ScriptWork, { graph, answers, waysOf, note }: DryDeskParts): string {
  note({ node, words: `run the script ${script}${retriesOf(graph.nodes.get(node))}` });
  const given = answers.next(node);
  if (given !== undefined && !isJsonObject(given)) {
    throw new Error(
      `A script prints keys and values; write such as the answer of “${node}”, for example { _next: NODE }.`,
    );
  }
  const own = graph.nodes.get(node);
  const [first] = own?.type === 'script' && own.next.length === 0 ? waysOf(script) : [];
  return JSON.stringify({ ...(first !== undefined && { _next: first }), ...given });
}

function runCommand({ node, command }: CommandWork, { graph, answers, note }: DryDeskParts): CommandEnd {
  const line = clipEnd(command.replace(/\s+/g, ' '), 200);
  note({ node, words: `run the command ${line}${retriesOf(graph.nodes.get(node))}` });
  const given = answers.next(node);
  if (typeof given === 'number') return { exitCode: given, output: '' };
  if (!isJsonObject(given)) return { exitCode: 0, output: given === undefined ? '' : textOfValue(given) };
  const { exit_code: code, output } = given;
  return { exitCode: typeof code === 'number' ? code : 0, output: output === undefined ? '' : textOfValue(output) };
}

function askPerson(node: string, question: string, options: readonly string[], parts: DryDeskParts): string {
  const offered = options.length > 0 ? ` [${options.join(', ')}]` : '';
  parts.note({ node, words: `ask you: ${clipEnd(question.replace(/\s+/g, ' '), 200)}${offered}` });
  const given = parts.answers.next(node);
  return given === undefined ? usualAnswer(parts.graph.nodes.get(node), options) : textOfValue(given);
}

/** Returns the node's own default, or the first option. */
function usualAnswer(node: GraphNode | undefined, [first = '']: readonly string[]): string {
  if (node?.type === 'approval') return node.default ?? first;
  // An empty answer selects the default.
  if (node?.type !== 'input' || node.default !== undefined) return '';
  return node.check ? textFor(node.check) : 'text';
}

function textFor({ operator, length }: AnswerCheck): string {
  const most = 10_000;
  switch (operator) {
    case '>':
      return '.'.repeat(Math.min(most, length + 1));
    case '<':
      return '.'.repeat(Math.min(most, Math.max(0, length - 1)));
    default:
      return '.'.repeat(Math.min(most, length));
  }
}

const DEEPEST = 20;

/** Returns a minimal value for a JSON Schema. It may not be valid if the schema constrains more than types. */
function shapeOf(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > DEEPEST) return null;
  for (const key of ['const', 'default'] as const) if (schema[key] !== undefined) return schema[key];
  for (const key of ['enum', 'examples'] as const) {
    const first = Array.isArray(schema[key]) ? schema[key][0] : undefined;
    if (first !== undefined) return first;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const first = Array.isArray(schema[key]) ? schema[key][0] : undefined;
    if (first !== undefined) return shapeOf(first, depth + 1);
  }
  return ofType(schema, depth);
}

function ofType(schema: JsonObject, depth: number): JsonValue {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return 'text'.padEnd(Math.min(1000, numberIn(schema, 'minLength')), '.');
    case 'number':
    case 'integer':
      return Math.ceil(numberIn(schema, 'minimum', numberIn(schema, 'exclusiveMinimum', -1) + 1));
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(100, Math.max(1, numberIn(schema, 'minItems'))) }, () =>
        shapeOf(schema['items'], depth + 1),
      );
    default:
      return objectOf(schema, depth);
  }
}

function objectOf({ properties }: JsonObject, depth: number): JsonValue {
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(own.map(([key, inner]) => [key, shapeOf(inner, depth + 1)]));
}

function numberIn(schema: JsonObject, key: string, instead = 0): number {
  const value = schema[key];
  return typeof value === 'number' ? value : instead;
}
