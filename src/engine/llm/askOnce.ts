import { throwIfAborted } from '../../base/abort';
import { EngineError } from '../engineError';
import { type Message, textOf, userMessage } from '../messages/message';
import { type CollectedReply, collectReply } from './collectReply';
import type { LlmNotice } from './llmClient';
import type { Effort } from './model';
import type { ResolvedModel } from './providerRegistry';

export interface OneQuestion {
  system: string;
  text: string;
  /** Wraps the question, for example in examples or a prompt template. */
  dress?: (messages: readonly Message[]) => readonly Message[];
  temperature?: number;
  topP?: number;
  effort?: Effort;
  /** Asks for JSON that matches this schema, where the vendor supports it. */
  outputSchema?: Readonly<Record<string, unknown>>;
  /** Called with each piece of the answer as it streams in. */
  onText?: (piece: string) => void;
  /** Called with what the user should know about the request, such as that it is sent again after a wait. */
  onNotice?: (notice: LlmNotice) => void;
  /** Rejects an answer that was cut at the output limit or ended in a refusal. */
  whole?: true;
}

/**
 * Asks one question and returns the model's answer as text. `onReply` receives the collected reply, even when it is not usable as
 * an answer. Rejects with AbortError, or with an EngineError that says why there is no answer.
 */
export async function askOnce(
  { model, client }: Pick<ResolvedModel, 'model' | 'client'>,
  { system, text, dress = (asIs) => asIs, onText, onNotice, whole, ...sampling }: OneQuestion,
  signal: AbortSignal,
  onReply: (reply: CollectedReply) => void = () => undefined,
): Promise<string> {
  const request = { system, messages: dress([userMessage(text, 0, false)]), tools: [], ...sampling };
  const header = { agent: '', model: model.id, time: 0 };
  const reply = await collectReply(client.stream(request, signal), header, (event) => {
    if (event.type === 'text-delta') onText?.(event.text);
    if (event.type === 'notice') onNotice?.(event);
  });
  onReply(reply);
  const { message, failure } = reply;
  throwIfAborted(signal);
  if (failure) throw new EngineError('io', failure.message);
  if (whole && (message.finish === 'length' || message.finish === 'refusal'))
    throw cutShort(model.label, message.finish);
  const answer = textOf(message).trim();
  if (answer === '') throw new EngineError('io', `${model.label} did not answer. Try again, or choose another model.`);
  return answer;
}

function cutShort(label: string, finish: 'length' | 'refusal'): EngineError {
  return finish === 'length'
    ? new EngineError('io', `${label} reached its output limit before the end of the answer. Ask for less at once.`)
    : new EngineError('io', `${label} refused to answer. Rephrase it, or choose another model.`);
}
