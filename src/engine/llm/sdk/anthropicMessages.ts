import type { MessageCreateParamsStreaming, Messages } from '@anthropic-ai/sdk/resources/messages';
import type { LlmClient } from '../llmClient';
import type { LlmRequest } from '../llmRequest';
import { anthropicCacheMarks } from './anthropicCacheMarks';
import { anthropicConversation } from './anthropicConversation';
import { KeptClients } from './keptClients';
import { MessageReplyReader } from './messageReplyReader';
import { refuseWebPage } from './refuseWebPage';
import { sdkFetch } from './sdkFetch';
import type { SdkTarget } from './sdkTarget';
import { streamReply } from './streamReply';

/** This interface demands a limit; the current models all write at least this much. */
const DEFAULT_MAX_TOKENS = 32_000;

let kept: KeptClients<Messages> | undefined;

/** Asks one model over Messages with the official SDK, which is loaded with the first request. */
export function anthropicMessages(target: SdkTarget): LlmClient {
  return {
    stream(request, signal) {
      const source = {
        reader: new MessageReplyReader(),
        open: (key: string, requestSignal: AbortSignal) => openStream(target, request, key, requestSignal),
      };
      return streamReply(target, source, signal);
    },
  };
}

async function openStream(
  target: SdkTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const { anthropicSdk } = await import('./anthropicSdk');
  kept ??= new KeptClients(({ baseUrl, apiKey: key }) =>
    anthropicSdk({ apiKey: key, baseURL: baseUrl, maxRetries: 2, fetch: sdkFetch, logLevel: 'off' }),
  );
  const messages = kept.of({ baseUrl: target.baseUrl, apiKey });
  const params = messageParams(target, request);
  const sent = target.model.abilities.caching ? anthropicCacheMarks(params) : params;
  const { data, response } = await messages.create(sent, { signal }).withResponse();
  refuseWebPage(response);
  return data;
}

function messageParams({ model }: SdkTarget, request: LlmRequest): MessageCreateParamsStreaming {
  return {
    model: model.id.slice(model.id.indexOf(':') + 1),
    max_tokens: request.maxOutputTokens ?? model.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    messages: anthropicConversation(request.messages, model.id),
    stream: true,
    ...(request.system.trim() !== '' && { system: request.system }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' as const },
      })),
    }),
  };
}
