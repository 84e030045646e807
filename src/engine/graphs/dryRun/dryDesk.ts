import { clipEnd } from '../../../base/truncate';
import type { AgentWork, CommandEnd, CommandWork, GraphDesk, LlmWork, ScriptWork, WorkReport } from '../desk';
import type { AnswerCheck } from '../format/answerCheck';
import type { Graph, GraphNode, JsonObject, JsonValue } from '../graph';
import { isJsonObject } from '../state/statePath';
import { textOfValue } from '../state/template';
import type { DryAnswers } from './dryAnswers';

/** What a run would do for a node. */
export interface DryNote {
  readonly node: string;
  /** Description for people. */
  readonly words: string;
  /** Maximum number of requests to models. */
  readonly requests?: number;
}

export interface DryDeskParts {
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
export function dryDesk(parts: DryDeskParts): GraphDesk {
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

function think({ node, model, tools, maxTurns, outputSchema }: LlmWork, parts: DryDeskParts): WorkReport {
  const own = parts.graph.nodes.get(node);
  const attempts = own?.type === 'llm' ? own.maxAttempts : 1;
  const turns = tools.length > 0 ? maxTurns : 1;
  const requests = attempts * (turns + (outputSchema ? REPAIRS : 0));
  const withTools = tools.length > 0 ? ` with ${tools.join(', ')}` : '';
  const name = model ?? parts.model ?? 'the model of the session';
  parts.note({ node, requests, words: `ask ${name}${withTools}, ${requests} requests at most` });
  return reportOf(node, parts, outputSchema ?? undefined);
}

function delegate({ node, agent }: AgentWork, parts: DryDeskParts): WorkReport {
  parts.note({ node, words: `start the agent ${agent}` });
  const own = parts.graph.nodes.get(node);
  return reportOf(node, parts, own?.type === 'agent' ? own.outputSchema : undefined);
}

function reportOf(node: string, { answers }: DryDeskParts, schema: JsonValue | undefined): WorkReport {
  const given = answers.next(node) ?? (schema === undefined ? `(answer of ${node})` : shapeOf(schema));
  return {
    text: schema !== undefined && typeof given !== 'string' ? JSON.stringify(given) : textOfValue(given),
  };
}

function runScript({ node, script }: ScriptWork, { graph, answers, waysOf, note }: DryDeskParts): string {
  note({ node, words: `run the script ${script}` });
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

function runCommand({ node, command }: CommandWork, { answers, note }: DryDeskParts): CommandEnd {
  note({ node, words: `run the command ${clipEnd(command.replace(/\s+/g, ' '), 200)}` });
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
