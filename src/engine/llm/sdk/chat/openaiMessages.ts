import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import type { Image } from '../../../messages/attachment';
import { type AssistantMessage, type Message, textOf, toolCallsOf, type UserMessage } from '../../../messages/message';
import type { ToolResult } from '../../../messages/toolResult';
import { wireName } from '../../../messages/toolCall';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import { callInput, imageUrl, resultText } from '../sentParts';
import type { ChatQuirks } from './chatQuirks';

type Call = ReturnType<typeof toolCallsOf>[number];

/**
 * Converts a conversation to Chat Completions messages. Unparseable arguments are sent wrapped in an object, because several
 * hosts parse arguments and fail. Images returned by tools follow their results as a user message, since results can contain only
 * text.
 */
export function openaiMessages(
  system: string,
  messages: readonly Message[],
  model: string,
  quirks: ChatQuirks,
): ChatCompletionMessageParam[] {
  const { own, foreign } = translators(quirks);
  const all: ChatCompletionMessageParam[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  messages.forEach((one) => {
    const sent = one.role === 'assistant' && one.model === model ? own(one) : foreign(one);
    sent.forEach((message) => all.push(message));
  });
  return quirks.answersResults ? all.flatMap(answered) : all;
}

const translators = memoizeByObject((quirks: ChatQuirks) => ({
  own: memoizeByObject((message: AssistantMessage) => assistantMessage(message, true, quirks)),
  foreign: memoizeByObject((message: Message): ChatCompletionMessageParam[] => {
    switch (message.role) {
      case 'user':
        return userMessage(message);
      case 'assistant':
        return assistantMessage(message, false, quirks);
      case 'tool':
        return resultMessages(message.results, quirks);
    }
  }),
}));

function userMessage(message: UserMessage): ChatCompletionMessageParam[] {
  const images = message.parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
  if (images.length === 0) {
    // Sent as one text, because some hosts accept nothing else.
    const content = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return content.trim() === '' ? [] : [{ role: 'user', content }];
  }
  const content = message.parts.flatMap((part): ChatCompletionContentPart[] => {
    if (part.type === 'image') return [imagePart(part.image)];
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  });
  return [{ role: 'user', content }];
}

function assistantMessage(
  message: AssistantMessage,
  own: boolean,
  quirks: ChatQuirks,
): ChatCompletionAssistantMessageParam[] {
  const content = textOf(message);
  const calls = toolCallsOf(message);
  if (calls.length === 0) return content.trim() === '' ? [] : [{ role: 'assistant', content }];
  const thoughts = message.parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('\n');
  return [
    {
      role: 'assistant',
      content: content.trim() === '' ? null : content,
      ...(own && quirks.thinkingField !== null && thoughts !== '' && { [quirks.thinkingField]: thoughts }),
      tool_calls: calls.map((call, index) => wireCall(call, quirks, index === 0)),
    },
  ];
}

function wireCall(call: Call, quirks: ChatQuirks, first: boolean): ChatCompletionMessageToolCall {
  // The value Gemini accepts as the signature of a call that another model made. For parallel calls it needs only one.
  const proof = call.signature ?? (first ? 'skip_thought_signature_validator' : undefined);
  return {
    id: wireId(call.id, quirks),
    type: 'function',
    function: { name: wireName(call.name).slice(0, 64), arguments: JSON.stringify(callInput(call)) },
    ...(quirks.signsCalls && proof !== undefined && { extra_content: { google: { thought_signature: proof } } }),
  };
}

function resultMessages(results: readonly ToolResult[], quirks: ChatQuirks): ChatCompletionMessageParam[] {
  const shown = results.flatMap(({ name, images = [] }): ChatCompletionContentPart[] =>
    images.length === 0 ? [] : [{ type: 'text', text: `[Shown by ${name}]` }, ...images.map(imagePart)],
  );
  return [
    ...results.map((result) => ({
      role: 'tool' as const,
      tool_call_id: wireId(result.callId, quirks),
      content: resultText(result),
    })),
    ...(shown.length > 0 ? [{ role: 'user' as const, content: shown }] : []),
  ];
}

function imagePart(image: Image): ChatCompletionContentPart {
  return { type: 'image_url', image_url: { url: imageUrl(image) } };
}

function wireId(id: string, { shortCallIds }: ChatQuirks): string {
  return shortCallIds ? shortCallId(id) : wireName(id);
}

function answered(
  message: ChatCompletionMessageParam,
  index: number,
  all: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  const afterResult = message.role === 'user' && all[index - 1]?.role === 'tool';
  return afterResult ? [{ role: 'assistant', content: 'I have the results.' }, message] : [message];
}

/** Returns the ID itself if it is nine letters and digits, and otherwise a nine-character hash of it, the same each time. */
function shortCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (const character of id) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  const digits = (value: number) => (value >>> 0).toString(36).padStart(7, '0');
  return `${digits(high).slice(-5)}${digits(low).slice(-4)}`;
}
