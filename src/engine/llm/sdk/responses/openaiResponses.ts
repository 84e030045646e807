import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { errorText } from '../../../../base/errorText';
import type { LlmClient } from '../../llmClient';
import type { LlmRequest } from '../../llmRequest';
import { openaiSdk } from '../openaiSdk';
import { refuseWebPage } from '../refuseWebPage';
import type { SdkTarget } from '../sdkTarget';
import { sdkClient } from '../streamReply';
import { responseInput } from './responseInput';
import { ResponseReplyReader } from './responseReplyReader';
import { samplingParams } from '../samplingParams';

/**
 * Asks one model over the Responses API with the official SDK, which is loaded with the first request. The vendor keeps
 * nothing: reasoning comes back encrypted and is sent again with the conversation.
 */
export function openaiResponses(target: SdkTarget): LlmClient {
  return sdkClient(target, () => new ResponseReplyReader(), openStream);
}

async function openStream(
  target: SdkTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const { responses } = await openaiSdk({ baseUrl: target.baseUrl, apiKey });
  const send = async (summary: boolean) => {
    const { data, response } = await responses
      .create(responseParams(target, request, summary), { signal })
      .withResponse();
    refuseWebPage(response);
    return data;
  };
  try {
    return await send(true);
  } catch (error) {
    // Summaries of reasoning are given to verified organizations only; everything else works without.
    if (!target.model.abilities.thinking || !/reasoning[. _]summar/i.test(errorText(error))) throw error;
    return send(false);
  }
}

function responseParams({ model }: SdkTarget, request: LlmRequest, summary: boolean): ResponseCreateParamsStreaming {
  return {
    model: model.id.slice(model.id.indexOf(':') + 1),
    input: responseInput(request.messages, model.id),
    stream: true,
    store: false,
    ...samplingParams(request),
    ...(request.system.trim() !== '' && { instructions: request.system }),
    ...(model.abilities.thinking && { include: ['reasoning.encrypted_content' as const] }),
    ...(model.abilities.thinking && summary && { reasoning: { summary: 'auto' as const } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool, strict: false })),
    }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
  };
}
