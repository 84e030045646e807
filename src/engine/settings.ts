import * as z from 'zod';
import { effortSchema } from './llm/effort';
import { listedModelSchema } from './llm/model';
import { COMPATIBLE_HOSTS } from './llm/providers/compatibleHosts';
import { approvalModeSchema } from './permissions/defaultRuleset';

const baseUrl = z.url({ protocol: /^https?$/ }).optional();
const hosts = COMPATIBLE_HOSTS.map(({ id }) => id);

/** What can be set about the engine, whoever sets it: the editor's settings, or the environment. */
export const engineSettingsSchema = z.strictObject({
  /** `provider:model`; absent for the first provider that is ready, else the tour. */
  model: z.string().min(1).optional(),
  approvalMode: approvalModeSchema.default('edits-and-commands'),
  openai: z
    .strictObject({
      baseUrl,
      /** `auto`: Responses at OpenAI's own address, Chat Completions anywhere else. */
      api: z.enum(['auto', 'responses', 'chat']).default('auto'),
    })
    .prefault({}),
  anthropic: z.strictObject({ baseUrl }).prefault({}),
  ollama: z.strictObject({ baseUrl }).prefault({}),
  /** A server of the person's own that speaks Chat Completions. */
  custom: z.strictObject({ baseUrl }).prefault({}),
  providers: z
    .strictObject({
      /** Other addresses for hosts of the table. */
      baseUrls: z.partialRecord(z.enum(hosts), baseUrl).default({}),
    })
    .prefault({}),
  skills: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** No other skill is used, whoever enables it. Absent: all. */
      visible: z.array(z.string()).optional(),
      /** May be loaded where neither session nor agent nor role says which. Absent: all that are visible. */
      byDefault: z.array(z.string()).optional(),
    })
    .prefault({}),
  /** Goes on by itself while to-dos are open, also with agents that do not ask for it. */
  autoContinue: z.boolean().default(false),
  /** So often for each message of the person, with agents and roles that do not say how often. */
  autoContinueLimit: z.int().min(1).default(10),
  /** What a run may use up, from a message to the end of its answer. Absent: `DEFAULT_TURNS`, and as much as it takes of the rest. */
  limits: z
    .strictObject({
      turns: z.exactOptional(z.int().positive()),
      tokens: z.exactOptional(z.int().positive()),
      costUsd: z.exactOptional(z.number().positive()),
      minutes: z.exactOptional(z.number().positive()),
    })
    .default({}),
  /** How long models may think with agents and roles that do not say it. Absent: as each does by itself. */
  reasoningEffort: effortSchema.optional(),
  /** Seconds after which an answer of which nothing more comes counts as broken off. */
  idleTimeout: z.int().min(1).max(3600).default(90),
  /** What the person knows of models; comes before the catalog. */
  models: z.array(listedModelSchema).default([]),
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;
