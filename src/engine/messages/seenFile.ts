import * as z from 'zod';

export const seenFileSchema = z.lazy(() =>
  z.object({
    /** Absolute, links followed. */
    path: z.string(),
    /** Of its text, so that a file that changed since is known to have done so. */
    digest: z.string(),
    /** The lines that were given whole, from 1. */
    lines: z.array(z.object({ first: z.int(), last: z.int() })),
    /** How many it has. */
    of: z.int(),
  }),
);
/** What a model knows of a file, because it was shown it or wrote it. The model never sees this. */
export type SeenFile = z.infer<typeof seenFileSchema>;
