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
  /** Why its branch failed, where its `fallback` led around that. */
  failure: z.exactOptional(z.string()),
  /** The node whose answer that is. */
  by: z.exactOptional(z.string()),
};
const done = {
  durationMs: z.number(),
  writes: z.array(z.object({ key: z.string(), value: jsonSchema })),
  targets: z.array(z.string()),
  end: z.exactOptional(z.string()),
  output: z.exactOptional(jsonSchema),
  sessionId: z.exactOptional(z.string()),
  /** Why it failed, where its `fallback` led around that. */
  failure: z.exactOptional(z.string()),
};

/**
 * One line of the record of a run of a graph. Lines are only added; what is known of the run follows from them alone. Times are
 * milliseconds since the epoch. Made when a record is read.
 */
export const graphEntrySchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('begun'),
      version: z.literal(1),
      id: z.string(),
      time: z.number(),
      agent: z.string(),
      /** Absolute; where the graph was read. */
      path: z.string(),
      /** The whole file as it was then. */
      graph: z.string(),
      prompt: z.string(),
      /** The run of which this one goes on from an earlier point, with what a person changed in the state. */
      from: z.exactOptional(z.object({ id: z.string(), step: count })),
    }),
    /** The state, where it does not follow from what was written: as a person made it. */
    z.object({ type: z.literal('edited'), time: z.number(), step: count, state: jsonObjectSchema }),
    /** The run goes on after it was stopped. */
    z.object({ type: z.literal('resumed'), time: z.number() }),
    z.object({ type: z.literal('node-started'), ...at }),
    /** An agent is about to work on the node, or on an item of its map, in a session of its own. */
    z.object({ type: z.literal('agent-begun'), ...at, sessionId: z.string(), index: z.exactOptional(count) }),
    /** What requests used of a node that is not done, or of an item; its end tells all that it used. */
    z.object({ type: z.literal('used'), ...at, ...used, index: z.exactOptional(count) }),
    /** A tool was used by an agent that works on the node, or on an item. */
    z.object({ type: z.literal('called'), ...at, ...call, index: z.exactOptional(count) }),
    z.object({ type: z.literal('asked'), ...at }),
    z.object({ type: z.literal('answered'), ...at }),
    /** `index`: of an item of a map. */
    z.object({ type: z.literal('retried'), ...at, attempt: count, message: z.string(), index: z.exactOptional(count) }),
    /** `branch`: the node that a map runs for one of so many items: its branch, or what stands in for that. */
    z.object({ type: z.literal('item-begun'), ...at, index: count, of: count, branch: z.string() }),
    z.object({ type: z.literal('item-done'), ...at, ...item, ...used }),
    /** The map fails with it. */
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
