import type { ResponseCreateParamsStreaming, ResponseInput } from 'openai/resources/responses/responses';
import { errorText } from '../../../../base/errorText';
import type { Effort } from '../../model';
import type { LlmClient, LlmRequest } from '../../llmClient';
import { openaiSdk } from '../openaiSdk';
import { refuseWebPage } from '../sdkError';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { type OpenStream, sdkClient } from '../streamReply';
import { responseInput } from './responseInput';
import { ResponseReplyReader } from './responseReplyReader';

/**
 * Returns a client for one model over the Responses API, using the official SDK, which is loaded on the first request. Nothing is
 * stored at the vendor: reasoning comes back encrypted and is sent again with the conversation.
 */
export function openaiResponses(target: SdkTarget): LlmClient {
  return sdkClient(target, () => new ResponseReplyReader(), openStream);
}

async function openStream(
  target: SdkTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<OpenStream<unknown>> {
  const { responses } = await openaiSdk({ baseUrl: target.baseUrl, apiKey, fetch: target.fetch });
  const send = async (summary: boolean) => {
    const { data, response } = await responses
      .create(responseParams(target, request, summary), { signal, ...openingLimit(target) })
      .withResponse();
    refuseWebPage(response);
    return { chunks: data, response };
  };
  try {
    return await send(true);
  } catch (error) {
    // Only verified organizations get reasoning summaries; everything else works without.
    if (!target.model.abilities.thinking || !/reasoning[. _]summar/i.test(errorText(error))) throw error;
    return send(false);
  }
}

/** Not sent as `instructions`, which newer models do not cache. */
function leading(system: string): ResponseInput {
  return system.trim() === '' ? [] : [{ role: 'developer', content: system }];
}

function reasoningOf(summary: boolean, effort: Effort | undefined): Pick<ResponseCreateParamsStreaming, 'reasoning'> {
  if (!summary && effort === undefined) return {};
  return { reasoning: { ...(summary && { summary: 'auto' as const }), ...(effort !== undefined && { effort }) } };
}

/** Options that only programs use; agents do not set them. */
function wishes({ toolChoice, outputSchema }: LlmRequest): Partial<ResponseCreateParamsStreaming> {
  const format = outputSchema && {
    type: 'json_schema' as const,
    name: 'answer',
    schema: { ...outputSchema },
    strict: false,
  };
  return {
    ...(toolChoice !== undefined && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function' as const, name: toolChoice.tool },
    }),
    ...(format && { text: { format } }),
  };
}

function responseParams({ model }: SdkTarget, request: LlmRequest, summary: boolean): ResponseCreateParamsStreaming {
  return {
    model: model.id.slice(model.id.indexOf(':') + 1),
    input: [...leading(request.system), ...responseInput(request.messages, model.id)],
    stream: true,
    store: false,
    ...samplingParams(request),
    ...(request.cacheKey !== undefined && { prompt_cache_key: request.cacheKey }),
    ...(model.abilities.thinking && { include: ['reasoning.encrypted_content' as const] }),
    ...reasoningOf(model.abilities.thinking && summary, request.effort),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool, strict: false })),
    }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    ...wishes(request),
  };
}
