import { errorText } from '../../../base/errors';
import { type ContentPlaces, isBelow } from '../../content/contentRoots';
import { EngineError } from '../../engineError';
import type { Graph } from '../../graphs/graph';
import {
  type GraphWorld,
  type ScriptLink,
  type SeenScript,
  type WaitingServer,
  wordsIn,
} from '../../graphs/validation/graphWorld';
import { startsFrom } from '../../graphs/validation/ways';
import { McpConsents } from '../../mcp/mcpChoices';
import type { McpServer } from '../../mcp/mcpServer';
import { ServerFiles } from '../../mcp/readServers';
import type { ProgramFile } from '../../mcp/serverPlaces';
import { readRepositoryFile } from '../../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../../ports';
import { ScriptConsents } from '../../scripts/scriptFiles';
import { AGENT_SCRIPTS } from '../../scripts/scriptPlaces';
import { digestOf } from '../../tools/files/seenFiles';
import { toolsIn } from '../providedTools';

/** What is known beyond the files of a graph. Checks for absent fields are skipped. */
export interface GraphSurroundings extends Pick<GraphWorld, 'agents' | 'skills' | 'models' | 'serversOf'> {
  /** Tools of Cairn and of extensions. */
  readonly tools?: readonly string[];
  /** Absolute paths of folders whose scripts are tools. */
  readonly toolFolders: readonly string[];
  /** Locations of the files that configure MCP servers. */
  readonly places?: ContentPlaces;
  /** Returns the graph of an agent; undefined if it has none that can be read. */
  readonly graphOf?: (agent: string) => Promise<Graph | undefined>;
}

/** The agent that a graph belongs to. */
export interface GraphPlace {
  readonly agent: string;
  /** Absolute path. */
  readonly folder: string;
  /** Absolute path; set for content of a workspace: links that lead out of it are not followed. */
  readonly within: string | undefined;
}

type FilePorts = { files: FileSystem; paths: PathStyle };

/** Scripts beyond this number are not read; the validation treats them as unknown. */
const MOST_SCRIPTS = 500;
const MOST_BYTES = 1024 * 1024;

/** Collects what a graph may name, from what is known and from its folder. Runs no script and reads none outside that folder. */
export async function graphWorldAt(
  place: GraphPlace,
  graph: Graph | undefined,
  known: GraphSurroundings,
  ports: FilePorts,
): Promise<GraphWorld> {
  const [scripts, servers, own, starts] = await Promise.all([
    scriptsAt(place, graph, ports, consentsFor(place, known.places, ports)),
    known.places && knownServers(place, known.places, ports, namedServers(graph, known)),
    ownTools(place, ports),
    graph && known.graphOf && startsFrom(graph, known.graphOf),
  ]);
  const { agents, skills, models, tools, serversOf } = known;
  const visibleSkills = known.places?.visibleSkills?.();
  return {
    agent: place.agent,
    ...(agents && { agents }),
    ...(skills && { skills }),
    ...(models && { models }),
    ...(tools && { tools: [...tools, ...(await toolsIn(known.toolFolders, ports.files))] }),
    toolWords: own,
    ...(visibleSkills && { visibleSkills }),
    ...(servers && { servers: servers.ids, waitingServers: servers.waiting }),
    ...(serversOf && { serversOf }),
    ...(starts && { starts }),
    scripts,
  };
}

/** Returns the user's answers about scripts; undefined if a run does not ask about those of the graph, because they are the user's. */
function consentsFor(
  { within, folder }: GraphPlace,
  { configFolder }: Pick<ContentPlaces, 'configFolder'> = {},
  ports: FilePorts,
): ScriptConsents | undefined {
  if (within === undefined || configFolder === undefined || isBelow(folder, configFolder, ports.paths))
    return undefined;
  return new ScriptConsents(configFolder, ports);
}

/** Reads the scripts of a graph, keyed by their paths as written in the nodes. `consents`: adds whether a run asks about them. */
export async function scriptsAt(
  place: GraphPlace,
  graph: Graph | undefined,
  ports: FilePorts,
  consents?: ScriptConsents,
): Promise<ReadonlyMap<string, SeenScript>> {
  const nodes = graph ? [...graph.nodes.values()] : [];
  const scripts = [...new Set(nodes.flatMap((node) => (node.type === 'script' ? [node.script] : [])))];
  const seen = scripts
    .slice(0, MOST_SCRIPTS)
    .map(async (script): Promise<[string, SeenScript]> => [
      script,
      await withConsent(
        await seenScript(script, place, ports),
        ports.paths.resolve(place.folder, script),
        consents,
        ports,
      ),
    ]);
  return new Map(await Promise.all(seen));
}

async function seenScript(script: string, place: GraphPlace, ports: FilePorts): Promise<SeenScript> {
  const path = ports.paths.resolve(place.folder, script);
  if (!isBelow(path, place.folder, ports.paths)) {
    return { kind: 'outside', at: await ports.files.realPath(path).catch(() => path) };
  }
  const linked = async () => {
    const link = await linkAt(path, place.folder, ports).catch(() => undefined);
    return link && { link };
  };
  try {
    return { kind: 'text', text: await textOf(path, place, ports), ...(await linked()) };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const isMissing = error.reason === 'not-found' || error.reason === 'not-directory';
    return {
      ...(isMissing ? { kind: 'missing' } : { kind: 'unreadable', why: errorText(error) }),
      ...(await linked()),
    };
  }
}

