import type { AgentDefinition, AgentVariable } from '../agents/agentDefinition';
import type { QuestionAnswer, UserPrompter } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolCall';
import { askOutsideCalls } from '../team/askOutsideCalls';

export interface KnownVariables {
  values: Map<string, string>;
  /** The variables for which there is no value. */
  missing: AgentVariable[];
}

/** Returns the values of an agent's variables, each from the first of `sources` that has one, or else the default. */
export function knownVariables(
  { variables }: Pick<AgentDefinition, 'variables'>,
  sources: readonly ReadonlyMap<string, string>[],
): KnownVariables {
  const known: KnownVariables = { values: new Map(), missing: [] };
  for (const variable of variables) {
    const { name } = variable;
    const value = sources.find((source) => source.has(name))?.get(name) ?? variable.default;
    if (value === undefined) known.missing.push(variable);
    else known.values.set(name, value);
  }
  return known;
}

/**
 * Returns the values in the agent's own `.env`: under the variable's name, the name in capitals, or the name that Coyote passes
 * to tools.
 */
export function variablesFromEnvironment(
  { variables }: Pick<AgentDefinition, 'variables'>,
  environment: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = variables.flatMap(({ name }): [string, string][] => {
    const capitals = name.toUpperCase().replaceAll('-', '_');
    const key = [name, capitals, `LLM_AGENT_VAR_${capitals}`].find((one) => environment.has(one));
    const value = key === undefined ? undefined : environment.get(key);
    return value === undefined ? [] : [[name, value]];
  });
  return new Map(found);
}

interface AskingParts {
  prompter: UserPrompter;
  emitter: ScopedEmitter;
  sessionId: string;
  signal: AbortSignal;
}

/** Asks the user for one variable after another. The result lists as missing those that no one answered or that were left empty. */
export async function askForVariables(
  agent: AgentDefinition,
  known: KnownVariables,
  { prompter, emitter, sessionId, signal }: AskingParts,
): Promise<KnownVariables> {
  const asked: KnownVariables = { values: new Map(known.values), missing: [] };
  for (const variable of known.missing) {
    const question = `${variable.description} (${variable.name})`;
    const asking = { sessionId, agent: agent.name, question, kind: 'input' as const };
    const ask = prompter.ask.bind(prompter);
    const answer = await askOutsideCalls({ ...asking, ask, result: resultOf }, emitter, signal);
    const value = valueOf(answer);
    if (value === '') asked.missing.push(variable);
    else asked.values.set(variable.name, value);
  }
  return asked;
}

function valueOf(answer: QuestionAnswer): string {
  return answer.kind === 'answered' ? answer.texts.join(' ').trim() : '';
}

function resultOf(answer: QuestionAnswer): Pick<ToolResult, 'status' | 'text'> {
  const value = valueOf(answer);
  if (value === '') return { status: 'error', text: 'No value was given.' };
  return { status: 'ok', text: `The user answered: ${value}` };
}

/** Returns why an agent cannot start, naming every variable without a value. */
export function missingText({ name }: AgentDefinition, missing: readonly AgentVariable[]): string {
  const list = missing.map((variable) => `${variable.name} (${variable.description.replace(/\.$/, '')})`).join(', ');
  const [is, them] = missing.length === 1 ? ['a value is', 'it'] : ['values are', 'them'];
  return `The agent “${name}” cannot start, because ${is} missing: ${list}. Answer when it asks, or give ${them} with --variable NAME=VALUE.`;
}
