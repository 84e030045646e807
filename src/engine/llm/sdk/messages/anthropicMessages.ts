import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Messages,
  ToolChoice as VendorChoice,
} from '@anthropic-ai/sdk/resources/messages';
import { errorText } from '../../../../base/errorText';
import type { Message } from '../../../messages/message';
import type { Effort } from '../../model';
import type { LlmClient, LlmRequest, ToolChoice } from '../../llmClient';
import { KeptClients } from '../keptClients';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { refuseWebPage, sdkError } from '../sdkError';
import { type OpenStream, sdkClient } from '../streamReply';
import { anthropicConversation } from './anthropicConversation';
import { MessageReplyReader } from './messageReplyReader';

const MARK = { cache_control: { type: 'ephemeral' as const } };
/** Two, so that the previous last turn is still found in the cache. */
const MARKED_TURNS = 2;
/** The API requires a limit. All current models can write at least this much. */
const DEFAULT_MAX_TOKENS = 32_000;

let kept: KeptClients<Messages> | undefined;

/** Returns a client for one model over the Messages API, using the official SDK, which is loaded on the first request. */
export function anthropicMessages(target: SdkTarget): LlmClient {
  return sdkClient(target, () => new MessageReplyReader(), openStream);
}

async function openStream(
  target: SdkTarget,
  request: LlmRequest,
  apiKey: string,
  signal: AbortSignal,
): Promise<OpenStream<unknown>> {
  const { anthropicSdk } = await import('./anthropicSdk');
  kept ??= new KeptClients(({ baseUrl, apiKey: key, fetch }) =>
    anthropicSdk({ apiKey: key, baseURL: baseUrl, maxRetries: 2, fetch, logLevel: 'off' }),
  );
  const messages = kept.of({ baseUrl: target.baseUrl, apiKey, fetch: target.fetch });
  const send = async (withThinking: boolean) => {
    const params = messageParams(target, request, withThinking);
    const sent = target.model.abilities.caching ? anthropicCacheMarks(params) : params;
    const { data, response } = await messages.create(sent, { signal, ...openingLimit(target) }).withResponse();
    refuseWebPage(response);
    return { chunks: data, response };
  };
  try {
    return await send(true);
  } catch (error) {
    // Thinking is bound to its conversation and account, so a branch or a new key invalidates it.
    if (!holdsThinking(request.messages) || !refusesThinking(error)) throw error;
    return send(false);
  }
}

function holdsThinking(messages: readonly Message[]): boolean {
  return messages.some(
    (one) =>
      one.role === 'assistant' && one.parts.some(({ type }) => type === 'thinking' || type === 'redacted-thinking'),
  );
}

function refusesThinking(error: unknown): boolean {
  return sdkError(error).status === 400 && /thinking/i.test(errorText(error));
}

/** The lowest effort here is called `low`. */
function ownEffort(effort: Effort): Exclude<Effort, 'none' | 'minimal'> {
  return effort === 'none' || effort === 'minimal' ? 'low' : effort;
}

function toolChoiceOf(choice: ToolChoice): VendorChoice {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function outputConfig({ effort, outputSchema }: LlmRequest): Pick<MessageCreateParamsStreaming, 'output_config'> {
  if (effort === undefined && !outputSchema) return {};
  return {
    output_config: {
      ...(effort !== undefined && { effort: ownEffort(effort) }),
      ...(outputSchema && { format: { type: 'json_schema', schema: { ...outputSchema } } }),
    },
  };
}

/** The API does not allow thinking when a tool call is required. */
function mayThink({ abilities }: SdkTarget['model'], { toolChoice = 'auto' }: LlmRequest): boolean {
  return abilities.thinking && (toolChoice === 'auto' || toolChoice === 'none');
}

function messageParams({ model }: SdkTarget, request: LlmRequest, withThinking: boolean): MessageCreateParamsStreaming {
  return {
    model: model.id.slice(model.id.indexOf(':') + 1),
    max_tokens: request.maxOutputTokens ?? model.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    messages: anthropicConversation(request.messages, withThinking ? model.id : null),
    stream: true,
    ...samplingParams(request),
    ...outputConfig(request),
    // Without this, newer models write nothing between calls; they put it into thinking that is withheld.
    ...(mayThink(model, request) && { thinking: { type: 'adaptive' as const, display: 'summarized' as const } }),
    ...(request.toolChoice !== undefined && { tool_choice: toolChoiceOf(request.toolChoice) }),
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

/**
 * Marks the four points that the API allows to be cached: after the tools, after the system prompt, and after the last two user
 * turns. Does not modify `params`.
 */
function anthropicCacheMarks(params: MessageCreateParamsStreaming): MessageCreateParamsStreaming {
  const { system, tools, messages } = params;
  const userTurns = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const marked = new Set(userTurns.slice(-MARKED_TURNS));
  return {
    ...params,
    messages: messages.map((message, index) => (marked.has(index) ? markedTurn(message) : message)),
    ...(typeof system === 'string' && { system: [{ type: 'text' as const, text: system, ...MARK }] }),
    ...(tools && { tools: tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, ...MARK } : tool)) }),
  };
}

function markedTurn(message: MessageParam): MessageParam {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const { content } = message;
  const last = content.length - 1;
  return { role: 'user', content: content.map((block, index) => (index === last ? markedBlock(block) : block)) };
}

function markedBlock(block: ContentBlockParam): ContentBlockParam {
  return block.type === 'text' || block.type === 'tool_result' || block.type === 'image'
    ? { ...block, ...MARK }
    : block;
}
