import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import type { Stream } from 'openai/streaming';
import { joinBytes } from '../../../../base/concatAll';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import type { Image } from '../../../messages/attachment';
import { type AssistantMessage, type Message, textOf, toolCallsOf, type UserMessage } from '../../../messages/message';
import { type ToolResult, wireName } from '../../../messages/toolCall';
import type { LlmClient, LlmRequest, ToolSpec } from '../../llmClient';
import { openaiSdk } from '../keptClients';
import { refuseWebPage } from '../sdkError';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { callInput, imageUrl, resultText } from '../sentParts';
import { type OpenStream, sdkClient } from '../streamReply';
import type { ChatQuirks } from './chatQuirks';
import { ChatReplyReader } from './chatReplyReader';

interface OpenaiChatTarget extends SdkTarget {
  quirks: ChatQuirks;
}

/** Returns a client for one model over Chat Completions, using the official SDK, which is loaded on the first request. */
export function openaiChat(target: OpenaiChatTarget): LlmClient {
  return sdkClient(target, () => new ChatReplyReader(), openStream);
}

async function openStream(
  target: OpenaiChatTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<OpenStream<unknown>> {
  const sdk = await openaiSdk({ baseUrl: target.baseUrl, apiKey, fetch: target.fetch });
  const { data, response } = await sdk
    .post<Stream<unknown>>('/chat/completions', {
      body: chatBody(chatParams(target, request)),
      headers: { 'content-type': 'application/json' },
      stream: true,
      signal,
      ...openingLimit(target),
    })
    .withResponse();
  refuseWebPage(response);
  return { chunks: data, response };
}

/** Options that only programs use; agents do not set them. */
function wishes({ toolChoice, outputSchema }: LlmRequest): Pick<ChatBody, 'tool_choice' | 'response_format'> {
  const json_schema = outputSchema && { name: 'answer', schema: { ...outputSchema } };
  return {
    ...(toolChoice !== undefined && {
      tool_choice:
        typeof toolChoice === 'string'
          ? toolChoice
          : { type: 'function' as const, function: { name: toolChoice.tool } },
    }),
    ...(json_schema && { response_format: { type: 'json_schema' as const, json_schema } }),
  };
}

function chatParams(target: OpenaiChatTarget, request: LlmRequest): ChatBody {
  const { quirks, model } = target;
  const { id } = model;
  return {
    model: id.slice(id.indexOf(':') + 1),
    messages: openaiMessages(request.system, request.messages, id, quirks),
    stream: true,
    ...samplingParams(request),
    ...(request.effort !== undefined && { reasoning_effort: request.effort }),
    ...(quirks.asksForUsage && { stream_options: { include_usage: true } }),
    tools: request.tools,
    ...(request.maxOutputTokens !== undefined && { [quirks.limitField]: request.maxOutputTokens }),
    ...wishes(request),
  };
}

interface ChatBody extends Omit<ChatCompletionCreateParamsStreaming, 'tools'> {
  tools: readonly ToolSpec[];
}

const encoder = new TextEncoder();

/** Builds a request body. Most of it was also in the previous one, so each tool and message is serialized once per object. */
export function chatBody({ messages, tools, ...rest }: ChatBody): Uint8Array {
  // One list: a conversation has many messages, and each copy of their list is garbage of every request.
  const pieces = [encoder.encode(`${JSON.stringify(rest).slice(0, -1)},"messages":[`)];
  addItems(pieces, messages, messageBytes);
  pieces.push(LIST_END);
  if (tools.length > 0) pieces.push(offered(tools));
  pieces.push(OBJECT_END);
  return joinBytes(pieces);
}

const OFFERED = encoder.encode(',"tools":[');
const LIST_END = encoder.encode(']');
const OBJECT_END = encoder.encode('}');

/** Adds the items, each of which begins with a comma, dropping that of the first. */
function addItems<T>(pieces: Uint8Array[], items: readonly T[], bytesOf: (item: T) => Uint8Array): void {
  items.forEach((item, at) => pieces.push(at === 0 ? bytesOf(item).subarray(1) : bytesOf(item)));
}

const messageBytes = memoizeByObject((message: object) => encoder.encode(`,${JSON.stringify(message)}`));

/** Serializes the `tools` member of a request. */
const offered = memoizeByObject((tools: readonly ToolSpec[]) => {
  const pieces = [OFFERED];
  addItems(pieces, tools, toolBytes);
  pieces.push(LIST_END);
  return joinBytes(pieces);
});

const toolBytes = memoizeByObject((tool: ToolSpec) =>
  encoder.encode(`,${JSON.stringify({ type: 'function', function: tool })}`),
);

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
