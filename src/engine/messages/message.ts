import * as z from '../../base/zod';
import { newId } from '../../base/newId';
import { type Attachment, userPartSchema } from './attachment';
import { toolCallSchema } from './toolCall';
import { toolResultSchema } from './toolResult';

export const usageSchema = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Of the input: read from the vendor's cache, which is cheaper. */
  cachedInputTokens: z.exactOptional(z.int()),
  /** Of the input: written to the cache, which some vendors charge more for. */
  cacheWriteTokens: z.exactOptional(z.int()),
});
/** Tokens as the vendor reported them; what is cached counts as input too. */
export type Usage = z.infer<typeof usageSchema>;

/** What counts against a limit of tokens. */
export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/** Why the model stopped: it was done, wants tools, hit its output limit, refused, or was cut off by us or the net. */
export const finishReasonSchema = z.enum(['stop', 'tool-calls', 'length', 'refusal', 'cut-off']);
export type FinishReason = z.infer<typeof finishReasonSchema>;

/** One step of a conversation, as it is kept on disk and sent to a model. Made when a session is read. */
export const messageSchema = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.object({
      role: z.literal('user'),
      id: z.string(),
      time: z.number(),
      /** What goes with it comes first, then what was typed. */
      parts: z.array(userPartSchema),
      /** True when it was sent while a run was under way. */
      steering: z.boolean(),
      /** Said by Cairn itself, to go on with open to-dos; the person does not see it. */
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
          /** `signature` is the vendor's proof that the thinking is its own; sent back as it came. */
          z.object({ type: z.literal('thinking'), text: z.string(), signature: z.optional(z.string()) }),
          /** Thinking that the vendor encrypted; opaque, sent back as it came. */
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

/** What a person says. */
export interface UserInput {
  /** Of the message that it becomes; a new one without it. */
  id?: string;
  text: string;
  attachments?: readonly Attachment[];
}

/** What comes from programs may be anything, whatever its type says. */
export const inputSchema = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ id: z.optional(z.string()), text: z.string(), attachments: z.optional(z.array(userPartSchema)) }),
  ]),
);

const sentInputSchema = z.lazy(() =>
  z.object({ id: z.string(), text: z.string(), attachments: z.array(userPartSchema) }),
);

/** What a host has kept because it could not be sent yet; undefined of anything else. */
export function parseSentInput(kept: unknown): z.infer<typeof sentInputSchema> | undefined {
  return sentInputSchema.safeParse(kept).data;
}

/** What a person said; `steering` when a run was under way. */
export function userMessage(input: string | UserInput, time: number, steering: boolean): UserMessage {
  const { id = newId('message'), text, attachments = [] } = typeof input === 'string' ? { text: input } : input;
  const typed = text === '' && attachments.length > 0 ? [] : [{ type: 'text' as const, text }];
  return { role: 'user', id, time, parts: [...attachments, ...typed], steering };
}

/** What was typed or answered, without what went with it. */
export function textOf(message: UserMessage | AssistantMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' && !('attachment' in part) ? [part.text] : [])).join('');
}

/** What went with a message besides its words. */
export function attachmentsOf({ parts }: UserMessage): Attachment[] {
  return parts.filter((part) => part.type === 'image' || part.attachment !== undefined);
}

export function toolCallsOf(message: AssistantMessage) {
  return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}
