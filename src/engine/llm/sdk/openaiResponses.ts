import type {
  ResponseCreateParamsStreaming,
  ResponseInput,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { errorText } from '../../../base/errors';
import { isRecord } from '../../../base/isRecord';
import { memoizeByObject } from '../../../base/memoizeByObject';
import { newId } from '../../../base/newId';
import * as z from '../../../base/zod';
import type { Image } from '../../messages/attachment';
import type { AssistantMessage, FinishReason, Message, Usage, UserMessage } from '../../messages/message';
import { type ToolResult, wireName } from '../../messages/toolCall';
import type { LlmClient, LlmEvent, LlmRequest } from '../llmClient';
import type { Effort } from '../model';
import { openaiSdk } from './keptClients';
import { argumentsText, withCounts } from './oddForms';
import { isOwn, withoutRefusedThinking } from './ownThinking';
import { refuseWebPage, UnexpectedResponse, VendorError } from './sdkError';
import { openingLimit, samplingParams, type SdkTarget } from './sdkTarget';
import { callInput, imageUrl, resultText } from './sentParts';
import { type OpenStream, type ReplyReader, reportedUsage, sdkClient, toolCallEvent } from './streamReply';

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
  let summary = target.model.abilities.thinking;
  const send = async () => {
    const { data, response } = await responses
      .create(responseParams(target, request, summary), { signal, ...openingLimit(target) })
      .withResponse();
    refuseWebPage(response);
    return { chunks: data, response };
  };
  const sendAsAllowed = async () => {
    try {
      return await send();
    } catch (error) {
      // Only verified organizations get reasoning summaries; everything else works without.
      if (!summary || !/reasoning[. _]summar/i.test(errorText(error))) throw error;
      summary = false;
      return send();
    }
  };
  const own = { model: target.model.id, refusal: /encrypted[ _]content/i };
  return withoutRefusedThinking(request.messages, own, sendAsAllowed);
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
    ...reasoningOf(summary, request.effort),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool, strict: false })),
    }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    ...wishes(request),
  };
}

const text = z.nullish(z.string());
const count = z.nullish(z.int());

const itemFields = {
  type: z.string(),
  id: text,
  call_id: text,
  name: text,
  arguments: text,
  encrypted_content: text,
};
const item = z.lazy(() => z.object(itemFields));
type ResponseItem = z.infer<typeof item>;
/** The whole answer, which the last event repeats. */
const outputSchema = z.lazy(() =>
  z.array(z.object({ ...itemFields, content: z.nullish(z.array(z.object({ type: z.string(), text }))) })),
);

/** An event of a Responses stream, with only the fields that are read. Item types that Cairn never requests are ignored. */
const responseEventSchema = z.lazy(() =>
  z.object({
    type: z.string(),
    delta: text,
    summary_index: z.nullish(z.number()),
    item: z.nullish(item),
    /** In events of type `error`. */
    message: text,
    code: text,
    response: z.nullish(
      z.object({
        error: z.nullish(z.object({ message: text, code: text })),
        output: z.optional(z.unknown()),
        incomplete_details: z.nullish(z.object({ reason: text })),
        usage: z.nullish(
          z.object({
            input_tokens: count,
            input_tokens_details: z.nullish(z.object({ cached_tokens: count, cache_write_tokens: count })),
            output_tokens: count,
          }),
        ),
      }),
    ),
  }),
);
type ResponseEvent = z.infer<typeof responseEventSchema>;

const proofSchema = z.object({ id: z.string(), encrypted: z.string() });

/** Encodes encrypted reasoning as the signature of a thinking part; undefined if the vendor sent none. */
function reasoningSignature({ id, encrypted_content: encrypted }: ResponseItem): string | undefined {
  return id && encrypted ? JSON.stringify({ id, encrypted }) : undefined;
}

/** Decodes what `reasoningSignature` encoded; undefined for the signature of another API. */
function readReasoningSignature(signature: string): { id: string; encrypted: string } | undefined {
  try {
    return proofSchema.safeParse(JSON.parse(signature)).data;
  } catch {
    return undefined;
  }
}

/** Returns an event with arguments as an object, or usage that is no count, as some hosts send it, in the usual form. */
function tidyEvent(value: unknown): unknown {
  const event = withCounts(value, 'response');
  if (!isRecord(event) || !isRecord(event['item'])) return event;
  return { ...event, item: { ...event['item'], arguments: argumentsText(event['item']['arguments']) } };
}

/** Reads the stream of a response. */
class ResponseReplyReader implements ReplyReader<unknown> {
  private calls = 0;
  private said = false;
  private refused = false;
  private thinking = false;
  private reason: Exclude<FinishReason, 'cut-off'> | undefined;
  private tokens: Usage | undefined;

