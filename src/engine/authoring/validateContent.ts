import { type AgentLoaderPorts, ownFolders, twoDefinitions } from '../agents/agentLoader';
import { isCommand } from '../commands/commandLoader';
import { noFrontMatter } from '../content/checkContent';
import type { ContentProblem } from '../content/contentProblem';
import { type ContentPlaces, type ContentRoot, type FoundKind, isBelow, PLUGIN_MARKS } from '../content/contentRoots';
import { filesBelow, programOf, programRoot } from '../content/filesBelow';
import { foreignFrontMatter } from '../content/foreignFrontMatter';
import { readProblem, readText } from '../content/readText';
import { EngineError } from '../engineError';
import type { PathStyle } from '../ports';

/** The result of a validation. */
interface Validated {
  /** The number of agents, skills, roles, and commands, valid or not. */
  files: number;
  problems: readonly ContentProblem[];
}

const CONFIG = 'config.yaml';
const GRAPH = 'graph.yaml';
const ROLE = /\/roles\/.*\.md$/;
/** Unreadable folders are only reported if their path suggests that they contain content. */
const MAY_HOLD = /\/(?:agents?|skills|roles)(?:\/|$)/;
const AGENT = /\/agents?\/.*\.md$|\/agents?\/(?:.*\/)?(?:config|graph)\.yaml$/;
/** OpenCode's settings, which may have agents and commands. */
const SETTINGS = /(?:^|[\\/])opencode\.jsonc?$/;
/** Deeper than any real repository. */
const DEEPEST = 40;
const DEFINITIONS: ReadonlySet<string> = new Set([CONFIG, GRAPH]);

interface ValidateOptions {
  /** What graphs may name in addition to what surrounds them. Without it those names are not checked. */
  places?: ContentPlaces;
  signal?: AbortSignal;
}

/**
 * Reads one file, or everything below a folder that is content by its place. A file that is passed itself counts as an agent if
 * its place implies nothing else. Files ignored by `.gitignore` are skipped. Takes an absolute path.
 */
export async function validateContent(
  named: string,
  ports: AgentLoaderPorts,
  { places, signal = new AbortController().signal }: ValidateOptions = {},
): Promise<Validated> {
  let path = named;
  try {
    path = await definitionIn(named, ports);
    const isFile = (await ports.files.stat(path)).kind === 'file';
    const unreadable: ContentProblem[] = [];
    const tell = (folder: string, error: unknown) => {
      if (MAY_HOLD.test(folder.replaceAll('\\', '/'))) unreadable.push(readProblem(folder, error));
    };
    const found = isFile ? [path] : await keptBelow(path, ports, signal, tell);
    const plugins = await pluginsIn(isFile ? ((await pluginOf(path, ports)) ?? []) : path, ports);
    const own = isFile ? found : await placed(withoutParts(found, path, ports.paths), path, plugins, ports);
    const read = await Promise.all(own.map((file) => problemsOf(file, isFile, { places, plugins, ports })));
    const looked = read.filter((one) => one !== undefined);
    const ofPlugins = isFile ? [] : plugins.problems;
    return { files: looked.length, problems: [...looked.flat(), ...unreadable, ...ofPlugins] };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return { files: 1, problems: [readProblem(path, error)] };
  }
}

/** Returns the graph.yaml of a folder that is passed itself, if it has one; otherwise the given path. */
async function definitionIn(named: string, { files, paths }: AgentLoaderPorts): Promise<string> {
  const graph = paths.resolve(named, GRAPH);
  const found = await files.find(graph).catch(() => undefined);
  return found?.kind === 'file' ? graph : named;
}

/** Returns the files that may be content, including those behind links, which a search does not follow. */
async function keptBelow(
  folder: string,
  { files, paths, search }: AgentLoaderPorts,
  signal: AbortSignal,
  onUnreadable: (folder: string, error: unknown) => void,
): Promise<string[]> {
  const include = '**/{*.md,*.yaml,*.toml,opencode.json,opencode.jsonc}';
  const listed = new Set((await search.glob({ root: folder, include, limit: 100_000 }, signal)).paths);
  const real = await files.realPath(folder);
  // In a whole repository, agent folders may be nested deeply, and Java packages may share their names.
  const below = (await filesBelow(folder, files, paths, { levels: DEEPEST, onUnreadable })).filter(
    (path) => /\.(?:md|yaml|toml)$/.test(path) || SETTINGS.test(path),
  );
  const isLinked = async (path: string) =>
    (await files.realPath(path)) !== paths.resolve(real, paths.relative(folder, path));
  const kept = await Promise.all(below.map(async (path) => listed.has(path) || (await isLinked(path))));
  return below.filter((_, index) => kept[index]);
}

