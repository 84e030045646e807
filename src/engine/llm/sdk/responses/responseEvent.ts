import * as z from 'zod';

const text = z.string().nullish();
const count = z.int().nullish();

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
    summary_index: z.number().nullish(),
    item: item.nullish(),
    /** Of an event of type `error`. */
    message: text,
    code: text,
    response: z
      .object({
        error: z.object({ message: text, code: text }).nullish(),
        incomplete_details: z.object({ reason: text }).nullish(),
        usage: z
          .object({
            input_tokens: count,
            input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish(),
            output_tokens: count,
          })
          .nullish(),
      })
      .nullish(),
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
