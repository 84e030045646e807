import * as z from '../../base/zod';
import { finishedAgentSchema, type FinishedNode, finishedNodeSchema, spawnedAgentSchema } from '../events/agentEvent';
import { runOutcomeSchema, struckOutcome } from '../events/runOutcome';
import { type Message, messageSchema, textOf, usageSchema } from '../messages/message';
import { todoItemSchema } from '../messages/todoItem';
import { workModeSchema } from '../permissions/workMode';
import { approvalModeSchema } from '../permissions/defaultRuleset';
import { permissionRuleSchema } from '../permissions/permissionRule';
import { struckMessage } from '../secrets/struckMessage';
import { runMetadataSchema } from '../tools/hiddenContext';

/** By which a process that reads a history again knows what it has; older histories have none. */
const named = { id: z.exactOptional(z.string()) };

/**
 * One line of `history.jsonl`. Lines are only ever added; times are milliseconds since the epoch. Made when a session is read.
 */
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
      /** The mode in which it was begun; older histories do not tell. */
      workMode: z.exactOptional(workModeSchema),
      /** So that a session whose metadata is lost is found again where it belongs; older histories have none. */
      workspace: z.optional(z.string()),
    }),
    z.object({ ...named, type: z.literal('message'), message: messageSchema }),
    /** Written before a tool acts, so that after a crash it is known which calls may have had an effect. */
    z.object({ ...named, type: z.literal('tool-started'), time: z.number(), callId: z.string() }),
    z.object({ ...named, type: z.literal('todos'), time: z.number(), items: z.array(todoItemSchema) }),
    fileChangedSchema(),
    z.object({ ...named, type: z.literal('agent-spawned'), time: z.number(), ...spawned.shape }),
    z.object({ ...named, type: z.literal('agent-finished'), time: z.number(), ...finished.shape }),
    /** Of a request to a model that left no message. */
    z.object({ ...named, type: z.literal('used-aside'), time: z.number(), model: z.string(), usage: usageSchema }),
    z.object({ ...named, type: z.literal('rule-added'), time: z.number(), rule: permissionRuleSchema }),
    /** The rules above no longer hold. */
    z.object({ ...named, type: z.literal('rules-cleared'), time: z.number() }),
    /** From here on the model sees `text` instead of everything before the message `keptFrom`. Nothing is removed. */
    z.object({ ...named, type: z.literal('compacted'), time: z.number(), text: z.string(), keptFrom: z.string() }),
    /** From here on the model sees the messages up to and with `upTo` without the bulk of their calls. Nothing is removed. */
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

/** A graph ran so far; its record has all of it. */
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
 * What the model was told of place and skills: with its prompt when `begins`, else later in a message. So the prompt stays as
 * it was sent, in every process.
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
 * `before` names the copy in the session's folder, `after` is the digest of what was written; null: no such file. Written
 * before a tool acts, without `after`, and again after it. `kept: false`: there is no copy, so it cannot be put back.
 */
function fileChangedSchema() {
  return z.object({
    ...named,
    type: z.literal('file-changed'),
    time: z.number(),
    path: z.string(),
    before: z.nullable(z.string()),
    after: z.exactOptional(z.nullable(z.string())),
    unchanged: z.exactOptional(z.boolean()),
    kept: z.exactOptional(z.boolean()),
  });
}

export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** `metadata.json`: what of a session may change. Made when one is read. */
export const sessionMetadataSchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    id: z.string(),
    title: z.string(),
    /** How the person's first messages begin, to be found by. */
    opening: z._default(z.string(), ''),
    /** The alias under which `-s NAME` finds it; null without one. */
    name: z.nullable(z.string()),
    createdAt: z.number(),
    modifiedAt: z.number(),
    /** Absolute folder it belongs to. */
    workspace: z.string(),
    /** `provider:model`; null until the first run, so that a default may change. */
    model: z.nullable(z.string()),
    approvalMode: approvalModeSchema,
    /** What the agent may do at all; null for what the agent says. */
    workMode: z._default(z.nullable(workModeSchema), null),
    /** The agent that answers; null for the default one. */
    agent: z._default(z.nullable(z.string()), null),
    /** A way to behave on top of the agent; null for none. */
    role: z._default(z.nullable(z.string()), null),
    /** Names of the skills that are loaded, in the order of loading. */
    skills: z._default(z.array(z.string()), []),
    /** What was said in this session about skills; a name list replaces that of the agent. */
    skillPolicy: z._default(
      z.object({ on: z.exactOptional(z.boolean()), names: z.exactOptional(z.array(z.string())) }),
      {},
    ),
    /** What the agent's variables were set to. */
    variables: z._default(z.record(z.string(), z.string()), {}),
    /** What goes with every message of the person, as the panel has it. */
    pinned: z._default(z.array(z.record(z.string(), z.unknown())), []),
    /** Of a sub-agent's session: the session that started it, and the call that did. */
    parent: z._default(z.nullable(z.object({ sessionId: z.string(), callId: z.nullable(z.string()) })), null),
    /** One that the person wants to find again at once. */
    isFavorite: z._default(z.boolean(), false),
    /** What its runs used up, as far as prices are known, without what other agents did; and how many files it changed. */
    spent: z._default(z.object({ costUsd: z.number(), files: z.int() }), { costUsd: 0, files: 0 }),
    /** What programs keep with it; no model is told. */
    own: z._default(runMetadataSchema, {}),
    /** What it took to find the title, which is asked for when nothing more may be added to the history. */
    titleUsage: z._default(z.nullable(z.object({ model: z.string(), usage: usageSchema })), null),
  }),
);
export type SessionMetadata = z.infer<typeof sessionMetadataSchema>;

/** Of a session that is nobody's child and has no agent of its own. */
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

/** Of each of them. */
const OPENING_LENGTH = 400;

/** How the person's first messages begin, in one short text. */
export function openingOf(messages: readonly Message[]): string {
  const said = messages.flatMap((message) => (message.role === 'user' && !message.automatic ? [textOf(message)] : []));
  return said
    .slice(0, OPENING_MESSAGES)
    .map((text) => text.slice(0, OPENING_LENGTH))
    .join('\n');
}

/** How many files the session has changed. */
export function changedFiles(entries: readonly SessionEntry[]): number {
  return new Set(entries.flatMap((one) => (one.type === 'file-changed' && !one.unchanged ? [one.path] : []))).size;
}

/** A line of a history without what `strike` takes out of its texts; paths, ids and rules stay as they are. */
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
