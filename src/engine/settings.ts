import * as z from '../base/zod';
import { effortSchema, listedModelSchema } from './llm/model';
import { COMPATIBLE_HOSTS } from './llm/providers/compatibleHosts';
import { approvalModeSchema } from './permissions/modes';

const baseUrl = z.optional(z.url({ protocol: /^https?$/ }));
const hosts = COMPATIBLE_HOSTS.map(({ id }) => id);

const modelSettings = () => ({
  /** `provider:model`; if absent, the first provider that is ready, otherwise the tour. */
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
  /** The user's own server that speaks Chat Completions. */
  custom: z.prefault(z.strictObject({ baseUrl }), {}),
  providers: z.prefault(
    z.strictObject({
      /** Other addresses for the compatible hosts. */
      baseUrls: z._default(z.partialRecord(z.enum(hosts), baseUrl), {}),
    }),
    {},
  ),
});

const contentSettings = () => ({
  skills: z.prefault(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      /** The only skills that are used, whoever enables others. Absent: all. */
      visible: z.optional(z.array(z.string())),
      /** May be loaded if neither session nor agent nor role specifies any. Absent: all that are visible. */
      byDefault: z.optional(z.array(z.string())),
    }),
    {},
  ),
  /** The scripts that are tools; those of an agent's own folder always are. */
  tools: z.prefault(
    z.strictObject({
      /** File names, with or without their extension. Absent: all. */
      visible: z.optional(z.array(z.string())),
      /** Names that models call them by, or `all`; may include tools that must be named to be available. Absent: all that are visible. */
      enabled: z.optional(z.array(z.string())),
      /** Maps an alias, which agents and roles may use, to the tools that it stands for. */
      mapping: z.optional(z.record(z.string(), z.array(z.string()))),
    }),
    {},
  ),
  /** MCP servers: which ones an agent gets if it names none, and other names for them. */
  servers: z.prefault(
    z.strictObject({
      /** False: no agent gets any, whatever it names. */
      on: z._default(z.boolean(), true),
      /** Ids, other names, or `all`. Absent: all. */
      enabled: z.optional(z.array(z.string())),
      /** Maps another name to the ids that it stands for. */
      mapping: z._default(z.record(z.string(), z.array(z.string())), {}),
    }),
    {},
  ),
});

const runSettings = () => ({
  /** Told to every agent on behalf of the user, after what a workspace says. */
  instructions: z.optional(z.string()),
  /** Continues automatically while to-dos are open, even with agents that do not request it. */
  autoContinue: z._default(z.boolean(), false),
  /** The maximum number of automatic continuations per message of the user, with agents and roles that do not specify it. */
  autoContinueLimit: z._default(z.int().check(z.minimum(1)), 10),
  /** The limits of a run, from a message to the end of its answer. Absent: `DEFAULT_TURNS`, and no limit on the rest. */
  limits: z._default(
    z.strictObject({
      turns: z.exactOptional(z.int().check(z.positive())),
      tokens: z.exactOptional(z.int().check(z.positive())),
      costUsd: z.exactOptional(z.number().check(z.positive())),
      minutes: z.exactOptional(z.number().check(z.positive())),
    }),
    {},
  ),
  /** The thinking effort of models, with agents and roles that do not specify it. Absent: each model's own default. */
  reasoningEffort: z.optional(effortSchema),
  /** Sampling parameters, with agents and roles that do not specify them. Absent: each model's own default. */
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  topP: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  /** Seconds without further data after which an answer counts as broken off. */
  idleTimeout: z._default(z.int().check(z.minimum(1), z.maximum(3600)), 90),
  /** The user's own model entries; they take precedence over the catalog. */
  models: z._default(z.array(listedModelSchema), []),
});

/**
 * The settings of the engine, wherever they come from: the editor's settings, or the environment. Made for each use: kept, the schema
 * would fill the heap of a process that reads its settings once.
 */
export const engineSettingsSchema = () =>
  z.strictObject({ ...modelSettings(), ...contentSettings(), ...runSettings() });

export type EngineSettings = z.infer<ReturnType<typeof engineSettingsSchema>>;