/** Returns where a path inside a folder leads; undefined if neither it nor a folder on the way is a link. */
async function linkAt(path: string, folder: string, { files, paths }: FilePorts): Promise<ScriptLink | undefined> {
  const [home, to] = await Promise.all([files.realPath(folder), files.realPath(path)]);
  if (to === paths.resolve(home, paths.relative(folder, path))) return undefined;
  return { to, isOutside: !isBelow(to, home, paths) };
}

async function withConsent(
  seen: SeenScript,
  path: string,
  consents: ScriptConsents | undefined,
  { files }: FilePorts,
): Promise<SeenScript> {
  if (seen.kind !== 'text' || !consents) return seen;
  const digest = await digestOf(files, seen.text);
  // While the answers cannot be read, every script asks.
  const state = await consents.stateOf({ file: { path }, scope: 'workspace', digest }).catch(() => 'unseen' as const);
  return state === 'seen' ? seen : { ...seen, consent: state };
}

async function textOf(path: string, { within }: GraphPlace, ports: FilePorts): Promise<string> {
  if (within !== undefined) return new TextDecoder().decode(await readRepositoryFile(path, within, ports));
  const { kind, size } = await ports.files.stat(path);
  if (kind !== 'file') throw new EngineError('denied', `${path} is not a regular file.`);
  if (size > MOST_BYTES) throw new EngineError('denied', `${path} is larger than 1 MB.`);
  return new TextDecoder().decode(await ports.files.readFile(path));
}

/** Returns the words of the script next to the agent that provides its tools. */
async function ownTools(place: GraphPlace, ports: FilePorts): Promise<ReadonlySet<string>> {
  for (const name of AGENT_SCRIPTS) {
    const seen = await seenScript(name, place, ports);
    if (seen.kind === 'text') return wordsIn(seen.text);
  }
  return new Set();
}

/** Returns the IDs of the MCP servers that a graph may name; undefined if unknown. */
export async function serversFor(
  place: Pick<GraphPlace, 'within' | 'folder'>,
  places: ContentPlaces,
  ports: FilePorts,
): Promise<readonly string[] | undefined> {
  return (await knownServers(place, places, ports))?.ids;
}

/** Returns the servers that a graph and the agents of its nodes name. */
function namedServers(graph: Graph | undefined, { serversOf }: Pick<GraphSurroundings, 'serversOf'>): string[] {
  if (!graph) return [];
  const agents = [...graph.nodes.values()].flatMap((node) => (node.type === 'agent' ? [node.agent] : []));
  return [...graph.mcpServers, ...new Set(agents.flatMap((agent) => serversOf?.get(agent) ?? []))];
}

/** The MCP servers that a graph may name. */
interface KnownServers {
  /** Includes aliases. */
  readonly ids: readonly string[];
  readonly waiting: NonNullable<GraphWorld['waitingServers']>;
}

/**
 * Returns undefined if the servers are unknown. `named`: those that the graph uses. If all of them are in Cairn's own files, the
 * files of other programs, which can be large, are not read.
 */
async function knownServers(
  { within, folder }: Pick<GraphPlace, 'within' | 'folder'>,
  { configFolder, programFiles, serverNames, workspaceFolders }: ContentPlaces,
  ports: FilePorts,
  named?: readonly string[],
): Promise<KnownServers | undefined> {
  if (configFolder === undefined) return undefined;
  // The user's own graph runs in any workspace, with its servers.
  const workspaces = within === undefined ? workspaceFolders : [within];
  const asked = [
    ...workspaces.map((workspace) => ({ workspace, isHeard: true })),
    ...(workspaces.length === 0 ? [{ workspace: folder, isHeard: false }] : []),
  ];
  const aliases = serverNames?.() ?? {};
  const serversIn = async (programs: readonly ProgramFile[]) => {
    const found = new ServerFiles(configFolder, ports, programs);
    const all = await Promise.all(asked.map((place) => found.read(place)));
    const servers = all.flatMap((one) => one.servers);
    return { servers, ids: [...new Set([...servers.map(({ id }) => id), ...Object.keys(aliases)])] };
  };
  const own = await serversIn([]);
  const areKnown = named?.every((name) => name === 'all' || own.ids.includes(name));
  const { servers, ids } = programFiles === undefined || areKnown ? own : await serversIn(await programFiles());
  const isUsed = ({ id }: McpServer) =>
    named?.some((name) => name === 'all' || name === id || aliases[name]?.includes(id));
  const waiting = await waitingAmong(servers.filter(isUsed), new McpConsents(configFolder, ports));
  return { ids, waiting: byName(waiting, aliases) };
}

/** Returns the servers that the user has not allowed. */
async function waitingAmong(servers: readonly McpServer[], consents: McpConsents): Promise<WaitingServer[]> {
  const found = await Promise.all(
    servers.map(async (server): Promise<WaitingServer[]> => {
      // While the answers cannot be read, no server of a workspace is started.
      const { kind: consent } = await consents.stateOf(server).catch(() => ({ kind: 'unasked' }) as const);
      const { id, source } = server;
      return consent === 'allowed' ? [] : [{ id, path: source.path, line: source.line, consent }];
    }),
  );
  return found.flat();
}

/** Groups servers by what graphs may call them: their ids, aliases, and `all`. */
function byName(waiting: readonly WaitingServer[], aliases: Readonly<Record<string, readonly string[]>>) {
  if (waiting.length === 0) return new Map<string, readonly WaitingServer[]>();
  const named = (ids: readonly string[]) => waiting.filter(({ id }) => ids.includes(id));
  return new Map<string, readonly WaitingServer[]>([
    ['all', waiting],
    ...Object.entries(aliases).map(([alias, ids]) => [alias, named(ids)] as const),
    ...waiting.map(({ id }) => [id, named([id])] as const),
  ]);
}
