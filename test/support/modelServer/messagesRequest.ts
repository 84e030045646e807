import * as z from 'zod';
import type { RequestMessage } from './modelRequest';
import { RefusedRequest } from './refusedRequest';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const text = z.string().regex(/\S/, 'text content blocks must contain non-whitespace text');
const mark = { cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional() };
const textBlock = z.strictObject({ type: z.literal('text'), text, ...mark });
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string().min(1),
  }),
  ...mark,
});
const block = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
  z.strictObject({ type: z.literal('tool_use'), id, name, input: z.record(z.string(), z.unknown()) }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: id,
    content: z.union([text, z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]).optional(),
    is_error: z.boolean().optional(),
    ...mark,
  }),
]);
const turn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([text, z.array(block).min(1)]),
});
type Turn = z.infer<typeof turn>;
type Block = z.infer<typeof block>;

const messagesRequestSchema = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  messages: z.array(turn).min(1),
  stream: z.literal(true, 'This server only streams'),
  system: z.union([text, z.array(textBlock)]).optional(),
  tools: z
    .array(
      z.strictObject({
        name,
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        ...mark,
      }),
    )
    .optional(),
  thinking: z.strictObject({ type: z.literal('adaptive'), display: z.literal('summarized') }).optional(),
  temperature: z.number().optional(),
  top_p: z.number().min(0).max(1).optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).optional(),
    })
    .optional(),
  tool_choice: z
    .union([
      z.strictObject({ type: z.enum(['auto', 'any', 'none']) }),
      z.strictObject({ type: z.literal('tool'), name }),
    ])
    .optional(),
});

/** Parses a Messages request. Throws RefusedRequest for what the vendor refuses. */
export function messagesRequest(body: unknown) {
  const parsed = messagesRequestSchema.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(z.prettifyError(parsed.error));
  const { model, messages, tools = [], system } = parsed.data;
  if (messages[0]?.role !== 'user') throw new RefusedRequest('messages: first message must use the "user" role');
  refuseUnanswered(messages);
  refuseForced(parsed.data);
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  if (marks > 4) throw new RefusedRequest(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const head: RequestMessage[] = system === undefined ? [] : [{ role: 'system', ...plain(system) }];
  return { model, tools: tools.map((tool) => tool.name), messages: [...head, ...messages.map(toRequestMessage)] };
}

/** A call can be forced only if there are tools, and not with thinking. */
function refuseForced({ tool_choice: choice, thinking, tools = [] }: z.infer<typeof messagesRequestSchema>): void {
  if (!choice) return;
  if (tools.length === 0) throw new RefusedRequest('tool_choice may only be specified while providing tools');
  if (thinking && (choice.type === 'any' || choice.type === 'tool')) {
    throw new RefusedRequest('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

/** Requires the results of all calls of a turn at the start of the next turn, and nowhere else. */
function refuseUnanswered(turns: readonly Turn[]): void {
  let open: string[] = [];
  const used = new Set<string>();
  turns.forEach((one, index) => {
    const blocks = typeof one.content === 'string' ? [] : one.content;
    const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
    const head = firstOther < 0 ? blocks : blocks.slice(0, firstOther);
    const answered = head.flatMap((each) => (each.type === 'tool_result' ? [each.tool_use_id] : []));
    const missing = open.filter((call) => !answered.includes(call));
    if (missing.length > 0) {
      throw new RefusedRequest(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`,
      );
    }
    const stray = blocks.find((each) => each.type === 'tool_result' && !open.includes(each.tool_use_id));
    if (stray)
      throw new RefusedRequest(`messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`);
    open = blocks.flatMap((each) => (each.type === 'tool_use' ? [each.id] : []));
    for (const id of open) {
      if (used.has(id)) throw new RefusedRequest(`messages.${index}: \`tool_use\` ids must be unique`);
      used.add(id);
    }
    if (one.role === 'user' && open.length > 0) throw new RefusedRequest(`messages.${index}: a user cannot call tools`);
  });
  if (open.length > 0) throw new RefusedRequest(`\`tool_use\` ids without \`tool_result\`: ${open.join(', ')}`);
}

function toRequestMessage({ role, content }: Turn): RequestMessage {
  return { role, ...plain(content) };
}

function plain(content: string | readonly Block[]): Omit<RequestMessage, 'role'> {
  if (typeof content === 'string') return { text: content, images: [], calls: [], results: [] };
  return {
    text: content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n'),
    images: content.flatMap((each) => {
      if (each.type === 'image') return [urlOf(each)];
      return each.type === 'tool_result' && Array.isArray(each.content) ? imagesIn(each.content) : [];
    }),
    calls: content.flatMap((each) =>
      each.type === 'tool_use' ? [{ id: each.id, name: each.name, arguments: each.input }] : [],
    ),
    results: content.flatMap((each) =>
      each.type === 'tool_result'
        ? [{ callId: each.tool_use_id, text: resultText(each.content ?? ''), isError: each.is_error ?? false }]
        : [],
    ),
  };
}

type Shown = z.infer<typeof textBlock> | z.infer<typeof imageBlock>;

function resultText(content: string | readonly Shown[]): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesIn(content: readonly Shown[]): string[] {
  return content.flatMap((part) => (part.type === 'image' ? [urlOf(part)] : []));
}

function urlOf({ source }: z.infer<typeof imageBlock>): string {
  return `data:${source.media_type};base64,${source.data}`;
}
