import * as z from 'zod';

/** A model as the catalog knows it (`assets/models.yaml`) or as its provider lists it. Sizes in tokens. */
export const modelSchema = z.strictObject({
  /** `provider:model`. */
  id: z.string().regex(/^[^:\s]+:\S+$/, 'must be written provider:model'),
  label: z.string(),
  contextWindow: z.int().positive().nullable(),
  maxOutputTokens: z.int().positive().nullable(),
});
export type Model = z.infer<typeof modelSchema>;

/** What is assumed of a model that the catalog does not know. */
export function unlistedModel(id: string): Model {
  return { id, label: id.slice(id.indexOf(':') + 1), contextWindow: null, maxOutputTokens: null };
}
