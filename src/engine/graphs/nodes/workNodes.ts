import { firstCodeBlock } from '../../../base/firstCodeBlock';
import { clipEnd } from '../../../base/truncate';
import { DEEPEST, nesting } from '../../messages/nesting';
import { schemaMistakes } from '../../tools/schemaMistakes';
import type { GraphDesk, Used, WorkReport } from '../desk';
import {
  type AgentNode,
  type Graph,
  type GraphBudget,
  type JsonObject,
  type JsonValue,
  type LlmNode,
  parseJson,
} from '../graph';
import type { GraphState, Write } from '../graphState';
import { isJsonObject } from '../template';
import type { Account } from './accounts';
import { strictText, updatesOf, withUpdates, type WorkedNode, type WorkPlace } from './nodeRoom';

const ANSWER_AS_JSON =
  'Answer with one JSON value that fits this JSON Schema, without a code block and without words around it:\n';

/** Errors that another attempt may resolve, in the words of providers and in Cairn's own (`sdkFailure.ts`). */
const TRANSIENT =
  /timed out|rate[- ]limit|429|Connection reset|Connection refused|ECONNRESET|ECONNREFUSED|no answer|did not (?:start to )?answer|was cut off|sent nothing for/i;

export async function runLlm(node: LlmNode, place: WorkPlace): Promise<WorkedNode> {
  const { graph, state, desk, session, signal, account } = place;
  if (node.maxAttempts < 1) throw new Error('“max_attempts” is 0, so it may not ask a model.');
  if (node.maxIterations < 1) throw new Error('“max_iterations” is 0, so it may not ask a model.');
  const { prompt, instructions } = promptOf(node, state, graph);
  const work = {
    node: node.id,
    session,
    prompt,
    instructions,
    tools: node.tools,
    maxTurns: node.maxIterations,
    ...settingsOf(node, graph),
    ...(node.outputSchema && { outputSchema: node.outputSchema }),
    skills: node.skills,
    spend: (used: Used, goesOn?: boolean) => account.spend(used, goesOn),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const budget = account.left(node.budget);
      return await finished(node, await desk.think({ ...work, ...(budget && { budget }) }, signal), place, work.model);
    } catch (error) {
      const isTransient = error instanceof Error && TRANSIENT.test(error.message);
      if (signal.aborted || !isTransient || attempt >= node.maxAttempts) throw error;
    }
  }
}

export async function runAgent(node: AgentNode, place: WorkPlace): Promise<WorkedNode> {
  const { graph, state, desk, session, signal, account } = place;
  const prompt = strictText(node.prompt, state, graph);
  const budget = account.left(node.budget);
  const spend = (used: Used, goesOn?: boolean) => account.spend(used, goesOn);
  const work = { node: node.id, session, agent: node.agent, prompt, spend, ...(budget && { budget }) };
  return finished(node, await desk.delegate(work, signal), place, graph.model);
}

/** Puts the schema where the original does, for models whose provider has no mode for structured output. */
function promptOf({ prompt, instructions, outputSchema }: LlmNode, state: GraphState, graph: Graph) {
  const [asked, system] = [strictText(prompt, state, graph), strictText(instructions ?? '', state, graph)];
  if (!outputSchema) return { prompt: asked, instructions: system };
  const hint = `${ANSWER_AS_JSON}${JSON.stringify(outputSchema)}`;
  return system === ''
    ? { prompt: `${asked}\n\n${hint}`, instructions: '' }
    : { prompt: asked, instructions: `${system}\n\n${hint}` };
}

/** The graph's settings apply to nodes without their own (D-7). */
function settingsOf(node: LlmNode, graph: Graph) {
  const [model, temperature, topP, effort] = [
    node.model ?? graph.model,
    node.temperature ?? graph.temperature,
    node.topP ?? graph.topP,
    node.effort ?? graph.effort,
  ];
  return {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(effort !== undefined && { effort }),
  };
}