  *read(value: unknown): Generator<LlmEvent> {
    const usual = responseEventSchema.safeParse(value);
    const parsed = usual.success ? usual : responseEventSchema.safeParse(tidyEvent(value));
    if (!parsed.success) throw new UnexpectedResponse('data that is not a response');
    const event = parsed.data;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        if (event.type === 'response.refusal.delta') this.refused = true;
        if (event.delta) yield* this.say(event.delta);
        return;
      case 'response.reasoning_summary_part.added':
        // Paragraphs of a summary arrive as separate parts, with no separator.
        if (this.thinking) yield { type: 'thinking-delta', text: '\n\n' };
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.thinking = true;
        if (event.delta) yield { type: 'thinking-delta', text: event.delta };
        return;
      case 'response.output_item.added':
        yield* this.begin(event.item);
        return;
      case 'response.output_item.done':
        yield* this.end(event.item);
        return;
      default:
        if (event.type === 'response.completed') yield* this.unsaid(event.response?.output);
        this.readEnd(event);
    }
  }

  finish(): LlmEvent[] | undefined {
    if (!this.reason) return undefined;
    const usage: LlmEvent[] = this.tokens ? [{ type: 'usage', usage: this.tokens }] : [];
    return [...usage, { type: 'finished', reason: this.reason }];
  }

  usage(): Usage | undefined {
    return this.tokens;
  }

  private *say(piece: string): Generator<LlmEvent> {
    this.said = true;
    yield { type: 'text-delta', text: piece };
  }

  /** Reads an answer of which nothing was streamed: some hosts send all of it with the end. */
  private *unsaid(output: unknown): Generator<LlmEvent> {
    const parsed = this.said || this.calls > 0 ? undefined : outputSchema.safeParse(output).data;
    for (const one of parsed ?? []) {
      const words = one.type === 'message' ? (one.content ?? []).map((part) => part.text ?? '').join('') : '';
      if (words !== '') yield* this.say(words);
      if (one.type !== 'function_call') continue;
      yield* this.begin(one);
      yield* this.end(one);
    }
  }

  private *begin(item: ResponseItem | null | undefined): Generator<LlmEvent> {
    if (item?.type === 'reasoning') this.thinking = false;
    if (item?.type === 'function_call' && item.call_id) {
      yield { type: 'tool-call-started', id: item.call_id, name: item.name ?? '' };
    }
  }

  private *end(item: ResponseItem | null | undefined): Generator<LlmEvent> {
    if (item?.type === 'reasoning') {
      const signature = reasoningSignature(item);
      if (this.thinking || signature !== undefined) {
        yield { type: 'thinking-finished', ...(signature !== undefined && { signature }) };
      }
      this.thinking = false;
    }
    if (item?.type === 'function_call') {
      this.calls++;
      const { call_id: id, name, arguments: given } = item;
      yield toolCallEvent({ id: id || newId('call'), name: name ?? '', arguments: given ?? '' });
    }
  }

  private readEnd({ type, response, message, code }: ResponseEvent): void {
    if (type === 'error') throw vendorError({ message, code });
    const { usage } = response ?? {};
    if (usage) {
      this.tokens = reportedUsage({
        input: usage.input_tokens,
        output: usage.output_tokens,
        cached: usage.input_tokens_details?.cached_tokens,
        written: usage.input_tokens_details?.cache_write_tokens,
      });
    }
    if (type === 'response.failed') throw vendorError(response?.error ?? {});
    if (type === 'response.incomplete') {
      this.reason = response?.incomplete_details?.reason === 'content_filter' ? 'refusal' : 'length';
    }
    if (type === 'response.completed') {
      this.reason = this.calls > 0 ? 'tool-calls' : this.refused ? 'refusal' : 'stop';
    }
  }
}

function vendorError({ message, code }: { message?: string | null | undefined; code?: string | null | undefined }) {
  return new VendorError({ message: message ?? 'The response failed.', code: code ?? undefined });
}

/** Converts a conversation to Responses input. Reasoning is sent back unchanged, but only to the model that produced it. */
function responseInput(messages: readonly Message[], model: string): ResponseInput {
  return messages.flatMap((message) => (isOwn(message, model) ? ownItems(message) : foreignItems(message)));
}

const ownItems = memoizeByObject((message: AssistantMessage) => assistantItems(message, true));
const foreignItems = memoizeByObject((message: Message): ResponseInputItem[] => {
  switch (message.role) {
    case 'user':
      return userItems(message);
    case 'assistant':
      return assistantItems(message, false);
    case 'tool':
      return message.results.map(resultItem);
  }
});

function userItems({ parts }: UserMessage): ResponseInputItem[] {
  const content = parts.flatMap((part): ResponseInputContent[] => {
    if (part.type === 'image') return [imageContent(part.image)];
    return part.text.trim() === '' ? [] : [{ type: 'input_text', text: part.text }];
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function assistantItems({ parts }: AssistantMessage, own: boolean): ResponseInputItem[] {
  const items = parts.flatMap((part): ResponseInputItem[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ role: 'assistant', content: part.text }];
      case 'thinking': {
        const proof = own && part.signature !== undefined ? readReasoningSignature(part.signature) : undefined;
        return proof ? [reasoningItem(part.text, proof)] : [];
      }
      case 'redacted-thinking':
        return [];
      case 'tool-call': {
        const { call } = part;
        const name = wireName(call.name).slice(0, 64);
        const given = JSON.stringify(callInput(call));
        return [{ type: 'function_call', call_id: wireName(call.id), name, arguments: given }];
      }
    }
  });
  // The API rejects reasoning that nothing follows, as a cut-off answer can leave behind.
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

function reasoningItem(text: string, { id, encrypted }: { id: string; encrypted: string }): ResponseInputItem {
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }];
  return { type: 'reasoning', id, summary, encrypted_content: encrypted };
}

function resultItem(result: ToolResult): ResponseInputItem {
  const { callId, images = [] } = result;
  const text = resultText(result);
  const output = images.length === 0 ? text : [{ type: 'input_text' as const, text }, ...images.map(imageContent)];
  return { type: 'function_call_output', call_id: wireName(callId), output };
}

function imageContent(image: Image) {
  return { type: 'input_image' as const, detail: 'auto' as const, image_url: imageUrl(image) };
}
