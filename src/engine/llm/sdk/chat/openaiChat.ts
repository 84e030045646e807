import type { Stream } from 'openai/streaming';
import type { LlmClient } from '../../llmClient';
import type { LlmRequest } from '../../llmRequest';
import { type ChatBody, chatBody } from './chatBody';
import { ChatReplyReader } from './chatReplyReader';
import type { ChatQuirks } from './chatQuirks';
import { openaiMessages } from './openaiMessages';
import { openaiSdk } from '../openaiSdk';
import { refuseWebPage } from '../unexpectedResponse';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { type OpenStream, sdkClient } from '../streamReply';

export interface OpenaiChatTarget extends SdkTarget {
  quirks: ChatQuirks;
}

/** Asks one model over Chat Completions with the official SDK, which is loaded with the first request. */
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

/** What a program asks for beyond what agents do. */
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
