import * as z from '../../base/zod';

/** A call as the model made it. `arguments` is the original JSON text, which may be invalid. */
export const toolCallSchema = z.object({
  /** Assigned by Cairn. */
  id: z.string(),
  /** The vendor's id; only used when the call is sent back to its model. */
  vendorId: z.exactOptional(z.string()),
  name: z.string(),
  arguments: z.string(),
  /** The vendor's proof that its model made the call; sent back unchanged. */
  signature: z.exactOptional(z.string()),
  /** The answer reached the output limit before the arguments were complete. */
  cut: z.exactOptional(z.literal(true)),
  /** A secret was redacted before the call was stored, so it is no longer what the model asked for. */
  struck: z.exactOptional(z.literal(true)),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** Replaces characters that some vendors do not accept in ids and names, which a model may have invented. */
export function wireName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}
