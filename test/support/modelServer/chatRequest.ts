import * as z from 'zod';
import { dataUrl } from './dataUrl';
import type { RequestMessage } from './modelRequest';
import { RefusedRequest } from './refusedRequest';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const textPart = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });
const content = z.union([z.string().min(1), z.array(textPart).min(1)]);
const imagePart = z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: dataUrl }) });
const shown = z.union([content, z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)]);
const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name, arguments: z.string() }),
  /** Used by Gemini. */
  extra_content: z.unknown().optional(),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content }),
  z.strictObject({ role: z.literal('user'), content: shown }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    /** Used by DeepSeek. */
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string().min(1) }),
]);
type ChatMessage = z.infer<typeof message>;

const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.literal(true, 'This server only streams'),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name,
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  temperature: z.number().optional(),
  top_p: z.number().min(0).max(1).optional(),
  reasoning_effort: z.string().optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name }) }),
    ])
    .optional(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({ name, schema: z.looseObject({}) }),
    })
    .optional(),
});

/** Parses a Chat Completions request. Throws RefusedRequest for what the vendor refuses. */
export function chatRequest(body: unknown) {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(z.prettifyError(parsed.error));
  const { model, messages, tools = [], stream_options: options } = parsed.data;
  refuseUnanswered(messages);
  return {
    model,
    includeUsage: options?.include_usage ?? false,
    tools: tools.map((tool) => tool.function.name),
    messages: messages.map(toRequestMessage),
  };
}

/** Requires every call to be answered by a tool message before any other message, and nothing else to be answered. */
function refuseUnanswered(messages: readonly ChatMessage[]): void {
  let open = new Set<string>();
  messages.forEach((one, index) => {
    if (one.role === 'tool') {
      if (open.delete(one.tool_call_id)) return;
      throw new RefusedRequest(
        `messages.[${index}]: a message with role 'tool' must be a response to a preceding message with 'tool_calls'.`,
      );
    }
    refuseOpen(open, index);
    if (one.role !== 'assistant') return;
    if (!one.content && !one.tool_calls) throw new RefusedRequest(`messages.[${index}]: content is empty.`);
    open = new Set(one.tool_calls?.map(({ id }) => id));
  });
  refuseOpen(open, messages.length);
}

function refuseOpen(open: ReadonlySet<string>, index: number): void {
  if (open.size === 0) return;
  const ids = [...open].join(', ');
  throw new RefusedRequest(
    `messages.[${index}]: an assistant message with 'tool_calls' must be followed by tool messages. Missing: ${ids}`,
  );
}

function toRequestMessage(one: ChatMessage): RequestMessage {
  const parts = one.content ?? '';
  const all = typeof parts === 'string' ? [{ type: 'text' as const, text: parts }] : parts;
  const text = all.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const images = all.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
  return {
    role: one.role === 'developer' ? 'system' : one.role,
    text,
    images,
    calls: calls.map((call) => ({ id: call.id, name: call.function.name, arguments: call.function.arguments })),
    results:
      one.role === 'tool' ? [{ callId: one.tool_call_id, text, isError: text.toLowerCase().startsWith('error') }] : [],
  };
}
