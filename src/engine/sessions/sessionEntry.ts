import * as z from 'zod';
import { finishedAgentSchema, spawnedAgentSchema } from '../events/agentNews';
import { runOutcomeSchema } from '../events/runOutcome';
import { messageSchema, usageSchema } from '../messages/message';
import { todoItemSchema } from '../messages/todoItem';
import { approvalModeSchema } from '../permissions/defaultRuleset';
import { permissionRuleSchema } from '../permissions/permissionRuleSchema';

/**
 * One line of `history.jsonl`. Lines are only ever added; times are milliseconds since the epoch. Made when a session is read.
 */
export const sessionEntrySchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('run-started'),
      time: z.number(),
      runId: z.string(),
      model: z.string(),
      /** So that a session whose metadata is lost is found again where it belongs; older histories have none. */
      workspace: z.string().optional(),
    }),
    z.object({ type: z.literal('message'), message: messageSchema }),
    /** Written before a tool acts, so that after a crash it is known which calls may have had an effect. */
    z.object({ type: z.literal('tool-started'), time: z.number(), callId: z.string() }),
    z.object({ type: z.literal('todos'), time: z.number(), items: z.array(todoItemSchema) }),
    /** `before` names the copy in the session's folder, `after` is the digest of what was written; null: no such file. */
    z.object({
      type: z.literal('file-changed'),
      time: z.number(),
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
    z.object({ type: z.literal('agent-spawned'), time: z.number(), ...spawnedAgentSchema.shape }),
    z.object({ type: z.literal('agent-finished'), time: z.number(), ...finishedAgentSchema.shape }),
    /** Of a request to a model that left no message. */
    z.object({ type: z.literal('used-aside'), time: z.number(), model: z.string(), usage: usageSchema }),
    z.object({ type: z.literal('rule-added'), time: z.number(), rule: permissionRuleSchema }),
    /** From here on the model sees `text` instead of everything before the message `keptFrom`. Nothing is removed. */
    z.object({ type: z.literal('compacted'), time: z.number(), text: z.string(), keptFrom: z.string() }),
    z.object({
      type: z.literal('auto-continued'),
      time: z.number(),
      count: z.number(),
      max: z.number(),
      open: z.number(),
    }),
    z.object({ type: z.literal('skill-loaded'), time: z.number(), skill: z.string() }),
    z.object({ type: z.literal('skill-unloaded'), time: z.number(), skill: z.string() }),
    z.object({
      type: z.literal('run-finished'),
      time: z.number(),
      runId: z.string(),
      outcome: runOutcomeSchema,
      durationMs: z.number(),
    }),
  ]),
);
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** `metadata.json`: what of a session may change. */
export const sessionMetadataSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  title: z.string(),
  /** How the person's first messages begin, to be found by. */
  opening: z.string().default(''),
  /** The alias under which `-s NAME` finds it; null without one. */
  name: z.string().nullable(),
  createdAt: z.number(),
  modifiedAt: z.number(),
  /** Absolute folder it belongs to. */
  workspace: z.string(),
  /** `provider:model`; null until the first run, so that a default may change. */
  model: z.string().nullable(),
  approvalMode: approvalModeSchema,
  /** The agent that answers; null for the default one. */
  agent: z.string().nullable().default(null),
  /** A way to behave on top of the agent; null for none. */
  role: z.string().nullable().default(null),
  /** Names of the skills that are loaded, in the order of loading. */
  skills: z.array(z.string()).default([]),
  /** What was said in this session about skills; a name list replaces that of the agent. */
  skillPolicy: z.object({ on: z.exactOptional(z.boolean()), names: z.exactOptional(z.array(z.string())) }).default({}),
  /** What the agent's variables were set to. */
  variables: z.record(z.string(), z.string()).default({}),
  /** Of a sub-agent's session: the session that started it, and the call that did. */
  parent: z.object({ sessionId: z.string(), callId: z.string().nullable() }).nullable().default(null),
  /** What it took to find the title, which is asked for when nothing more may be added to the history. */
  titleUsage: z.object({ model: z.string(), usage: usageSchema }).nullable().default(null),
});
export type SessionMetadata = z.infer<typeof sessionMetadataSchema>;

/** Of a session that is nobody's child and has no agent of its own. */
export const NOT_SAID = {
  ...{ agent: null, role: null, skills: [], skillPolicy: {}, variables: {} },
  ...{ parent: null, titleUsage: null },
};
