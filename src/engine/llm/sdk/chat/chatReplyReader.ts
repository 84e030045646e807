import { isJsonText } from '../../../../base/isJsonText';
import { newId } from '../../../../base/newId';
import * as z from '../../../../base/zod';
import type { FinishReason, Usage } from '../../../messages/message';
import type { ToolCall } from '../../../messages/toolCall';
import type { LlmEvent } from '../../llmClient';
import { UnexpectedResponse, VendorError } from '../sdkError';
import { type ReplyReader, reportedUsage, type ToolCallEvent, toolCallEvent } from '../streamReply';
import { tidyChunk } from './tidyChunk';

const text = z.nullish(z.string());
const count = z.nullish(z.int());
/** A chunk of a Chat Completions stream as any host may send it: only the fields that are read, few of them required. */
const chatChunkSchema = z.object({
  choices: z.nullish(
    z.array(
      z.object({
        delta: z.nullish(
          z.object({
            content: text,
            refusal: text,
            /** DeepSeek, Moonshot, Z.ai, llama.cpp. */
            reasoning_content: text,
            /** OpenRouter, vLLM, Groq, Ollama. */
            reasoning: text,
            tool_calls: z.nullish(
              z.array(
                z.object({
                  index: z.nullish(z.number()),
                  id: text,
                  function: z.nullish(z.object({ name: text, arguments: text })),
                  /** Gemini. */
                  extra_content: z.nullish(z.object({ google: z.nullish(z.object({ thought_signature: text })) })),
                }),
              ),
            ),
          }),
        ),
        finish_reason: text,
      }),
    ),
  ),
  usage: z.nullish(
    z.object({
      prompt_tokens: count,
      prompt_tokens_details: z.nullish(z.object({ cached_tokens: count, cache_write_tokens: count })),
      /** DeepSeek. */
      prompt_cache_hit_tokens: count,
      completion_tokens: count,
    }),
  ),
});

type ChatChunk = z.infer<typeof chatChunkSchema>;

type Finish = Exclude<FinishReason, 'cut-off'>;
type Delta = NonNullable<NonNullable<ChatChunk['choices']>[number]['delta']>;

const FINISH_REASONS: ReadonlyMap<string, Finish> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['sensitive', 'refusal'], // Z.ai
  ['safety', 'refusal'], // Gemini, and the two below
  ['prohibited_content', 'refusal'],
  ['blocklist', 'refusal'],
]);

/** Reasons of some hosts for an answer that they could not finish. */
const FAILURES: ReadonlySet<string> = new Set([
  'error', // OpenRouter
  'abort', // vLLM, SGLang
  'insufficient_system_resource', // DeepSeek
  'network_error', // Z.ai
  'malformed_function_call', // Gemini
]);

/** A reason that is not known ends an answer like any other. */
function finishOf(said: string): Finish {
  const reason = said.toLowerCase();
  if (FAILURES.has(reason)) throw new VendorError({ message: `The answer ended with “${reason}”.`, code: reason });
  return FINISH_REASONS.get(reason) ?? 'stop';
}

/** Reads the stream of a chat completion. */
export class ChatReplyReader implements ReplyReader<unknown> {
  private readonly calls = new ToolCallAssembler();
  private thinking = false;
  private refused = false;
  private reason: Finish | undefined;
  private tokens: Usage | undefined;

  *read(value: unknown): Generator<LlmEvent> {
    const usual = chatChunkSchema.safeParse(value);
    const parsed = usual.success ? usual : chatChunkSchema.safeParse(tidyChunk(value));
    if (!parsed.success) throw new UnexpectedResponse('data that is not a chat completion');
    const { choices, usage } = parsed.data;
    if (usage) {
      const { prompt_tokens: input, prompt_tokens_details: details, completion_tokens: output } = usage;
      const cached = details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
      this.tokens = reportedUsage({ input, output, cached, written: details?.cache_write_tokens });
    }
    const choice = choices?.[0];
    if (choice?.delta) yield* this.readDelta(choice.delta);
    if (choice?.finish_reason) this.reason = finishOf(choice.finish_reason);
  }

  finish(): LlmEvent[] | undefined {
    if (!this.reason) return undefined;
    const calls = this.calls.ended();
    return [
      ...this.endThinking(),
      ...calls,
      ...(this.tokens ? [{ type: 'usage', usage: this.tokens } satisfies LlmEvent] : []),
      { type: 'finished', reason: this.finishReason(this.reason, calls.length > 0) },
    ];
  }