/** Excludes files that belong to an agent folder, such as notes and assets. */
function withoutParts(found: readonly string[], root: string, paths: PathStyle): string[] {
  const inAgents = found.filter((file) => /[\\/]agents?[\\/].+[\\/][^\\/]+$/.test(file));
  const folders = ownFolders(inAgents, root, paths);
  return found.filter((file) => {
    const folder = folders.find((one) => isBelow(file, one, paths));
    return folder === undefined || (paths.dirname(file) === folder && DEFINITIONS.has(paths.basename(file)));
  });
}

/** Returns the files in places where agents, skills, and roles are looked up; `docs/agents/` of a repository, for example, is not one. */
async function placed(
  found: readonly string[],
  root: string,
  plugins: Plugins,
  { files, paths }: AgentLoaderPorts,
): Promise<string[]> {
  const isInside = /\/(?:agents?|roles)(?:\/|$)/.test(root.replaceAll('\\', '/'));
  const isOfPlugin = async (slashed: string) => {
    const [whole, plugin = '.'] = /^(?:(.*?)\/)?(?:agents|commands)\//.exec(slashed) ?? [];
    if (whole === undefined) return false;
    return isPlugin(paths.resolve(root, plugin), { files, paths });
  };
  const kept = await Promise.all(
    found.map(async (file) => {
      const relative = paths.relative(root, file);
      const isKnown = paths.basename(file) === 'SKILL.md' || SETTINGS.test(file) || programOf(file) !== undefined;
      if (isInside || isKnown) return true;
      if (/^(?:agents?|roles)\//.test(relative) || rootIn(plugins, file, paths)) return true;
      return isOfPlugin(relative);
    }),
  );
  return found.filter((_, at) => kept[at]);
}

/** The content of a folder's plugins, by kind. */
interface Plugins {
  readonly roots: readonly { readonly kind: FoundKind; readonly root: ContentRoot }[];
  readonly problems: readonly ContentProblem[];
}

async function pluginsIn(folders: string | readonly string[], ports: AgentLoaderPorts): Promise<Plugins> {
  const places = { workspaceFolders: [folders].flat() };
  const kinds = ['agents', 'skills', 'commands'] as const;
  const { pluginRoots } = await import('../content/pluginRoots');
  const found = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await pluginRoots(kind, places, ports)) })));
  // Every kind reads the same plugin lists, so the problems are identical.
  const [{ problems } = { problems: [] }] = found;
  return { roots: found.flatMap(({ kind, roots }) => roots.map((root) => ({ kind, root }))), problems };
}

function rootIn({ roots }: Plugins, file: string, paths: PathStyle): Plugins['roots'][number] | undefined {
  return roots.find(({ kind, root: { folder, only, world } }) => {
    if (kind === 'skills' && paths.basename(file) !== 'SKILL.md') return false;
    const isToml = (kind === 'commands' && world === 'gemini') || (kind === 'agents' && world === 'codex');
    return file.endsWith(isToml ? '.toml' : '.md') && (only?.includes(file) ?? isBelow(file, folder, paths));
  });
}

/** Reads a file by the conventions of its plugin. */
async function problemsIn(
  path: string,
  { kind, root }: Plugins['roots'][number],
  ports: AgentLoaderPorts,
): Promise<readonly ContentProblem[]> {
  const { AgentLoader, CommandLoader, SkillLoader } = await import('./contentLoaders');
  if (kind === 'skills') return (await new SkillLoader(ports).readFile(path, root)).problems;
  if (kind === 'commands') return (await new CommandLoader(ports).readFile(path, root)).problems;
  return (await new AgentLoader(ports).readFileOf(root, path)).problems;
}

interface Checking {
  readonly places: ContentPlaces | undefined;
  readonly plugins: Plugins;
  readonly ports: AgentLoaderPorts;
}

