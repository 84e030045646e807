import * as z from '../../../../base/zod';
import { isRecord } from '../../../../base/isRecord';
import { newId } from '../../../../base/newId';
import type { FinishReason, Usage } from '../../../messages/message';
import type { LlmEvent } from '../../llmClient';
import { type ReplyReader, reportedUsage, toolCallEvent } from '../replyReader';
import { UnexpectedResponse } from '../sdkError';

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

/** Reads the stream of a message. */
export class MessageReplyReader implements ReplyReader<unknown> {
  private readonly blocks = new Map<number, OpenBlock>();
  private reason: Finish | undefined;
  private counts: Record<string, number> = {};

  *read(value: unknown): Generator<LlmEvent> {
    const parsed = messageEventSchema.safeParse(value);
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
    return [...(usage ? [{ type: 'usage', usage } satisfies LlmEvent] : []), { type: 'finished', reason: this.reason }];
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
