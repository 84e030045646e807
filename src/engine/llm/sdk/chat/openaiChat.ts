import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Stream } from 'openai/streaming';
import { joinBytes } from '../../../../base/concatAll';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import type { LlmClient, LlmRequest, ToolSpec } from '../../llmClient';
import { openaiSdk } from '../openaiSdk';
import { refuseWebPage } from '../sdkError';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { type OpenStream, sdkClient } from '../streamReply';
import type { ChatQuirks } from './chatQuirks';
import { ChatReplyReader } from './chatReplyReader';
import { openaiMessages } from './openaiMessages';

export interface OpenaiChatTarget extends SdkTarget {
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
  const head = encoder.encode(`${JSON.stringify(rest).slice(0, -1)},"messages":[`);
  const said = list(messages.map(messageBytes));
  return joinBytes([head, ...said, LIST_END, ...(tools.length === 0 ? [] : [offered(tools)]), OBJECT_END]);
}

const OFFERED = encoder.encode(',"tools":[');
const LIST_END = encoder.encode(']');
const OBJECT_END = encoder.encode('}');

/** Concatenates the items, dropping the comma before the first. */
const list = ([first, ...more]: readonly Uint8Array[]): Uint8Array[] => (first ? [first.subarray(1), ...more] : []);

const messageBytes = memoizeByObject((message: object) => encoder.encode(`,${JSON.stringify(message)}`));

/** Serializes the `tools` member of a request. */
const offered = memoizeByObject((tools: readonly ToolSpec[]) =>
  joinBytes([OFFERED, ...list(tools.map(toolBytes)), LIST_END]),
);

const toolBytes = memoizeByObject((tool: ToolSpec) =>
  encoder.encode(`,${JSON.stringify({ type: 'function', function: tool })}`),
);
