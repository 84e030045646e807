import type { ContentPlaces, ContentRoot } from '../../content/contentRoots';
import { yamlReady } from '../../content/yamlSource';
import { readGraph } from '../../graphs/format/readGraph';
import type { GraphFinding } from '../../graphs/validation/findings';
import { validateGraph } from '../../graphs/validation/validateGraph';
import type { FileSystem, PathStyle } from '../../ports';
import { OWN_TOOL_FOLDERS, WORKSPACE_TOOL_FOLDER } from '../../scripts/scriptPlaces';
import type { HelpNames } from '../contentHelp';
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
  const { configFolder, workspaceFolders } = places;
  const [agents, skills] = await Promise.all([names.agents(), names.skills()]);
  return {
    agents: agents.map(({ name }) => name),
    skills: skills.map(({ name }) => name),
    tools: names.tools().map(({ name }) => name),
    models: { providers: names.providers(), listed: names.models().map(({ name }) => name) },
    toolFolders: [
      ...ownToolFolders(configFolder, paths),
      ...workspaceFolders.map((folder) => paths.resolve(folder, WORKSPACE_TOOL_FOLDER)),
    ],
    places,
  };
}

/** Returns the tool folders of Cairn's configuration folder, or of a folder with the same layout. */
export function ownToolFolders(folder: string | undefined, paths: PathStyle): string[] {
  return folder === undefined ? [] : OWN_TOOL_FOLDERS.map((one) => paths.resolve(folder, one));
}
