import * as z from 'zod';

export const imageSchema = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string(),
});
/** A picture, as vendors take it. */
export type Image = z.infer<typeof imageSchema>;
