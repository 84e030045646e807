import { assertNever } from '../../base/errors';
import { isJsonText } from '../../base/isJsonText';
import { newId } from '../../base/newId';
import type { AssistantMessage, AssistantPart, Usage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { LlmEvent, LlmFailure } from './llmClient';

/** Identifies the agent and model behind an answer. */
interface ReplyHeader {
  agent: string;
  /** `provider:model`. */
  model: string;
  /** Milliseconds since the epoch. */
  time: number;
}

export interface CollectedReply {
  message: AssistantMessage;
  /** Why the answer is incomplete; `message` then contains what had arrived, with finish `cut-off`. */
  failure?: LlmFailure;
  /** Usage of the earlier tries that broke off. */
  lost: readonly (Usage | null)[];
}

/**
 * Folds a stream into a message and passes each event on as it arrives. After a failure the text so far is kept, but tool calls
 * are dropped, since any of them may be incomplete. Calls cut by the model's output limit are kept and marked as cut.
 */
export async function collectReply(
  events: AsyncIterable<LlmEvent>,
  header: ReplyHeader,
  onEvent: (event: LlmEvent) => void,
): Promise<CollectedReply> {
  const parts: AssistantPart[] = [];
  const message: AssistantMessage = { role: 'assistant', id: newId('msg'), ...header, parts, finish: 'cut-off' };
  let failure: LlmFailure | undefined;
  let lost: readonly (Usage | null)[] = [];
  const unsaid = new Set<ToolCall>();
  for await (const event of events) {
    if (event.type === 'tool-call' && event.unsaid) unsaid.add(event.call);
    if (event.type === 'usage') message.usage = event.usage;
    else if (event.type === 'finished') message.finish = event.reason;
    else if (event.type === 'failed') failure = event.failure;
    else if (event.type !== 'notice') addToParts(parts, event);
    if (event.type === 'finished' || event.type === 'failed') lost = event.lost ?? [];
    onEvent(event);
  }
  if (message.finish === 'length' || message.finish === 'refusal') {
    message.parts = parts.map((part) =>
      part.type === 'tool-call' ? { ...part, call: asCut(part.call, unsaid) } : part,
    );
  }
  if (message.finish === 'cut-off') {
    message.parts = parts.filter(({ type }) => type !== 'tool-call');
    failure ??= {
      reason: 'cut-stream',
      message: 'The answer was cut off. Continue the session, or send your message again.',
    };
  }
  return { message, lost, ...(failure && { failure }) };
}

/** In an answer that ended early, only calls with complete JSON arguments are what the model intended; others are marked `cut`. */
function asCut(call: ToolCall, unsaid: ReadonlySet<ToolCall>): ToolCall {
  return !unsaid.has(call) && isJsonText(call.arguments) ? call : { ...call, cut: true };
}

function addToParts(
  parts: AssistantPart[],
  event: Exclude<LlmEvent, { type: 'usage' | 'notice' | 'finished' | 'failed' }>,
): void {
  const last = parts.at(-1);
  switch (event.type) {
    case 'text-delta':
      if (last?.type === 'text') last.text += event.text;
      else parts.push({ type: 'text', text: event.text });
      return;
    case 'thinking-delta':
      if (isOpenThinking(last)) last.text += event.text;
      else parts.push({ type: 'thinking', text: event.text });
      return;
    case 'thinking-finished':
      if (event.signature === undefined) return;
      // A vendor may hide the thinking and send only the signature, which must still be sent back.
      if (isOpenThinking(last)) last.signature = event.signature;
      else parts.push({ type: 'thinking', text: '', signature: event.signature });
      return;
    case 'redacted-thinking':
      parts.push({ type: 'redacted-thinking', data: event.data });
      return;
    case 'tool-call':
      parts.push({ type: 'tool-call', call: event.call });
      return;
    case 'tool-call-started':
      return;
    default:
      assertNever(event);
  }
}

function isOpenThinking(part: AssistantPart | undefined): part is Extract<AssistantPart, { type: 'thinking' }> {
  return part?.type === 'thinking' && part.signature === undefined;
}
