import { yamlReady } from '../../content/yamlSource';
import { readGraph } from '../../graphs/format/readGraph';
import type { SeenScript } from '../../graphs/validation/graphWorld';
import { validateGraph } from '../../graphs/validation/validateGraph';
import type { AgentRuntimeParts } from '../agentRuntimeParts';
import type { GraphOfRun } from './graphOfRun';

/** Why a graph is not begun: what its validation found, in a sentence. Undefined when nothing stands against it. */
export async function refusedGraph(
  parts: Pick<AgentRuntimeParts, 'agents' | 'ports'>,
  { agent, file }: Pick<GraphOfRun, 'agent' | 'file'>,
): Promise<string | undefined> {
  const { text, path, graph } = file;
  await yamlReady(text);
  const agents = (await parts.agents.list()).map(({ name }) => name);
  const scripts = await missingScripts(parts, { agent, file });
  const found = validateGraph(readGraph(text, path), { agent: agent.name, agents, scripts });
  const [first, ...others] = found.filter(({ severity }) => severity === 'error');
  if (!first) return undefined;
  const more =
    others.length === 0 ? '' : ` There are ${others.length} more; cairn --validate ${path} shows all of them.`;
  const { line, column, message } = first;
  return `The graph “${graph.name}” was not begun, since it could not end well. ${path}:${line}:${column}: ${message}${more}`;
}

/** Of a script that is there its run says what is wrong. */
async function missingScripts(
  { ports: { files, paths } }: Pick<AgentRuntimeParts, 'ports'>,
  { agent: { folder }, file }: Pick<GraphOfRun, 'agent' | 'file'>,
): Promise<ReadonlyMap<string, SeenScript>> {
  const named = [...file.graph.nodes.values()].flatMap((node) => (node.type === 'script' ? [node.script] : []));
  const missing = await Promise.all(
    [...new Set(named)].map(async (script) => {
      if (folder === null) return [script];
      const found = await files.find(paths.resolve(folder, script)).catch(() => undefined);
      return found ? [] : [script];
    }),
  );
  return new Map(missing.flat().map((script) => [script, { kind: 'missing' }] as const));
}
