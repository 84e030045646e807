import * as z from '../../base/zod';
import { finishedAgentSchema, type FinishedNode, finishedNodeSchema, spawnedAgentSchema } from '../events/agentEvent';
import { runOutcomeSchema, struckOutcome } from '../events/runOutcome';
import { type Message, messageSchema, textOf, usageSchema } from '../messages/message';
import { todoItemSchema } from '../messages/todoItem';
import { approvalModeSchema, workModeSchema } from '../permissions/modes';
import { permissionRuleSchema } from '../permissions/permissionRule';
import { struckMessage } from '../secrets/struckMessage';
import { runMetadataSchema } from '../tools/hiddenContext';

/** Identifies an entry when a process reads the history again; absent in older histories. */
const named = { id: z.exactOptional(z.string()) };

/** A line of `history.jsonl`, which is append-only. Times are milliseconds since the epoch. Built when a session is read. */
export const sessionEntrySchema = z.lazy(() => {
  const spawned = spawnedAgentSchema._zod.innerType;
  const finished = finishedAgentSchema._zod.innerType;
  return z.discriminatedUnion('type', [
    z.object({
      ...named,
      type: z.literal('run-started'),
      time: z.number(),
      runId: z.string(),
      model: z.string(),
      /** The mode when the run started; absent in older histories. */
      workMode: z.exactOptional(workModeSchema),
      /** So that a session with lost metadata is assigned to its workspace again; absent in older histories. */
      workspace: z.optional(z.string()),
    }),
    z.object({ ...named, type: z.literal('message'), message: messageSchema }),
    /** Written before a tool acts, to know after a crash which calls may have had an effect. */
    z.object({ ...named, type: z.literal('tool-started'), time: z.number(), callId: z.string() }),
    z.object({ ...named, type: z.literal('todos'), time: z.number(), items: z.array(todoItemSchema) }),
    fileChangedSchema(),
    z.object({ ...named, type: z.literal('agent-spawned'), time: z.number(), ...spawned.shape }),
    z.object({ ...named, type: z.literal('agent-finished'), time: z.number(), ...finished.shape }),
    /** Usage of a request that left no message. */
    z.object({ ...named, type: z.literal('used-aside'), time: z.number(), model: z.string(), usage: usageSchema }),
    z.object({ ...named, type: z.literal('rule-added'), time: z.number(), rule: permissionRuleSchema }),
    /** Revokes the rules before it. */
    z.object({ ...named, type: z.literal('rules-cleared'), time: z.number() }),
    /** From here on, the model sees `text` in place of everything before the message `keptFrom`. Nothing is removed. */
    z.object({ ...named, type: z.literal('compacted'), time: z.number(), text: z.string(), keptFrom: z.string() }),
    /** From here on, the model sees the messages up to and including `upTo` without the bulk of their calls. Nothing is removed. */
    z.object({ ...named, type: z.literal('pruned'), time: z.number(), upTo: z.string() }),
    toldSchema(),
    autoContinuedSchema(),
    graphRanSchema(),
    z.object({ ...named, type: z.literal('skill-loaded'), time: z.number(), skill: z.string() }),
    z.object({ ...named, type: z.literal('skill-unloaded'), time: z.number(), skill: z.string() }),
    z.object({
      ...named,
      type: z.literal('run-finished'),
      time: z.number(),
      runId: z.string(),
      outcome: runOutcomeSchema,
      durationMs: z.number(),
    }),
  ]);
});

function autoContinuedSchema() {
  return z.object({
    ...named,
    type: z.literal('auto-continued'),
    time: z.number(),
    count: z.number(),
    max: z.number(),
    open: z.number(),
  });
}

/** A part of a graph run; its record has the rest. */
function graphRanSchema() {
  return z.object({
    ...named,
    type: z.literal('graph-ran'),
    time: z.number(),
    graphId: z.string(),
    name: z.string(),
    beganAt: z.number(),
    nodes: z.array(finishedNodeSchema),
  });
}

/**
 * What the model was told about its environment and skills: in its prompt if `begins`, otherwise later in a message. Keeps the
 * prompt identical in every process.
 */
function toldSchema() {
  return z.object({
    ...named,
    type: z.literal('told'),
    time: z.number(),
    begins: z.boolean(),
    agent: z.string(),
    role: z.nullable(z.string()),
    facts: z.record(z.string(), z.string()),
  });
}

/**
 * `before` names the copy in the session's folder, `after` is the digest of the new contents; null: the file did not exist.
 * Written before a tool acts, without `after`, and again afterward. `kept: false`: there is no copy, so the file cannot be
 * restored.
 */
