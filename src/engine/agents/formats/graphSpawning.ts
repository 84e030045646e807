import { agentDefaults, type SpawnSettings } from '../agentDefinition';

/** So many of its nodes and branches may have an agent at work; the graph has a limit of its own. */
const NO_LIMIT = 100_000;

/** How a graph starts agents: as many as it says itself, and their answers go on whole. */
export function graphSpawning(): SpawnSettings {
  const { spawning } = agentDefaults();
  return { ...spawning, on: true, maxConcurrent: NO_LIMIT, summarizeAbove: Number.MAX_SAFE_INTEGER };
}
