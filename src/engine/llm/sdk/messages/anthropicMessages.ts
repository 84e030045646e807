import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Messages,
  TextBlockParam,
  ToolChoice as VendorChoice,
} from '@anthropic-ai/sdk/resources/messages';
import { isRecord } from '../../../../base/isRecord';
import { memoizeByObject } from '../../../../base/memoizeByObject';
import { newId } from '../../../../base/newId';
import * as z from '../../../../base/zod';
import type { Image } from '../../../messages/attachment';
import type { AssistantMessage, FinishReason, Message, Usage, UserMessage } from '../../../messages/message';
import { type ToolResult, wireName } from '../../../messages/toolCall';
import type { LlmClient, LlmEvent, LlmRequest, ToolChoice } from '../../llmClient';
import type { Effort } from '../../model';
import { KeptClients } from '../keptClients';
import { countsIn, withCounts } from '../oddForms';
import { isOwn, withoutRefusedThinking } from '../ownThinking';
import { refuseWebPage, UnexpectedResponse } from '../sdkError';
import { openingLimit, samplingParams, type SdkTarget } from '../sdkTarget';
import { callInput } from '../sentParts';
import { type OpenStream, type ReplyReader, reportedUsage, sdkClient, toolCallEvent } from '../streamReply';

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
    anthropicSdk({ apiKey: key, baseURL: baseUrl, maxRetries: 0, fetch, logLevel: 'off' }),
  );
  const messages = kept.of({ baseUrl: target.baseUrl, apiKey, fetch: target.fetch });
  const send = async () => {
    const params = messageParams(target, request);
    const sent = target.model.abilities.caching ? anthropicCacheMarks(params) : params;
    const { data, response } = await messages.create(sent, { signal, ...openingLimit(target) }).withResponse();
    refuseWebPage(response);
    return { chunks: data, response };
  };
  const own = { model: target.model.id, refusal: /thinking|prefix/i };
  return withoutRefusedThinking(request.messages, own, send);
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

function messageParams({ model }: SdkTarget, request: LlmRequest): MessageCreateParamsStreaming {
  return {
    model: model.id.slice(model.id.indexOf(':') + 1),
    max_tokens: request.maxOutputTokens ?? model.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    messages: anthropicConversation(request.messages, model.id, model.abilities.thinking),
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

const text = z.nullish(z.string());
const count = z.nullish(z.int());
/** Anthropic counts cached input separately, and may repeat the counts at the end of an answer. */
const usage = z.nullish(
  z.lazy(() =>
    z.object({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    }),
  ),
);

/** An event of a Messages stream, with only the fields that are read. Block types that Cairn never requests are ignored. */
const messageEventSchema = z.lazy(() =>
  z.object({
    type: z.string(),
    index: z.nullish(z.number()),
    message: z.nullish(z.object({ usage })),
    content_block: z.nullish(
      z.object({
        type: z.string(),
        id: text,
        name: text,
        input: z.optional(z.unknown()),
        text,
        thinking: text,
        signature: text,
        data: text,
      }),
    ),
    delta: z.nullish(
      z.object({ type: text, text, thinking: text, signature: text, partial_json: text, stop_reason: text }),
    ),
    usage,
  }),
);

type MessageEvent = z.infer<typeof messageEventSchema>;

type Finish = Exclude<FinishReason, 'cut-off'>;
type Block = NonNullable<MessageEvent['content_block']>;
type Delta = NonNullable<MessageEvent['delta']>;
type OpenBlock =
  | { type: 'thinking'; signature: string }
  | { type: 'tool_use'; id: string; name: string; arguments: string; input: unknown };

const FINISH_REASONS: ReadonlyMap<string, Finish> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

/** Returns an event with usage that is no count, as some hosts send it, without that. */
function tidyEvent(value: unknown): unknown {
  const event = withCounts(value, 'message');
  return isRecord(event) ? { ...event, usage: countsIn(event['usage']) } : event;
}

/** Reads the stream of a message. */
class MessageReplyReader implements ReplyReader<unknown> {
  private readonly blocks = new Map<number, OpenBlock>();
  private reason: Finish | undefined;
  private counts: Record<string, number> = {};

  *read(value: unknown): Generator<LlmEvent> {
    const usual = messageEventSchema.safeParse(value);
    const parsed = usual.success ? usual : messageEventSchema.safeParse(tidyEvent(value));
    if (!parsed.success) throw new UnexpectedResponse('data that is not a message stream');
    const event = parsed.data;
    const index = event.index ?? 0;
    this.count(event.message?.usage ?? event.usage);
    if (event.type === 'content_block_start' && event.content_block) yield* this.start(index, event.content_block);
    if (event.type === 'content_block_delta' && event.delta) yield* this.readDelta(index, event.delta);
    if (event.type === 'content_block_stop') yield* this.stop(index);
    const reason = event.type === 'message_delta' ? event.delta?.stop_reason : undefined;
    if (reason) this.reason = FINISH_REASONS.get(reason) ?? 'stop';
  }

  finish(): LlmEvent[] | undefined {
    if (!this.reason) return undefined;
    const usage = this.usage();
    // Some hosts do not close the last block.
    const open = [...this.blocks.keys()].flatMap((index) => [...this.stop(index)]);
    return [
      ...open,
      ...(usage ? [{ type: 'usage', usage } satisfies LlmEvent] : []),
      { type: 'finished', reason: this.reason },
    ];
  }

  usage(): Usage | undefined {
    const { input_tokens: input, output_tokens: output } = this.counts;
    if (input === undefined && output === undefined) return undefined;
    const { cache_creation_input_tokens: written = 0, cache_read_input_tokens: read = 0 } = this.counts;
    return reportedUsage({ input: (input ?? 0) + written + read, output, cached: read, written });
  }

  private *start(index: number, block: Block): Generator<LlmEvent> {
    if (block.type === 'text' && block.text) yield { type: 'text-delta', text: block.text };
    if (block.type === 'thinking') {
      this.blocks.set(index, { type: 'thinking', signature: block.signature ?? '' });
      if (block.thinking) yield { type: 'thinking-delta', text: block.thinking };
    }
    if (block.type === 'redacted_thinking' && block.data) yield { type: 'redacted-thinking', data: block.data };
    if (block.type === 'tool_use') {
      const id = block.id || newId('call');
      const name = block.name ?? '';
      this.blocks.set(index, { type: 'tool_use', id, name, arguments: '', input: block.input });
      yield { type: 'tool-call-started', id, name };
    }
  }

  private *readDelta(index: number, delta: Delta): Generator<LlmEvent> {
    const block = this.blocks.get(index);
    if (delta.text) yield { type: 'text-delta', text: delta.text };
    if (delta.thinking) yield { type: 'thinking-delta', text: delta.thinking };
    if (delta.signature && block?.type === 'thinking') block.signature += delta.signature;
    if (delta.partial_json && block?.type === 'tool_use') block.arguments += delta.partial_json;
  }

  private *stop(index: number): Generator<LlmEvent> {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    if (block?.type === 'thinking') {
      yield { type: 'thinking-finished', ...(block.signature !== '' && { signature: block.signature }) };
    }
    if (block?.type === 'tool_use') {
      const text = block.arguments.trim() === '' ? wholeInput(block.input) : block.arguments;
      yield toolCallEvent({ id: block.id, name: block.name, arguments: text });
    }
  }

  /** Later counts replace earlier ones: the API repeats totals rather than sending increments. */
  private count(usage: MessageEvent['usage']): void {
    for (const [name, value] of Object.entries(usage ?? {})) {
      if (typeof value === 'number') this.counts[name] = value;
    }
  }
}

/** Returns input that came with the start of a block rather than in pieces. Normally every block starts with `{}`. */
function wholeInput(input: unknown): string {
  if (!isRecord(input) || Object.keys(input).length === 0) return '';
  try {
    return JSON.stringify(input);
  } catch {
    throw new UnexpectedResponse('a call that is nested too deeply');
  }
}

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/** Between two answers in a row, as the program of an agent may ask for them, and after one. */
const CONTINUE: Turn = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] };

