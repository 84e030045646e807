import * as z from 'zod';

const text = z.string().nullish();
const count = z.int().nullish();

/** Cached input is counted apart by this vendor, and may be repeated with the end of the answer. */
const usage = z
  .lazy(() =>
    z.object({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    }),
  )
  .nullish();

/** An event of a Messages stream: only what is read of it. Kinds of blocks that we never ask for pass unread. */
export const messageEventSchema = z.lazy(() =>
  z.object({
    type: z.string(),
    index: z.number().nullish(),
    message: z.object({ usage }).nullish(),
    content_block: z
      .object({
        type: z.string(),
        id: text,
        name: text,
        input: z.unknown().optional(),
        text,
        thinking: text,
        signature: text,
        data: text,
      })
      .nullish(),
    delta: z
      .object({ type: text, text, thinking: text, signature: text, partial_json: text, stop_reason: text })
      .nullish(),
    usage,
  }),
);
export type MessageEvent = z.infer<typeof messageEventSchema>;
