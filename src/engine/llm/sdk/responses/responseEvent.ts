import * as z from '../../../../base/zod';

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
export type ResponseItem = z.infer<typeof item>;

/** An event of a Responses stream: only what is read of it. Kinds of items that we never ask for pass unread. */
export const responseEventSchema = z.lazy(() =>
  z.object({
    type: z.string(),
    delta: text,
    summary_index: z.nullish(z.number()),
    item: z.nullish(item),
    /** Of an event of type `error`. */
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
export type ResponseEvent = z.infer<typeof responseEventSchema>;

const proofSchema = z.object({ id: z.string(), encrypted: z.string() });

/** Encrypted reasoning as the signature of a thinking part; undefined when the vendor gave none. */
export function reasoningSignature({ id, encrypted_content: encrypted }: ResponseItem): string | undefined {
  return id && encrypted ? JSON.stringify({ id, encrypted }) : undefined;
}

/** What `reasoningSignature` made; undefined for the signature of another interface. */
export function readReasoningSignature(signature: string): { id: string; encrypted: string } | undefined {
  try {
    return proofSchema.safeParse(JSON.parse(signature)).data;
  } catch {
    return undefined;
  }
}
