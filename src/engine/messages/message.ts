import { newId } from '../../base/newId';
import * as z from '../../base/zod';
import { type Attachment, userPartSchema } from './attachment';
import { toolCallSchema, toolResultSchema } from './toolCall';

export const usageSchema = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** The part of the input read from the vendor's cache, which is cheaper. */
  cachedInputTokens: z.exactOptional(z.int()),
  /** The part of the input written to the cache, for which some vendors charge more. */
  cacheWriteTokens: z.exactOptional(z.int()),
});
/** Token counts as reported by the vendor; cached tokens count as input too. */
export type Usage = z.infer<typeof usageSchema>;

/** Returns the tokens that count against a limit. */
export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/** Why the model stopped: done, wants tools, output limit reached, refused, or cut off by Cairn or the network. */
const finishReasonSchema = z.enum(['stop', 'tool-calls', 'length', 'refusal', 'cut-off']);
export type FinishReason = z.infer<typeof finishReasonSchema>;

/** A message of a conversation, as stored on disk and sent to a model. Built on first use. */
export const messageSchema = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.object({
      role: z.literal('user'),
      id: z.string(),
      time: z.number(),
      /** Attachments first, then the typed text. */
      parts: z.array(userPartSchema),
      /** True if it was sent while a run was in progress. */
      steering: z.boolean(),
      /** Written by Cairn itself, for example to continue with open to-dos; hidden from the user. */
      automatic: z.exactOptional(z.literal(true)),
    }),
    z.object({
      role: z.literal('assistant'),
      id: z.string(),
      time: z.number(),
      agent: z.string(),
      /** `provider:model`. */
      model: z.string(),
      parts: z.array(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('text'), text: z.string() }),
          /** `signature` is the vendor's proof that it produced the thinking; sent back unchanged. */
          z.object({ type: z.literal('thinking'), text: z.string(), signature: z.optional(z.string()) }),
          /** Thinking encrypted by the vendor; opaque, sent back unchanged. */
          z.object({ type: z.literal('redacted-thinking'), data: z.string() }),
          z.object({ type: z.literal('tool-call'), call: toolCallSchema }),
        ]),
      ),
      finish: finishReasonSchema,
      usage: z.optional(usageSchema),
    }),
    z.object({ role: z.literal('tool'), id: z.string(), time: z.number(), results: z.array(toolResultSchema) }),
  ]),
);
export type Message = z.infer<typeof messageSchema>;
export type UserMessage = Extract<Message, { role: 'user' }>;
export type AssistantMessage = Extract<Message, { role: 'assistant' }>;
export type ToolMessage = Extract<Message, { role: 'tool' }>;
export type AssistantPart = AssistantMessage['parts'][number];

/** Input from the user. */
export interface UserInput {
  /** Id of the resulting message; absent: a new id. */
  id?: string;
  text: string;
  attachments?: readonly Attachment[];
}

/** Validates input from programs, which may not match its declared type. */
export const inputSchema = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ id: z.optional(z.string()), text: z.string(), attachments: z.optional(z.array(userPartSchema)) }),
  ]),
);

const sentInputSchema = z.lazy(() =>
  z.object({ id: z.string(), text: z.string(), attachments: z.array(userPartSchema) }),
);

/** Parses input that a host stored because it could not be sent yet; undefined for anything else. */
export function parseSentInput(kept: unknown): z.infer<typeof sentInputSchema> | undefined {
  return sentInputSchema.safeParse(kept).data;
}

/** Creates a user message; `steering` if a run was in progress. */
export function userMessage(input: string | UserInput, time: number, steering: boolean): UserMessage {
  const { id = newId('message'), text, attachments = [] } = typeof input === 'string' ? { text: input } : input;
  const typed = text === '' && attachments.length > 0 ? [] : [{ type: 'text' as const, text }];
  return { role: 'user', id, time, parts: [...attachments, ...typed], steering };
}

/** Returns the text of a message without its attachments. */
export function textOf(message: UserMessage | AssistantMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' && !('attachment' in part) ? [part.text] : [])).join('');
}

/** Returns the attachments of a message. */
export function attachmentsOf({ parts }: UserMessage): Attachment[] {
  return parts.filter((part) => part.type === 'image' || part.attachment !== undefined);
}

export function toolCallsOf(message: AssistantMessage) {
  return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

/** Returns a schema for messages from outside. Messages in `known` were validated when they were read, so only new ones are checked. */
export function messagesBeside(known: readonly Message[]) {
  const before = new Set<unknown>(known);
  const isKnown = (value: unknown): value is Message => before.has(value);
  return z.array(z.union([z.custom<Message>(isKnown), messageSchema]));
}
