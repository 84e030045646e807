import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { ContentPlaces } from '../../content/contentRoots';
import { isBelow } from '../../content/isBelow';
import type { Graph } from '../../graphs/graph';
import type { GraphWorld, SeenScript } from '../../graphs/validation/graphWorld';
import { wordsIn } from '../../graphs/validation/scriptText';
import { ServerFiles } from '../../mcp/readServers';
import type { ProgramFile } from '../../mcp/serverPlaces';
import { readRepositoryFile } from '../../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../../ports';
import { languageOf } from '../../scripts/scriptDescription';
import { AGENT_SCRIPTS } from '../../scripts/scriptPlaces';

/** What there is beside the files of a graph; what is absent is not checked. */
export interface GraphSurroundings extends Pick<GraphWorld, 'agents' | 'skills' | 'models'> {
  /** Those that Cairn has, or an extension brings. */
  readonly tools?: readonly string[];
  /** Absolute folders of scripts that are tools. */
  readonly toolFolders: readonly string[];
  /** Where MCP servers stand. */
  readonly places?: ContentPlaces;
}

/** The agent whose graph it is. */
export interface GraphPlace {
  readonly agent: string;
  /** Absolute. */
  readonly folder: string;
  /** Absolute; of what a workspace brings: links out of it are not followed. */
  readonly within: string | undefined;
}

type FilePorts = { files: FileSystem; paths: PathStyle };

/** More are not looked at: the validation takes them for what it cannot know. */
const MOST_SCRIPTS = 500;
const MOST_BYTES = 1024 * 1024;

/** What a graph may name, by what is known and by what lies in its folder. No script is run, and none is read that lies elsewhere. */
export async function graphWorldAt(
  place: GraphPlace,
  graph: Graph | undefined,
  known: GraphSurroundings,
  ports: FilePorts,
): Promise<GraphWorld> {
  const [scripts, servers, own] = await Promise.all([
    scriptsAt(place, graph, ports),
    known.places && serversFor(place, known.places, ports, graph?.mcpServers),
    ownTools(place, ports),
  ]);
  const { agents, skills, models, tools } = known;
  return {
    agent: place.agent,
    ...(agents && { agents }),
    ...(skills && { skills }),
    ...(models && { models }),
    ...(tools && { tools: [...tools, ...(await toolFiles(known.toolFolders, ports.files))] }),
    toolWords: own,
    ...(servers && { servers }),
    scripts,
  };
}

/** The scripts of a graph, by the paths that its nodes write. */
export async function scriptsAt(
  place: GraphPlace,
  graph: Graph | undefined,
  ports: FilePorts,
): Promise<ReadonlyMap<string, SeenScript>> {
  const nodes = graph ? [...graph.nodes.values()] : [];
  const scripts = [...new Set(nodes.flatMap((node) => (node.type === 'script' ? [node.script] : [])))];
  const seen = scripts
    .slice(0, MOST_SCRIPTS)
    .map(async (script): Promise<[string, SeenScript]> => [script, await seenScript(script, place, ports)]);
  return new Map(await Promise.all(seen));
}

async function seenScript(script: string, place: GraphPlace, ports: FilePorts): Promise<SeenScript> {
  const path = ports.paths.resolve(place.folder, script);
  if (!isBelow(path, place.folder, ports.paths)) return { kind: 'outside' };
  try {
    return { kind: 'text', text: await textOf(path, place, ports) };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isMissing = error.reason === 'not-found' || error.reason === 'not-directory';
    return isMissing ? { kind: 'missing' } : { kind: 'unreadable', why: errorText(error) };
  }
}

async function textOf(path: string, { within }: GraphPlace, ports: FilePorts): Promise<string> {
  if (within !== undefined) return new TextDecoder().decode(await readRepositoryFile(path, within, ports));
  const { kind, size } = await ports.files.stat(path);
  if (kind !== 'file') throw new EngineError('denied', `${path} is not a regular file.`);
  if (size > MOST_BYTES) throw new EngineError('denied', `${path} is larger than 1 MB.`);
  return new TextDecoder().decode(await ports.files.readFile(path));
}

/** The words of the script beside the agent that brings it tools. */
async function ownTools(place: GraphPlace, ports: FilePorts): Promise<ReadonlySet<string>> {
  for (const name of AGENT_SCRIPTS) {
    const seen = await seenScript(name, place, ports);
    if (seen.kind === 'text') return wordsIn(seen.text);
  }
  return new Set();
}

/** Scripts in folders of tools have the names of their tools. */
async function toolFiles(folders: readonly string[], files: FileSystem): Promise<string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const found = await files.find(folder).catch(() => undefined);
      return found?.kind === 'directory' ? files.readDirectory(folder).catch(() => []) : [];
    }),
  );
  return listed
    .flat()
    .filter(({ name }) => languageOf(name) !== undefined)
    .map(({ name }) => name.replace(/\.\w+$/, '').replaceAll('-', '_'));
}

/**
 * Ids of the MCP servers that a graph may name; undefined where nobody knows. `named`: those that it names. Files of other programs, which
 * may be large, are not read once all of these are known.
 */
export async function serversFor(
  { within, folder }: Pick<GraphPlace, 'within' | 'folder'>,
  { configFolder, programFiles, serverNames }: ContentPlaces,
  ports: FilePorts,
  named?: readonly string[],
): Promise<string[] | undefined> {
  if (configFolder === undefined) return undefined;
  const place = { workspace: within ?? folder, isHeard: within !== undefined };
  const idsIn = async (programs: readonly ProgramFile[]) => {
    const { servers } = await new ServerFiles(configFolder, ports, programs).read(place);
    return [...servers.map(({ id }) => id), ...Object.keys(serverNames?.() ?? {})];
  };
  const own = await idsIn([]);
  const areKnown = named?.every((name) => name === 'all' || own.includes(name));
  return programFiles === undefined || areKnown ? own : idsIn(await programFiles());
}
