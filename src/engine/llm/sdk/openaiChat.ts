import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { LlmClient } from '../llmClient';
import type { LlmRequest } from '../llmRequest';
import { ChatReplyReader } from './chatReplyReader';
import { openaiMessages } from './openaiMessages';
import { refuseWebPage } from './refuseWebPage';
import { sdkFetch } from './sdkFetch';
import type { SdkTarget } from './sdkTarget';
import { streamReply } from './streamReply';

export interface OpenaiChatTarget extends SdkTarget {
  /** What the host calls the limit of an answer; OpenAI's newer models take only the longer name, others the shorter. */
  limitField: 'max_completion_tokens' | 'max_tokens';
}

/** Asks one model over Chat Completions with the official SDK, which is loaded with the first request. */
export function openaiChat(target: OpenaiChatTarget): LlmClient {
  return {
    stream(request, signal) {
      const source = {
        reader: new ChatReplyReader(),
        open: (key: string, requestSignal: AbortSignal) => openStream(target, request, key, requestSignal),
      };
      return streamReply(target, source, signal);
    },
  };
}

async function openStream(
  target: OpenaiChatTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    apiKey,
    // Never shared with another host, whatever the environment says.
    adminAPIKey: null,
    baseURL: target.baseUrl,
    maxRetries: 2,
    fetch: sdkFetch,
    logLevel: 'off',
  });
  const { data, response } = await client.chat.completions
    .create(chatParams(target, request), { signal })
    .withResponse();
  refuseWebPage(response);
  return data;
}

function chatParams(target: OpenaiChatTarget, request: LlmRequest): ChatCompletionCreateParamsStreaming {
  const { id } = target.model;
  return {
    model: id.slice(id.indexOf(':') + 1),
    messages: openaiMessages(request.system, request.messages),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
    }),
    ...(request.maxOutputTokens !== undefined && { [target.limitField]: request.maxOutputTokens }),
  };
}
