import { checkContent } from '../../content/checkContent';
import type { ContentProblem } from '../../content/contentProblem';
import { originalModelId } from '../../content/writtenNames';
import { yamlReady } from '../../content/yamlSource';
import { EngineError } from '../../engineError';
import type { AgentGraph } from '../../graphs/desk';
import type { GraphFields } from '../../graphs/format/graphFields';
import { readGraph } from '../../graphs/format/readGraph';
import { budgetLimits, type Graph } from '../../graphs/graph';
import { agentDefaults, type AgentDefinition, type AgentDraft, type AgentFile } from '../agentDefinition';
import { agentVariablesSchema, type WrittenVariables } from './agentFields';
import { coyoteTools } from './coyoteTools';
import { graphSpawning } from './graphSpawning';

/** Reads `agents/<name>/graph.yaml`; the folder's name is the agent's. `folder`: absolute path. */
export function readGraphAgent({ text, source, name }: AgentFile, folder: string): AgentDraft {
  const { graph, fields, problems, yaml } = readGraph(text, source.path);
  if (!graph || !fields) return { agent: undefined, problems: [...problems] };
  const within = { ...yaml, data: { variables: fields.variables ?? [] } };
  const variables = checkContent(within, agentVariablesSchema);
  const all = [...problems, ...variables.problems];
  if (!variables.value) return { agent: undefined, problems: all };
  const file = { graph, text, path: source.path };
  const agent = definitionOf(graph, fields, variables.value);
  const { tools, unmapped } = coyoteTools(graph.globalTools, agent);
  const unknown = unmapped.map(({ name: lacksTool, message, meant }): ContentProblem => ({
    kind: 'schema',
    severity: 'warning',
    path: source.path,
    message,
    lacksTool,
    ...(meant && { meant }),
    ...yaml.position(['global_tools'], 'key'),
  }));
  return {
    agent: { ...agent, name, source, folder, tools, graph: { path: source.path, load: () => Promise.resolve(file) } },
    problems: [...all, ...unknown],
  };
}

function definitionOf(
  graph: Graph,
  fields: GraphFields,
  { variables }: WrittenVariables,
): Omit<AgentDefinition, 'name' | 'source'> {
  const base = agentDefaults();
  const { settings } = graph;
  const hasAgents = [...graph.nodes.values()].some(({ type }) => type === 'agent');
  return {
    ...base,
    prompt: '',
    description: graph.description,
    ...(fields.model && { model: originalModelId(fields.model) }),
    ...(graph.temperature !== undefined && { temperature: graph.temperature }),
    ...(graph.topP !== undefined && { topP: graph.topP }),
    ...(graph.effort !== undefined && { effort: graph.effort }),
    ...(graph.mcpServers.length > 0 && { servers: graph.mcpServers }),
    variables,
    starters: fields.conversation_starters ?? [],
    skills: { ...graph.skills },
    limits: settings.budget ? budgetLimits(settings.budget) : {},
    spawning: { ...graphSpawning(), on: hasAgents },
  };
}

/** Reads the graph file of an agent that is defined in another file. Throws EngineError `invalid-input`. */
export async function agentGraph(text: string, path: string): Promise<AgentGraph> {
  await yamlReady(text);
  const { graph, problems } = readGraph(text, path);
  if (graph) return { graph, text, path };
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  throw new EngineError('invalid-input', `${path}:${first?.line ?? 1}: ${first?.message ?? 'This is not a graph.'}`);
}
