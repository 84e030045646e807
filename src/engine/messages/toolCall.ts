import * as z from '../../base/zod';

/** One call as the model made it. `arguments` is the JSON text as it came and may be broken. */
export const toolCallSchema = z.object({
  /** Of our own making. */
  id: z.string(),
  /** What the vendor calls it; sent back to its model and used for nothing else. */
  vendorId: z.exactOptional(z.string()),
  name: z.string(),
  arguments: z.string(),
  /** The vendor's proof that its model made the call; sent back as it came. */
  signature: z.exactOptional(z.string()),
  /** The answer reached its limit before the arguments were whole. */
  cut: z.exactOptional(z.literal(true)),
  /** A secret was struck out of it before it was kept, so it is no longer what the model asked for. */
  struck: z.exactOptional(z.literal(true)),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** An id or a name with only the characters that every vendor takes; a model may have invented others. */
export function wireName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}