/**
 * Converts a conversation to the form the Messages API requires: turns alternate, tool results belong to the user and come first,
 * and no text is blank. Thinking is sent back unchanged, but only to the model (`provider:model`) that signed it, and not once it
 * was refused. `thinks`: the model refuses to continue an answer, so that none comes last:
 * https://platform.claude.com/docs/ja/models/haiku-5-5/migration-guide, seen 2026-11-28.
 */
export function anthropicConversation(
  messages: readonly Message[],
  model: string,
  thinks = false,
): (MessageParam & Turn)[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const { role, content } = isOwn(message, model) ? ownTurn(message) : foreignTurn(message);
    if (content.length === 0) continue;
    // Also between answers, as it was when the second was given.
    if (thinks && role === 'assistant' && turns.at(-1)?.role === role) turns.push(CONTINUE);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return thinks && turns.at(-1)?.role === 'assistant' ? [...turns, CONTINUE] : turns;
}

const ownTurn = memoizeByObject((message: AssistantMessage): Turn => {
  return { role: 'assistant', content: assistantContent(message, true) };
});
const foreignTurn = memoizeByObject((message: Message): Turn => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message) };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, false) };
    case 'tool':
      return { role: 'user', content: message.results.map(resultBlock) };
  }
});

function userContent({ parts }: UserMessage): ContentBlockParam[] {
  if (parts.every(({ type }) => type === 'text')) {
    return textBlock(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
  }
  return parts.flatMap((part): ContentBlockParam[] =>
    part.type === 'image' ? [imageBlock(part.image)] : textBlock(part.text),
  );
}

function assistantContent(message: AssistantMessage, own: boolean): ContentBlockParam[] {
  const content = message.parts.flatMap((part): ContentBlockParam[] => {
    switch (part.type) {
      case 'text':
        return textBlock(part.text);
      case 'thinking':
        if (part.signature === undefined || !own) return [];
        return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
      case 'redacted-thinking':
        return own ? [{ type: 'redacted_thinking', data: part.data }] : [];
      case 'tool-call': {
        const { call } = part;
        const name = wireName(call.name).slice(0, 128);
        return [{ type: 'tool_use', id: wireName(call.id), name, input: callInput(call) }];
      }
    }
  });
  // The API rejects a turn with only thinking, as a cut-off answer can leave behind.
  const says = content.some(({ type }) => type === 'text' || type === 'tool_use');
  return says ? content : [];
}

function resultBlock({ callId, status, text, images = [] }: ToolResult): ContentBlockParam {
  const said = text.trim() === '' ? '(no output)' : text;
  return {
    type: 'tool_result',
    tool_use_id: wireName(callId),
    content: images.length === 0 ? said : [{ type: 'text', text: said }, ...images.map(imageBlock)],
    ...(status !== 'ok' && { is_error: true }),
  };
}

function imageBlock({ mediaType, data }: Image): ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function textBlock(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}