function fileChangedSchema() {
  return z.object({
    ...named,
    type: z.literal('file-changed'),
    time: z.number(),
    path: z.string(),
    /** The path without links; absent in older histories, and if the file was not kept. */
    real: z.exactOptional(z.string()),
    before: z.nullable(z.string().check(z.regex(/^\w[\w.-]*$/, 'must be the name of a file, not a path'))),
    after: z.exactOptional(z.nullable(z.string())),
    unchanged: z.exactOptional(z.boolean()),
    kept: z.exactOptional(z.boolean()),
  });
}

export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** `metadata.json`: the mutable part of a session. Built when one is read. */
export const sessionMetadataSchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    id: z.string(),
    title: z.string(),
    /** Start of the first user messages, for searching. */
    opening: z._default(z.string(), ''),
    /** The name for `-s NAME`; null if there is none. */
    name: z.nullable(z.string()),
    createdAt: z.number(),
    modifiedAt: z.number(),
    /** Absolute path of the workspace that it belongs to. */
    workspace: z.string(),
    /** `provider:model`, as chosen for the session; null: that of the role or agent, otherwise the default. */
    model: z.nullable(z.string()),
    /** The default model of its first run, which it keeps. */
    keptModel: z.exactOptional(z.string()),
    approvalMode: approvalModeSchema,
    /** The mode; null: that of the agent. */
    workMode: z._default(z.nullable(workModeSchema), null),
    /** The agent that answers; null: the default agent. */
    agent: z._default(z.nullable(z.string()), null),
    /** A role on top of the agent; null for none. */
    role: z._default(z.nullable(z.string()), null),
    /** Names of the loaded skills, in the order of loading. */
    skills: z._default(z.array(z.string()), []),
    /** Skill settings of this session; a list of names replaces that of the agent. */
    skillPolicy: z._default(
      z.object({ on: z.exactOptional(z.boolean()), names: z.exactOptional(z.array(z.string())) }),
      {},
    ),
    /** Values of the agent's variables. */
    variables: z._default(z.record(z.string(), z.string()), {}),
    /** Attachments pinned to every user message, in the panel's format. */
    pinned: z._default(z.array(z.record(z.string(), z.unknown())), []),
    /** For the session of a subagent: the session and the call that started it. */
    parent: z._default(z.nullable(z.object({ sessionId: z.string(), callId: z.nullable(z.string()) })), null),
    /** Marked as a favorite by the user. */
    isFavorite: z._default(z.boolean(), false),
    /** Cost of its runs, as far as prices are known and excluding other agents, and the number of files it changed. */
    spent: z._default(z.object({ costUsd: z.number(), files: z.int() }), { costUsd: 0, files: 0 }),
    /** Data of programs; never passed to a model. */
    own: z._default(runMetadataSchema, {}),
    /** Usage of the request for a title. Stored here since the title is requested when the history can no longer be appended to. */
    titleUsage: z._default(z.nullable(z.object({ model: z.string(), usage: usageSchema })), null),
  }),
);
export type SessionMetadata = z.infer<typeof sessionMetadataSchema>;

/** Defaults for a session without a parent and without an agent of its own. */
export const NOT_SAID = {
  workMode: null,
  agent: null,
  role: null,
  skills: [],
  skillPolicy: {},
  variables: {},
  own: {},
  pinned: [],
  parent: null,
  titleUsage: null,
  isFavorite: false,
  spent: { costUsd: 0, files: 0 },
};

const OPENING_MESSAGES = 5;

/** Limit per message, in characters. */
const OPENING_LENGTH = 400;

/** Returns the start of the first user messages as one short text. */
export function openingOf(messages: readonly Message[]): string {
  const said = messages.flatMap((message) => (message.role === 'user' && !message.automatic ? [textOf(message)] : []));
  return said
    .slice(0, OPENING_MESSAGES)
    .map((text) => text.slice(0, OPENING_LENGTH))
    .join('\n');
}

/** Returns the number of files that the session has changed. */
export function changedFiles(entries: readonly SessionEntry[]): number {
  return new Set(entries.flatMap((one) => (one.type === 'file-changed' && !one.unchanged ? [one.path] : []))).size;
}

/** Redacts the texts of an entry with `strike`; paths, ids, and rules are unchanged. */
export function struckEntry(entry: SessionEntry, strike: (text: string) => string): SessionEntry {
  switch (entry.type) {
    case 'message':
      return { ...entry, message: struckMessage(entry.message, strike) };
    case 'todos':
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: strike(item.text) })) };
    case 'agent-spawned':
      return { ...entry, task: strike(entry.task) };
    case 'graph-ran':
      return { ...entry, nodes: entry.nodes.map((node) => struckNode(node, strike)) };
    case 'agent-finished':
    case 'run-finished':
      return { ...entry, outcome: struckOutcome(entry.outcome, strike) };
    case 'compacted':
      return { ...entry, text: strike(entry.text) };
    default:
      return entry;
  }
}

function struckNode(node: FinishedNode, strike: (text: string) => string): FinishedNode {
  return node.failure === undefined ? node : { ...node, failure: strike(node.failure) };
}
