import * as z from 'zod';

/** One call as the model made it. `arguments` is the JSON text as it came and may be broken. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** The vendor's proof that its model made the call; sent back as it came. */
  signature: z.exactOptional(z.string()),
});
export type ToolCall = z.infer<typeof toolCallSchema>;
