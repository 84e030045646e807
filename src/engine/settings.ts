import * as z from 'zod';
import { approvalModeSchema } from './permissions/defaultRuleset';

const baseUrl = z.url({ protocol: /^https?$/ }).optional();

/** What can be set about the engine, whoever sets it: the editor's settings, or the environment. */
export const engineSettingsSchema = z.strictObject({
  /** `provider:model`; absent for the first provider that is ready, else the tour. */
  model: z.string().min(1).optional(),
  approvalMode: approvalModeSchema.default('edits-and-commands'),
  openai: z.strictObject({ baseUrl }).prefault({}),
  anthropic: z.strictObject({ baseUrl }).prefault({}),
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;
