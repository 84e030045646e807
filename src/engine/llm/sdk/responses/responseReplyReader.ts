import { newId } from '../../../../base/newId';
import * as z from '../../../../base/zod';
import type { FinishReason, Usage } from '../../../messages/message';
import type { LlmEvent } from '../../llmClient';
import { type ReplyReader, reportedUsage, toolCallEvent } from '../replyReader';
import { UnexpectedResponse, VendorError } from '../sdkError';

const text = z.nullish(z.string());
const count = z.nullish(z.int());

const item = z.lazy(() =>
  z.object({
    type: z.string(),
    id: text,
    call_id: text,
    name: text,
    arguments: text,
    encrypted_content: text,
  }),
);
type ResponseItem = z.infer<typeof item>;

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
export function readReasoningSignature(signature: string): { id: string; encrypted: string } | undefined {
  try {
    return proofSchema.safeParse(JSON.parse(signature)).data;
  } catch {
    return undefined;
  }
}

/** Reads the stream of a response. */
export class ResponseReplyReader implements ReplyReader<unknown> {
  private calls = 0;
  private refused = false;
  private thinking = false;
  private reason: Exclude<FinishReason, 'cut-off'> | undefined;
  private tokens: Usage | undefined;

  *read(value: unknown): Generator<LlmEvent> {
    const parsed = responseEventSchema.safeParse(value);
    if (!parsed.success) throw new UnexpectedResponse('data that is not a response');
    const event = parsed.data;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        if (event.type === 'response.refusal.delta') this.refused = true;
        if (event.delta) yield { type: 'text-delta', text: event.delta };
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
