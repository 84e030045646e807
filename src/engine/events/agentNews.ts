import * as z from 'zod';
import { runOutcomeSchema } from './runOutcome';

/** An agent that another one started. */
export const spawnedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    agent: z.string(),
    childSessionId: z.string(),
    /** The call that started it; null when a task did. */
    callId: z.string().nullable(),
    task: z.string(),
  }),
);
export type SpawnedAgent = z.infer<typeof spawnedAgentSchema>;

/** What became of it; what it cost and did counts together with that of the agents that it started. */
export const finishedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    outcome: runOutcomeSchema,
    durationMs: z.number(),
    tokens: z.number(),
    costUsd: z.number(),
    /** What a part of it cost is not known, so the whole cost is more than `costUsd`. */
    unpriced: z.exactOptional(z.literal(true)),
    commands: z.int().default(0),
    /** The lines of each file by all changes to it; paths are relative to the workspace. */
    files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })).default([]),
  }),
);
export type FinishedAgent = z.infer<typeof finishedAgentSchema>;
export type AgentWork = Pick<FinishedAgent, 'commands' | 'files'>;