  usage(): Usage | undefined {
    return this.tokens;
  }

  private *readDelta(delta: Delta): Generator<LlmEvent> {
    const thought = delta.reasoning_content || delta.reasoning;
    if (thought) {
      this.thinking = true;
      yield { type: 'thinking-delta', text: thought };
    }
    if (delta.refusal) this.refused = true;
    const said = delta.content || delta.refusal;
    if (said) {
      yield* this.endThinking();
      yield { type: 'text-delta', text: said };
    }
    for (const { index, id, function: fragment, extra_content: extra } of delta.tool_calls ?? []) {
      yield* this.endThinking();
      const signature = extra?.google?.thought_signature;
      yield* this.calls.add({ index, id, name: fragment?.name, arguments: fragment?.arguments, signature });
    }
  }

  private endThinking(): LlmEvent[] {
    if (!this.thinking) return [];
    this.thinking = false;
    return [{ type: 'thinking-finished' }];
  }

  /** Some hosts report `stop` even when they call tools, and OpenAI reports it after a refusal. */
  private finishReason(reason: Finish, hasCalls: boolean): Finish {
    if (reason !== 'stop') return reason;
    if (hasCalls) return 'tool-calls';
    return this.refused ? 'refusal' : 'stop';
  }
}

/** A piece of a call as Chat Completions streams it. Hosts may omit any field. */
export interface ToolCallFragment {
  index?: number | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments?: string | null | undefined;
  signature?: string | null | undefined;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
  /** The ID the host sent; undefined if it sent none. */
  hostId: string | undefined;
  announced: boolean;
}

/** Without IDs, a name with arguments begins another call once those before are complete. */
function isAnother({ name, arguments: text }: ToolCallFragment, before: OpenCall): boolean {
  return Boolean(name) && Boolean(text) && isJsonText(before.arguments);
}

/** Assembles tool calls from fragments: possibly several at once, with or without IDs and indexes. */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];

  /** Adds a fragment. Emits `tool-call-started` as soon as the call's name is known. */
  *add(fragment: ToolCallFragment): Generator<LlmEvent> {
    const call = this.callOf(fragment);
    // Hosts that repeat the name in every fragment send it in full each time.
    if (fragment.name && !call.name) call.name = fragment.name;
    call.arguments += fragment.arguments ?? '';
    if (fragment.signature) call.signature = fragment.signature;
    if (call.name && !call.announced) {
      call.announced = true;
      yield { type: 'tool-call-started', id: call.id, name: call.name };
    }
  }

  /** Returns the finished calls in the order they began. Arguments are the raw text, or `{}` if there was none. */
  finish(): ToolCall[] {
    return this.ended().map(({ call }) => call);
  }

  /** Returns the finished calls as events, which also tell where arguments were missing. */
  ended(): ToolCallEvent[] {
    return this.calls
      .filter(({ announced }) => announced)
      .map(({ id, name, arguments: text, signature }) => {
        const call = { id, name, arguments: text, ...(signature !== undefined && { signature }) };
        return toolCallEvent(call);
      });
  }

  private callOf(fragment: ToolCallFragment): OpenCall {
    const id = fragment.id === '' ? undefined : (fragment.id ?? undefined);
    const index = fragment.index ?? undefined;
    const known = this.find(id, index);
    if (known && (id !== undefined || !isAnother(fragment, known))) return known;
    // Two calls with the same ID in one answer could not be told apart when their results are sent back.
    const taken = id === undefined || this.calls.some((call) => call.id === id);
    const call: OpenCall = {
      index,
      hostId: id,
      id: taken ? newId('call') : id,
      name: '',
      arguments: '',
      announced: false,
    };
    this.calls.push(call);
    return call;
  }

  private find(id: string | undefined, index: number | undefined): OpenCall | undefined {
    const sameIndex = this.calls.findLast((call) => call.index === index);
    if (index !== undefined) {
      // Some hosts give every call index 0 and distinguish them only by ID.
      return id !== undefined && sameIndex?.hostId !== id ? undefined : sameIndex;
    }
    return id === undefined ? this.calls.at(-1) : this.calls.find((call) => call.hostId === id);
  }
}
