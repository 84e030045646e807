import * as z from 'zod';
import { runOutcomeSchema } from './runOutcome';

/** An agent that another one started. */
export const spawnedAgentSchema = z.object({
  agentId: z.string(),
  agent: z.string(),
  childSessionId: z.string(),
  /** The call that started it; null when a task did. */
  callId: z.string().nullable(),
  task: z.string(),
});
export type SpawnedAgent = z.infer<typeof spawnedAgentSchema>;

/** What became of it, and what it cost together with the agents that it started. */
export const finishedAgentSchema = z.object({
  agentId: z.string(),
  outcome: runOutcomeSchema,
  durationMs: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
});
export type FinishedAgent = z.infer<typeof finishedAgentSchema>;
