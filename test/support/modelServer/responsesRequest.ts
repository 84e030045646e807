import * as z from 'zod';
import { EFFORTS } from '../../../src/engine/llm/model';
import { dataUrl } from './dataUrl';
import type { RequestMessage } from './modelRequest';
import { RefusedRequest } from './refusedRequest';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('input_image'), detail: z.literal('auto'), image_url: dataUrl }),
]);
type Part = z.infer<typeof part>;
const content = z.union([z.string().min(1), z.array(part).min(1)]);
const said = z.strictObject({ role: z.enum(['user', 'assistant', 'system', 'developer']), content });
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function_call'),
    call_id: z.string().min(1).max(64),
    name,
    arguments: z.string(),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: z.string().min(1), output: content }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string().startsWith('rs_'),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.string().min(1),
  }),
]);
type Item = z.infer<typeof said> | z.infer<typeof item>;

const responsesRequestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.union([said, item])).min(1),
  instructions: z.string().min(1).optional(),
  prompt_cache_key: z.string().min(1).max(64).optional(),
  stream: z.literal(true, 'This server only streams'),
  store: z.literal(false, 'This server keeps nothing'),
  include: z.array(z.literal('reasoning.encrypted_content')).optional(),
  reasoning: z.strictObject({ summary: z.literal('auto').optional(), effort: z.enum(EFFORTS).optional() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name,
        description: z.string().optional(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean(),
      }),
    )
    .min(1)
    .optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ type: z.literal('function'), name })])
    .optional(),
  text: z
    .strictObject({
      format: z.strictObject({
        type: z.literal('json_schema'),
        name,
        schema: z.looseObject({}),
        strict: z.boolean(),
      }),
    })
    .optional(),
});

/** Parses a Responses request. Throws RefusedRequest for what the vendor refuses. */
export function responsesRequest(body: unknown) {
  const parsed = responsesRequestSchema.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(z.prettifyError(parsed.error));
  const { model, input, tools = [], instructions, include = [] } = parsed.data;
  refuseLoose(input);
  const head: RequestMessage[] = instructions === undefined ? [] : [message('system', instructions)];
  return {
    model,
    encrypts: include.length > 0,
    tools: tools.map((tool) => tool.name),
    messages: [...head, ...input.map(toRequestMessage)],
  };
}

/** Requires every call to have an output, every output to follow its call, and reasoning to be followed by what it led to. */
function refuseLoose(input: readonly Item[]): void {
  const open = new Set<string>();
  input.forEach((one, index) => {
    if (!('type' in one)) return;
    if (one.type === 'function_call') open.add(one.call_id);
    if (one.type === 'function_call_output' && !open.delete(one.call_id)) {
      throw new RefusedRequest(`No tool call found for function call output with call_id ${one.call_id}.`);
    }
    const next = input[index + 1];
    const follows = next && ('type' in next ? next.type !== 'function_call_output' : next.role === 'assistant');
    if (one.type === 'reasoning' && !follows) {
      throw new RefusedRequest(
        `Item '${one.id}' of type 'reasoning' was provided without its required following item.`,
      );
    }
  });
  if (open.size > 0) throw new RefusedRequest(`No tool output found for function call ${[...open].join(', ')}.`);
}

function toRequestMessage(one: Item): RequestMessage {
  if (!('type' in one)) {
    const { role } = one;
    return message(role === 'developer' ? 'system' : role, one.content);
  }
  if (one.type === 'function_call') {
    const call = { id: one.call_id, name: one.name, arguments: one.arguments };
    return { ...message('assistant', ''), calls: [call] };
  }
  if (one.type === 'reasoning') return message('assistant', '');
  const output = message('tool', one.output);
  const isError = output.text.toLowerCase().startsWith('error');
  return { ...output, results: [{ callId: one.call_id, text: output.text, isError }] };
}

function message(role: RequestMessage['role'], given: string | readonly Part[]): RequestMessage {
  const parts = typeof given === 'string' ? [] : given;
  const text =
    typeof given === 'string' ? given : given.flatMap((one) => (one.type === 'input_text' ? [one.text] : [])).join('');
  const images = parts.flatMap((one) => (one.type === 'input_image' ? [one.image_url] : []));
  return { role, text, images, calls: [], results: [] };
}