/** Returns undefined if the file is not Cairn content. */
async function problemsOf(
  path: string,
  isNamed: boolean,
  { places, plugins, ports }: Checking,
): Promise<readonly ContentProblem[] | undefined> {
  const { paths } = ports;
  const brought = rootIn(plugins, path, paths);
  if (brought) return problemsIn(path, brought, ports);
  if (SETTINGS.test(path)) return problemsInSettings(path, ports);
  const slashed = path.replaceAll('\\', '/');
  const plugin = await pluginOf(path, ports);
  const place = { scope: 'workspace', world: plugin === undefined ? worldOf(slashed) : 'claude' } as const;
  const commands = commandRoot(path, plugin, paths);
  if (commands) {
    const { CommandLoader } = await import('./contentLoaders');
    return (await new CommandLoader(ports).readFile(path, commands)).problems;
  }
  if (paths.basename(path) === 'SKILL.md') {
    const openKeys = isAnybodys(path, places, paths);
    const root: ContentRoot = { ...place, folder: paths.dirname(paths.dirname(path)), ...(openKeys && { openKeys }) };
    const { SkillLoader } = await import('./contentLoaders');
    return (await new SkillLoader(ports).readFile(path, root)).problems;
  }
  if (ROLE.test(slashed)) {
    const { RoleLoader } = await import('./contentLoaders');
    return (await new RoleLoader(ports).readFile(path, { ...place, folder: paths.dirname(path) })).problems;
  }
  // Files in a skill's folder belong to that skill.
  const isAgent = (AGENT.test(slashed) || isProgramAgent(path)) && !/\/skills\//.test(slashed);
  if (!isAgent && !isNamed) return undefined;
  const { AgentLoader } = await import('./contentLoaders');
  const loader = new AgentLoader(ports);
  const foreign = foreignRoot(path, plugin, paths);
  const written = foreign ? undefined : await writtenIn(path, places, ports);
  if (written === 'text' && !isNamed) return [{ ...noFrontMatter(path, false), severity: 'warning' }];
  const root = foreign ?? (written === 'claude' ? claudeRoot(paths.dirname(path)) : undefined);
  const { problems: all } = await (root ? loader.readFileOf(root, path) : loader.readFile(path));
  const problems = places ? await withoutScripts(all, path, places, ports) : all;
  if (paths.basename(path) !== GRAPH) return problems;
  const { checkGraphFile } = await import('./graphs/checkGraph');
  const twin = await ports.files.find(paths.resolve(paths.dirname(path), CONFIG)).catch(() => undefined);
  return [...problems, ...(twin ? [twoDefinitions(path)] : []), ...(await checkGraphFile(path, places, ports))];
}

/** Leaves out the problems about tools that scripts around an agent's file provide. */
async function withoutScripts(
  problems: readonly ContentProblem[],
  path: string,
  places: ContentPlaces,
  { files, paths }: AgentLoaderPorts,
): Promise<readonly ContentProblem[]> {
  if (problems.every(({ lacksTool }) => lacksTool === undefined)) return problems;
  const [{ toolFoldersFor }, { withoutProvided }] = await Promise.all([
    import('./graphs/checkGraph'),
    import('./providedTools'),
  ]);
  return withoutProvided(problems, { tools: [], folders: toolFoldersFor(path, places, paths) }, files);
}

/** Whether a file is an agent by the folder of its tool. */
function isProgramAgent(path: string): boolean {
  const root = programRoot('agents', path);
  return root !== undefined && path.endsWith(root.world === 'codex' ? '.toml' : '.md');
}

/** Returns undefined if the settings have no agents or commands and can be read. */
async function problemsInSettings(
  path: string,
  ports: AgentLoaderPorts,
): Promise<readonly ContentProblem[] | undefined> {
  const root = { folder: path, scope: 'workspace', world: 'opencode' } as const;
  const { AgentLoader, CommandLoader } = await import('./contentLoaders');
  const agents = await new AgentLoader(ports).readRoot(root);
  const isBroken = agents.problems.some(({ kind }) => kind !== 'schema');
  const commands = isBroken ? { items: [], problems: [] } : await new CommandLoader(ports).readRoot(root);
  const problems = [...agents.problems, ...commands.problems];
  return agents.items.length + commands.items.length + problems.length === 0 ? undefined : problems;
}

