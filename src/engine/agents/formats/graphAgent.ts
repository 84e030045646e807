import { checkContent } from '../../content/checkContent';
import type { ContentProblem } from '../../content/contentProblem';
import { modelId } from '../../content/writtenNames';
import { readGraph } from '../../graphs/format/readGraph';
import type { GraphFields } from '../../graphs/format/graphFields';
import type { Graph } from '../../graphs/graph';
import { type AgentDraft, type AgentFile, agentDefaults, type AgentDefinition } from '../agentDefinition';
import { agentVariablesSchema, type WrittenVariables } from './agentFields';
import { coyoteTools } from './coyoteTools';

/** So many of its nodes and branches may have an agent at work; the graph has a limit of its own. */
const NO_LIMIT = 100_000;

/** `agents/<name>/graph.yaml`: the folder's name is the agent's. `folder`: absolute. */
export function readGraphAgent({ text, source, name }: AgentFile, folder: string): AgentDraft {
  const { graph, fields, problems, yaml } = readGraph(text, source.path);
  if (!graph || !fields) return { agent: undefined, problems };
  const within = { ...yaml, data: { variables: fields.variables ?? [] } };
  const variables = checkContent(within, agentVariablesSchema);
  const all = [...problems, ...variables.problems];
  if (!variables.value) return { agent: undefined, problems: all };
  const agent = definitionOf(graph, fields, variables.value);
  const { tools, unmapped } = coyoteTools(graph.globalTools, agent);
  const unknown = unmapped.map(({ message, meant }): ContentProblem => ({
    ...{ kind: 'schema', severity: 'warning', path: source.path, message, ...(meant && { meant }) },
    ...yaml.position(['global_tools'], 'key'),
  }));
  return {
    agent: { ...agent, name, source, folder, tools, graph: { graph, text, path: source.path } },
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
  const { tokens, cost } = settings.budget ?? {};
  return {
    ...base,
    prompt: '',
    description: graph.description,
    ...(fields.model && { model: modelId(fields.model) }),
    ...(graph.temperature !== undefined && { temperature: graph.temperature }),
    ...(graph.topP !== undefined && { topP: graph.topP }),
    servers: graph.mcpServers,
    variables,
    starters: fields.conversation_starters ?? [],
    skills: { ...graph.skills },
    limits: {
      turns: NO_LIMIT,
      ...(settings.timeoutMs !== undefined && { timeMs: settings.timeoutMs }),
      ...(tokens !== undefined && { tokens }),
      ...(cost !== undefined && { costUsd: cost }),
    },
    spawning: { ...base.spawning, on: hasAgents, maxConcurrent: NO_LIMIT, summarizeAbove: Number.MAX_SAFE_INTEGER },
  };
}
