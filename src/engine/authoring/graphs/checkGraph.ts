import type { AgentDefinition } from '../../agents/agentDefinition';
import { AgentLoader, type AgentLoaderPorts } from '../../agents/agentLoader';
import type { ContentProblem } from '../../content/contentProblem';
import { type ContentPlaces, type ContentRoot, contentRoots } from '../../content/contentRoots';
import { readText } from '../../content/readText';
import { yamlReady } from '../../content/yamlSource';
import { readGraph } from '../../graphs/format/readGraph';
import type { GraphFinding } from '../../graphs/validation/graphCheck';
import { validateGraph } from '../../graphs/validation/validateGraph';
import { graphsOf } from '../../graphs/validation/ways';
import { PROVIDER_KEYS } from '../../llm/provider';
import type { FileSystem, PathStyle } from '../../ports';
import { SkillLoader } from '../../skills/skillLoader';
import type { HelpNames } from '../contentHelp';
import { ownToolFolders, toolFoldersOf } from '../providedTools';
import { type GraphPlace, type GraphSurroundings, graphWorldAt } from './graphWorldAt';

type FilePorts = { files: FileSystem; paths: PathStyle };

/** Returns the problems of a graph that its loader does not report: unresolved names, and paths that a run could not follow. */
export async function checkGraph(
  place: GraphPlace,
  { path, text }: { path: string; text: string },
  known: GraphSurroundings,
  ports: FilePorts,
): Promise<GraphFinding[]> {
  await yamlReady(text);
  const file = readGraph(text, path);
  return validateGraph(file, await graphWorldAt(place, file.readable, known, ports));
}

/** Checks a file below an agents folder, using the names that an engine knows. */
export async function checkGraphAt(
  { root, path, text }: { root: ContentRoot; path: string; text: string },
  { places, names }: { places: () => ContentPlaces; names: HelpNames },
  ports: FilePorts,
): Promise<GraphFinding[]> {
  const known = await surroundings(places(), names, ports.paths);
  return checkGraph(graphPlace(root, path, ports.paths), { path, text }, known, ports);
}

/** Returns the place of a graph file below an agents folder. */
export function graphPlace(root: ContentRoot, path: string, paths: PathStyle): GraphPlace {
  const folder = paths.dirname(path);
  return { agent: paths.relative(root.folder, folder), folder, within: root.within };
}

async function surroundings(places: ContentPlaces, names: HelpNames, paths: PathStyle): Promise<GraphSurroundings> {
  const [agents, skills] = await Promise.all([names.agents(), names.skills()]);
  return {
    agents: agents.map(({ name }) => name),
    serversOf: serversOf(agents),
    graphOf: graphsOf(agents),
    skills: skills.map(({ name }) => name),
    tools: names.tools().map(({ name }) => name),
    models: { providers: names.providers(), listed: names.models().map(({ name }) => name) },
    toolFolders: toolFoldersOf(places, paths),
    places,
  };
}

function serversOf(agents: readonly Pick<AgentDefinition, 'name' | 'servers'>[]): Map<string, readonly string[]> {
  return new Map(agents.flatMap(({ name, servers }) => (servers ? [[name, servers] as const] : [])));
}

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
  const around = surroundingOf(path, paths);
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
  const agentItems = agentBatches.flatMap(({ items }) => items);
  return {
    agents: agentItems.map(({ name }) => name),
    serversOf: serversOf(agentItems),
    graphOf: graphsOf(agentItems),
    skills: skillBatches.flatMap(({ items }) => items.map(({ name }) => name)),
    tools: [],
    models: { providers: [...PROVIDER_KEYS.map(({ id }) => id), 'demo'], listed: [] },
    toolFolders: toolFoldersAround(home, places, paths),
    places,
  };
}

/** Infers the surroundings from the path: `.cairn/agents/NAME` of a workspace, `agents/NAME` of any folder, or the file alone. */
function surroundingOf(path: string, paths: PathStyle): Surrounding {
  const slashed = path.replaceAll('\\', '/');
  const [, agents] = /^(.*\/agents?)\/.*$/.exec(slashed) ?? [];
  if (agents === undefined) return { agents, home: paths.dirname(path) };
  const around = paths.dirname(agents);
  return { agents, home: /\/\.(?:cairn|opencode)$/.test(around) ? paths.dirname(around) : around };
}

/** Returns the folders of tools for an agent's file anywhere on disk. */
export function toolFoldersFor(path: string, places: ContentPlaces, paths: PathStyle): string[] {
  return toolFoldersAround(surroundingOf(path, paths).home, places, paths);
}

function toolFoldersAround(home: string, places: ContentPlaces, paths: PathStyle): string[] {
  return [...ownToolFolders(home, paths), ...toolFoldersOf({ ...places, workspaceFolders: [home] }, paths)];
}