async function isPlugin(folder: string, { files, paths }: Pick<AgentLoaderPorts, 'files' | 'paths'>): Promise<boolean> {
  const found = PLUGIN_MARKS.map((mark) => files.find(paths.resolve(folder, mark)).catch(() => undefined));
  return (await Promise.all(found)).some((one) => one !== undefined);
}

/** Returns the closest parent folder that is a plugin, if there is one. */
async function pluginOf(path: string, ports: AgentLoaderPorts): Promise<string | undefined> {
  const { paths } = ports;
  if (programOf(path) !== undefined) return undefined;
  for (let at = paths.dirname(path); ; at = paths.dirname(at)) {
    if (await isPlugin(at, ports)) return at;
    if (paths.dirname(at) === at) return undefined;
  }
}

function commandRoot(path: string, plugin: string | undefined, paths: PathStyle): ContentRoot | undefined {
  const ofPlugin = plugin === undefined ? undefined : paths.resolve(plugin, 'commands');
  if (ofPlugin !== undefined && path.endsWith('.md') && isBelow(path, ofPlugin, paths))
    return { folder: ofPlugin, scope: 'workspace', world: 'claude' };
  const root = programRoot('commands', path);
  return root && isCommand(path, root) ? root : undefined;
}

/** Returns the root of an agent whose folder does not imply a format. */
function foreignRoot(path: string, plugin: string | undefined, paths: PathStyle): ContentRoot | undefined {
  if (!path.endsWith('.md') || programOf(path) !== undefined) return undefined;
  const folder = paths.dirname(path);
  if (/\.(?:agent|chatmode)\.md$/.test(path)) return { folder, scope: 'workspace', world: 'copilot' };
  return plugin === undefined ? undefined : claudeRoot(folder);
}

/** A key that only Claude Code's agents have, or a value as they write it: a short model name, tools as `Read, Grep`. */
const FOR_CLAUDE =
  /^(?:(?:disallowedTools|permissionMode|maxTurns|mcpServers):|model: *["']?(?:sonnet|opus|haiku|fable|best|opusplan|inherit)\b|tools: *["'[]*(?:[A-Z][a-z]|mcp__)|tools:[^\S\n]*\n\s*- *["']?(?:[A-Z][a-z]|mcp__))/m;

/**
 * The format of a Markdown file whose location belongs to no program: `claude` if its front matter shows Claude Code's format, as in
 * collections that keep agents in a plain `agents/` folder, and `text` if it has none. Undefined for every other file.
 */
async function writtenIn(
  path: string,
  places: ContentPlaces | undefined,
  { files, paths }: AgentLoaderPorts,
): Promise<'claude' | 'text' | undefined> {
  if (!path.endsWith('.md') || programOf(path) !== undefined) return undefined;
  if (isOwn(path, places, paths)) return undefined;
  const text = await readText(path, files);
  if (typeof text !== 'string') return undefined;
  const { head, unclosed } = foreignFrontMatter(text);
  if (head === null) return unclosed ? undefined : 'text';
  return FOR_CLAUDE.test(head) ? 'claude' : undefined;
}

function claudeRoot(folder: string): ContentRoot {
  return { folder, scope: 'workspace', world: 'claude' };
}

/** Any program folder other than Cairn's makes its content foreign, even if the program is unknown. */
function worldOf(path: string): ContentRoot['world'] {
  const isOthers = ![undefined, 'cairn'].includes(programOf(path));
  return isOthers || /\/\.(?!cairn\/|config\/)[\w-]+\/(?:[^./][^/]*\/)*skills?\//.test(path) ? 'shared' : 'cairn';
}

/** Whether a skill is outside Cairn's own folders, so that it is unknown which tool it was written for. */
function isAnybodys(path: string, places: ContentPlaces | undefined, paths: PathStyle): boolean {
  return !/[\\/]\.cairn[\\/]/.test(path) && !isOwn(path, places, paths);
}

function isOwn(path: string, places: ContentPlaces | undefined, paths: PathStyle): boolean {
  const own = [places?.configFolder, places?.assetsFolder].filter((one) => one !== undefined);
  return own.some((folder) => isBelow(path, folder, paths));
}
