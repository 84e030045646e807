import * as z from '../base/zod';
import { effortSchema, listedModelSchema } from './llm/model';
import { COMPATIBLE_HOSTS } from './llm/providers/compatibleHosts';
import { approvalModeSchema } from './permissions/defaultRuleset';

const baseUrl = z.optional(z.url({ protocol: /^https?$/ }));
const hosts = COMPATIBLE_HOSTS.map(({ id }) => id);

/** What can be set about the engine, whoever sets it: the editor's settings, or the environment. */
export const engineSettingsSchema = z.strictObject({
  /** `provider:model`; absent for the first provider that is ready, else the tour. */
  model: z.optional(z.string().check(z.minLength(1))),
  approvalMode: z._default(approvalModeSchema, 'edits-and-commands'),
  openai: z.prefault(
    z.strictObject({
      baseUrl,
      /** `auto`: Responses at OpenAI's own address, Chat Completions anywhere else. */
      api: z._default(z.enum(['auto', 'responses', 'chat']), 'auto'),
    }),
    {},
  ),
  anthropic: z.prefault(z.strictObject({ baseUrl }), {}),
  ollama: z.prefault(z.strictObject({ baseUrl }), {}),
  /** A server of the person's own that speaks Chat Completions. */
  custom: z.prefault(z.strictObject({ baseUrl }), {}),
  providers: z.prefault(
    z.strictObject({
      /** Other addresses for hosts of the table. */
      baseUrls: z._default(z.partialRecord(z.enum(hosts), baseUrl), {}),
    }),
    {},
  ),
  skills: z.prefault(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      /** No other skill is used, whoever enables it. Absent: all. */
      visible: z.optional(z.array(z.string())),
      /** May be loaded where neither session nor agent nor role says which. Absent: all that are visible. */
      byDefault: z.optional(z.array(z.string())),
    }),
    {},
  ),
  /** Which scripts are tools; those beside an agent always are. */
  tools: z.prefault(
    z.strictObject({
      /** Names of files, with or without their ending. Absent: all. */
      visible: z.optional(z.array(z.string())),
      /** Names that models call them by, or `all`; also of tools that only those have who name them. Absent: all that are visible. */
      enabled: z.optional(z.array(z.string())),
      /** Another name, which agents and roles may write → the tools that it stands for. */
      mapping: z.optional(z.record(z.string(), z.array(z.string()))),
    }),
    {},
  ),
  /** MCP servers by what agents that name none are given, and by other names. */
  servers: z.prefault(
    z.strictObject({
      /** Ids, other names, or `all`. Absent: all. */
      enabled: z.optional(z.array(z.string())),
      /** Another name → the ids that it stands for. */
      mapping: z._default(z.record(z.string(), z.array(z.string())), {}),
    }),
    {},
  ),
  /** Told to every agent in the person's name, after what a workspace says. */
  instructions: z.optional(z.string()),
  /** Goes on by itself while to-dos are open, also with agents that do not ask for it. */
  autoContinue: z._default(z.boolean(), false),
  /** So often for each message of the person, with agents and roles that do not say how often. */
  autoContinueLimit: z._default(z.int().check(z.minimum(1)), 10),
  /** What a run may use up, from a message to the end of its answer. Absent: `DEFAULT_TURNS`, and as much as it takes of the rest. */
  limits: z._default(
    z.strictObject({
      turns: z.exactOptional(z.int().check(z.positive())),
      tokens: z.exactOptional(z.int().check(z.positive())),
      costUsd: z.exactOptional(z.number().check(z.positive())),
      minutes: z.exactOptional(z.number().check(z.positive())),
    }),
    {},
  ),
  /** How long models may think with agents and roles that do not say it. Absent: as each does by itself. */
  reasoningEffort: z.optional(effortSchema),
  /** Seconds after which an answer of which nothing more comes counts as broken off. */
  idleTimeout: z._default(z.int().check(z.minimum(1), z.maximum(3600)), 90),
  /** What the person knows of models; comes before the catalog. */
  models: z._default(z.array(listedModelSchema), []),
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;