async function finished(
  node: LlmNode | AgentNode,
  report: WorkReport,
  { graph, state, desk, signal, account }: WorkPlace,
  model: string | undefined,
): Promise<WorkedNode> {
  const { outputSchema: schema } = node;
  const asked = { node: node.id, budget: node.budget, account, ...(model !== undefined && { model }) };
  const read = schema && (await structured(report.text, { ...asked, schema }, desk, signal));
  const output = read ? read.value : report.text;
  const writes = withUpdates(
    schema && read ? keysOf(read.value, schema) : [],
    updatesOf(node, state, { output }, graph),
  );
  return { writes, targets: node.next, output, ...sessionOf(report) };
}

/** Parts of a schema that allow keys besides those in its `properties`, or name more of them. */
const ALLOWS_MORE = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if'];

/** Returns the keys of an answer that its schema names: a model must not overwrite what other nodes rely on, such as a command. */
function keysOf(value: JsonValue, schema: JsonObject): Write[] {
  if (!isJsonObject(value)) return [];
  const { properties } = schema;
  const isKnown = isJsonObject(properties) && !ALLOWS_MORE.some((part) => (schema[part] ?? false) !== false);
  const keys = Object.entries(value).map(([key, one]) => ({ key, value: one }));
  return isKnown ? keys.filter(({ key }) => Object.hasOwn(properties, key)) : keys;
}

function sessionOf({ sessionId }: WorkReport): Pick<WorkedNode, 'sessionId'> {
  return sessionId === undefined ? {} : { sessionId };
}

/** How often a model is asked again for a valid answer. */
const REPAIRS = 2;
/** Maximum number of mistakes reported to the model at once. */
const MOST_MISTAKES = 8;

const SYSTEM =
  'You turn a text into one JSON value that fits a JSON Schema. Answer with the JSON alone, without a code block and without words around it. Keep to the types, give every required key, and take what you write from the text: what it does not say is null where the schema allows that.';

interface Asked {
  readonly node: string;
  readonly model?: string;
  readonly schema: JsonObject;
  /** The node's account; further requests are only made within its budget. */
  readonly account: Account;
  readonly budget: GraphBudget | undefined;
}

/**
 * Converts a text to a value that matches the schema: parsed from the text, or requested from the model together with the
 * remaining mistakes. Rejects if it still does not match.
 */
async function structured(
  text: string,
  { schema, account, budget, ...asked }: Asked,
  desk: Pick<GraphDesk, 'askModel'>,
  signal: AbortSignal,
): Promise<{ value: JsonValue }> {
  let read = readFitting(text, schema);
  for (let repair = 0; typeof read === 'string' && repair < REPAIRS; repair++) {
    const said = `The schema:\n${JSON.stringify(schema)}\n\nThe text:\n${text}\n\nWhat does not fit yet: ${read}`;
    account.left(budget);
    await account.keep();
    const spend = (used: Used) => account.spend(used);
    const question = { ...asked, system: SYSTEM, text: said, outputSchema: schema, spend };
    read = readFitting((await desk.askModel(question, signal)).text, schema);
  }
  if (typeof read !== 'string') return read;
  throw new Error(`The answer does not fit the output_schema: ${read} It began: ${clipEnd(text.trim(), 200)}`);
}

/** Returns the value, or its mistakes as sentences. */
function readFitting(text: string, schema: JsonObject): { value: JsonValue } | string {
  const value = jsonIn(text);
  if (value === undefined) return 'It is not JSON.';
  const mistakes = schemaMistakes(value, schema);
  return mistakes.length === 0 ? { value } : mistakes.slice(0, MOST_MISTAKES).join(' ');
}

function jsonIn(text: string): JsonValue | undefined {
  for (const one of [text, firstCodeBlock(text)]) {
    if (nesting(one).deepest > DEEPEST) continue;
    const value = parseJson(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
