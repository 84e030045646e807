import { agentDefaults, type SpawnSettings } from '../agentDefinition';

/** Effectively unlimited: the graph has its own limit for nodes and branches that run an agent. */
const NO_LIMIT = 100_000;

/** How a graph starts agents: with its own limits, and without summarizing their answers. */
export function graphSpawning(): SpawnSettings {
  const { spawning } = agentDefaults();
  return { ...spawning, on: true, maxConcurrent: NO_LIMIT, summarizeAbove: Number.MAX_SAFE_INTEGER };
}
