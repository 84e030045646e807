import * as z from '../../../base/zod';
import { jsonObjectSchema, jsonSchema } from '../jsonValue';

const count = z.int().check(z.nonnegative());
const at = { time: z.number(), step: count, node: z.string() };
const used = { tokens: z.number(), costUsd: z.number() };
const call = {
  tool: z.string(),
  title: z.string(),
  status: z.enum(['ok', 'error', 'rejected', 'cancelled']),
  durationMs: z.number(),
};
const item = {
  index: count,
  value: jsonSchema,
  /** Why its branch failed, if a `fallback` handled that. */
  failure: z.exactOptional(z.string()),
  /** The node that produced the value. */
  by: z.exactOptional(z.string()),
};
const done = {
  durationMs: z.number(),
  writes: z.array(z.object({ key: z.string(), value: jsonSchema })),
  targets: z.array(z.string()),
  end: z.exactOptional(z.string()),
  output: z.exactOptional(jsonSchema),
  sessionId: z.exactOptional(z.string()),
  /** Why it failed, if a `fallback` handled that. */
  failure: z.exactOptional(z.string()),
};

/**
 * An entry in the record of a graph run. The record is append-only and the only source of a run's state. Times are milliseconds
 * since the epoch. Built when a record is read.
 */
export const graphEntrySchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('begun'),
      version: z.literal(1),
      id: z.string(),
      time: z.number(),
      agent: z.string(),
      /** Absolute path of the graph file. */
      path: z.string(),
      /** The full text of the file at that time. */
      graph: z.string(),
      prompt: z.string(),
      /** The run that this one continues from an earlier step, possibly with a state edited by the user. */
      from: z.exactOptional(z.object({ id: z.string(), step: count })),
    }),
    /** The state after an edit by the user, which does not follow from what was written. */
    z.object({ type: z.literal('edited'), time: z.number(), step: count, state: jsonObjectSchema }),
    /** The run resumes after it was stopped. */
    z.object({ type: z.literal('resumed'), time: z.number() }),
    z.object({ type: z.literal('node-started'), ...at }),
    /** An agent starts to work on the node, or on an item of its map, in its own session. */
    z.object({ type: z.literal('agent-begun'), ...at, sessionId: z.string(), index: z.exactOptional(count) }),
    /** Usage of a node or item that is not finished; the entry of its end has the total. */
    z.object({ type: z.literal('used'), ...at, ...used, index: z.exactOptional(count) }),
    /** An agent that works on the node, or on an item, called a tool. */
    z.object({ type: z.literal('called'), ...at, ...call, index: z.exactOptional(count) }),
    z.object({ type: z.literal('asked'), ...at }),
    z.object({ type: z.literal('answered'), ...at }),
    /** `index`: the item of a map. */
    z.object({ type: z.literal('retried'), ...at, attempt: count, message: z.string(), index: z.exactOptional(count) }),
    /** `branch`: the node that a map runs for the item, which is its branch or a fallback; `of`: the number of items. */
    z.object({ type: z.literal('item-begun'), ...at, index: count, of: count, branch: z.string() }),
    z.object({ type: z.literal('item-done'), ...at, ...item, ...used }),
    /** The map fails with this error. */
    z.object({ type: z.literal('item-failed'), ...at, index: count, message: z.string() }),
    z.object({ type: z.literal('node-done'), ...at, ...done, ...used }),
    z.object({ type: z.literal('node-failed'), ...at, durationMs: z.number(), message: z.string() }),
    z.object({ type: z.literal('step-done'), time: z.number(), step: count, next: z.array(z.string()) }),
    z.object({
      type: z.literal('ended'),
      time: z.number(),
      how: z.enum(['completed', 'rejected', 'failed', 'stopped', 'paused']),
      answer: z.exactOptional(z.string()),
      message: z.exactOptional(z.string()),
    }),
  ]),
);
export type GraphEntry = z.infer<typeof graphEntrySchema>;
export type EntryOf<T extends GraphEntry['type']> = Extract<GraphEntry, { type: T }>;
