import type { ContentProblem } from '../../content/contentProblem';
import { type ContentPlaces, contentRoots } from '../../content/contentRoots';
import { readText } from '../../content/readText';
import { PROVIDER_KEYS } from '../../llm/providers/providerKeys';
import { AgentLoader, type AgentLoaderPorts } from '../../agents/agentLoader';
import { SkillLoader } from '../../skills/skillLoader';
import { WORKSPACE_TOOL_FOLDER } from '../../scripts/scriptPlaces';
import { checkGraph, ownToolFolders } from './checkGraph';
import type { GraphSurroundings } from './graphWorldAt';

/** Where to find the neighbors of a graph file that is not in an open workspace. */
interface Surrounding {
  /** Absolute path of the agents folder that contains it; undefined if it is in none. */
  readonly agents: string | undefined;
  /**
   * Absolute path of the folder that contains `agents`, or of the workspace if that folder is `.cairn`; otherwise the graph's own
   * folder.
   */
  readonly home: string;
}

/**
 * Returns the problems of a graph file anywhere on disk that its loader does not report. `places`: what the graph may name in
 * addition to what surrounds it; without them only its own folder is considered.
 */
export async function checkGraphFile(
  path: string,
  places: ContentPlaces | undefined,
  ports: AgentLoaderPorts,
): Promise<readonly ContentProblem[]> {
  const { files, paths } = ports;
  const text = await readText(path, files);
  // The loader reports the reason.
  if (typeof text !== 'string') return [];
  const folder = paths.dirname(path);
  const around = surroundingOf(path, ports);
  const agent = around.agents === undefined ? paths.basename(folder) : paths.relative(around.agents, folder);
  const place = { agent, folder, within: around.home };
  const known = places ? await knownAt(around, places, ports) : { toolFolders: [] };
  return checkGraph(place, { path, text }, known, ports);
}

async function knownAt(
  { agents, home }: Surrounding,
  places: ContentPlaces,
  ports: AgentLoaderPorts,
): Promise<GraphSurroundings> {
  const { paths } = ports;
  const all = { ...places, workspaceFolders: [home] };
  const own = { scope: 'workspace', world: 'cairn', within: home } as const;
  const loader = { agents: new AgentLoader(ports), skills: new SkillLoader(ports) };
  const roots = {
    agents: [...contentRoots('agents', all, paths), ...(agents === undefined ? [] : [{ ...own, folder: agents }])],
    skills: [...contentRoots('skills', all, paths), { ...own, folder: paths.resolve(home, 'skills') }],
  };
  const [agentBatches, skillBatches] = await Promise.all([
    Promise.all(roots.agents.map((root) => loader.agents.readRoot(root))),
    Promise.all(roots.skills.map((root) => loader.skills.readRoot(root))),
  ]);
  return {
    agents: agentBatches.flatMap(({ items }) => items.map(({ name }) => name)),
    skills: skillBatches.flatMap(({ items }) => items.map(({ name }) => name)),
    tools: [],
    models: { providers: [...PROVIDER_KEYS.map(({ id }) => id), 'demo'], listed: [] },
    toolFolders: [
      ...ownToolFolders(places.configFolder, paths),
      ...ownToolFolders(home, paths),
      paths.resolve(home, WORKSPACE_TOOL_FOLDER),
    ],
    places,
  };
}

/** Infers the surroundings from the path: `.cairn/agents/NAME` of a workspace, `agents/NAME` of any folder, or the file alone. */
function surroundingOf(path: string, { paths }: AgentLoaderPorts): Surrounding {
  const slashed = path.replaceAll('\\', '/');
  const [, agents] = /^(.*\/agents?)\/.*$/.exec(slashed) ?? [];
  if (agents === undefined) return { agents, home: paths.dirname(path) };
  const around = paths.dirname(agents);
  return { agents, home: /\/\.(?:cairn|opencode)$/.test(around) ? paths.dirname(around) : around };
}
