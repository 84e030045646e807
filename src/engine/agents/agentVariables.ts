import { newId } from '../../base/newId';
import type { Question } from '../events/question';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolResult';
import { questionTitle } from '../tools/people/answerOutput';
import type { UserPrompter } from '../tools/userPrompter';
import type { AgentDefinition, AgentVariable } from './agentDefinition';

export interface KnownVariables {
  values: Map<string, string>;
  /** Of these nobody said anything. */
  missing: AgentVariable[];
}

/** The values of an agent's variables, from the first of `sources` that has one, else the default. */
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

/** What the agent's own `.env` says: by the variable's name, in capitals, or as Coyote hands it to tools. */
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

const TOOL = 'user__input';

export interface AskingParts {
  prompter: UserPrompter;
  emitter: ScopedEmitter;
  sessionId: string;
  signal: AbortSignal;
}

/** Asks the person for one after the other. Gives what is missing still, because nobody answered or with nothing. */
export async function askForVariables(
  agent: AgentDefinition,
  known: KnownVariables,
  { prompter, emitter, sessionId, signal }: AskingParts,
): Promise<KnownVariables> {
  const asked: KnownVariables = { values: new Map(known.values), missing: [] };
  for (const variable of known.missing) {
    const question: Question = {
      ...{ id: newId('question'), sessionId, callId: newId('variable'), agent: agent.name },
      ...{ question: `${variable.description} (${variable.name})`, kind: 'input', options: [] },
    };
    const { callId } = question;
    // Questions are shown where the call stands that asks them, so this one looks like a call of the tool for it.
    emitter.emit({
      type: 'tool-prepared',
      callId,
      tool: TOOL,
      category: 'user',
      title: questionTitle(question.question),
    });
    emitter.emit({ type: 'state-changed', state: 'waiting-for-answer' });
    emitter.emit({ type: 'question-asked', question });
    const answer = await prompter.ask(question, signal);
    emitter.emit({ type: 'question-answered', questionId: question.id, answer });
    const value = answer.kind === 'answered' ? answer.texts.join(' ').trim() : '';
    if (value === '') asked.missing.push(variable);
    else asked.values.set(variable.name, value);
    emitter.emit({ type: 'tool-finished', result: resultOf(callId, value) });
  }
  return asked;
}

function resultOf(callId: string, value: string): ToolResult {
  const text = value === '' ? 'Nobody gave a value.' : `The person answered: ${value}`;
  const status = value === '' ? 'error' : 'ok';
  return { callId, name: TOOL, status, text, detail: { kind: 'text', text }, durationMs: 0 };
}

/** Why an agent cannot begin, with every variable that it lacks. */
export function missingText({ name }: AgentDefinition, missing: readonly AgentVariable[]): string {
  const list = missing.map((variable) => `${variable.name} (${variable.description.replace(/\.$/, '')})`).join(', ');
  const [is, them] = missing.length === 1 ? ['a value is', 'it'] : ['values are', 'them'];
  return `The agent “${name}” cannot begin, because ${is} missing: ${list}. Answer when it asks, or give ${them} with --variable NAME=VALUE.`;
}
