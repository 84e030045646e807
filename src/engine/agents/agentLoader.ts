import { splitFrontMatter } from '../../base/frontMatter';
import { fileNote, forPeople, unseenProblems } from '../content/checkContent';
import type { ContentBatch } from '../content/contentCatalog';
import { type ContentProblem, type ContentSource, MEMORY } from '../content/contentProblem';
import { type ContentRoot, isBelow } from '../content/contentRoots';
import {
  filesBelow,
  filesOf,
  isConfigRoot,
  programRoot,
  readConfigRoot,
  withPluginFolder,
} from '../content/filesBelow';
import { foreignFrontMatter } from '../content/foreignFrontMatter';
import { notText, readProblem, readText } from '../content/readText';
import { yamlReady } from '../content/yamlSource';
import { EngineError } from '../engineError';
import type { FileSearch, FileSystem, PathStyle } from '../ports';
import { decodeText } from '../tools/files/formats/textFile';
import type { AgentDefinition, AgentDraft, AgentFile } from './agentDefinition';
import { readClaudeAgent } from './formats/claudeAgent';
import { readCopilotAgent } from './formats/copilotAgent';
import { readCoyoteAgent } from './formats/coyoteAgent';
import { readCursorAgent } from './formats/cursorAgent';
import { readGeminiAgent } from './formats/geminiAgent';
import { graphSpawning } from './formats/graphSpawning';
import { openCodeAgents, readMarkdownAgent } from './formats/markdownAgent';
import { mergedAgent } from './formats/mergedAgent';

export interface AgentLoaderPorts {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
}

const CONFIG = 'config.yaml';
const GRAPH = 'graph.yaml';
/** The file with the modes of Roo Code or Kilo Code. */
const MODES = /[\\/]\.(?:roo|kilocode)modes$/;
/** The worlds in which a folder may be an agent. */
const FOLDERS_OF: ReadonlySet<ContentRoot['world']> = new Set(['cairn', 'opencode', 'shared']);

type AgentBatch = ContentBatch<AgentDefinition>;

/** Reads agents in every format, from a folder, a file, a string, or bytes. Reports unreadable files as problems of the batch. */
export class AgentLoader {
  constructor(private readonly ports: AgentLoaderPorts) {}

  /** Reads a folder of agents by the conventions of its world. */
  async readRoot(root: ContentRoot): Promise<AgentBatch> {
    if (isConfigRoot(root)) return this.readConfig(root);
    if (MODES.test(root.folder)) return this.readModes(root);
    const problems: ContentProblem[] = [];
    const onUnreadable = (path: string, error: unknown) => problems.push(readProblem(path, error));
    try {
      const found = await filesOf(root, this.ports.files, this.ports.paths, { onUnreadable });
      return joined([await this.readFiles(found, root), { items: [], problems }]);
    } catch (error) {
      return { items: [], problems: [readProblem(root.folder, error)] };
    }
  }

  /** Reads `agent/**` and `agents/**` of any folder, except paths ignored by `.gitignore`. */
  async readDirectory(folder: string, signal: AbortSignal): Promise<AgentBatch> {
    const { paths, search } = this.ports;
    try {
      const include = '{agent,agents}/**/{*.md,*.yaml}';
      const { paths: found } = await search.glob({ root: folder, include, limit: 10_000 }, signal);
      const batches = ['agent', 'agents'].map((name) => {
        const root = { folder: paths.resolve(folder, name), scope: 'workspace', world: 'opencode' } as const;
        return this.readFiles(
          [...found].sort().filter((path) => paths.relative(folder, path).startsWith(`${name}/`)),
          root,
        );
      });
      return joined(await Promise.all(batches));
    } catch (error) {
      return { items: [], problems: [readProblem(folder, error)] };
    }
  }

  /** Reads one file by the conventions that its path implies. */
  async readFile(path: string): Promise<AgentBatch> {
    const root = rootOf(path, this.ports.paths);
    if (MODES.test(path)) return this.readModes({ ...root, folder: path, world: 'shared' });
    return this.readFiles([path], root);
  }

  /** Reads one file below a root as `readRoot` would. The batch is empty if the file belongs to an agent that is a folder. */
  async readFileOf(root: ContentRoot, path: string): Promise<AgentBatch> {
    const found = await filesBelow(root.folder, this.ports.files, this.ports.paths, { within: root.within });
    return this.readFiles(found, root, (one) => one === path);
  }

  /** Reads Markdown that is not in a file, given as text or bytes. */
  async readText(text: string | Uint8Array, name: string): Promise<AgentDraft> {
    const source: ContentSource = { scope: 'workspace', world: 'opencode', path: MEMORY };
    const decoded = typeof text === 'string' ? text : decodeText(text)?.text;
    if (decoded === undefined) return { agent: undefined, problems: [notText(MEMORY)] };
    await yamlReady(splitFrontMatter(decoded).head ?? '');
    return readMarkdownAgent({ text: decoded, source, name });
  }

  private async readFiles(
    found: readonly string[],
    root: ContentRoot,
    isWanted: (path: string) => boolean = () => true,
  ): Promise<AgentBatch> {
    const { paths } = this.ports;
    const folders = FOLDERS_OF.has(root.world) ? ownFolders(found, root.folder, paths) : [];
    const batches = found.filter(isWanted).map(async (path): Promise<AgentBatch> => {
      const folder = folders.find((one) => isBelow(path, one, paths));
      // Other files in a folder with a config.yaml or graph.yaml belong to that agent: its assets, its documents.
      const isConfig = folder === paths.dirname(path) && OWN_FOLDER.has(paths.basename(path));
      const isOne = path.endsWith(root.world === 'codex' ? '.toml' : '.md');
      if (!isConfig && (folder !== undefined || !isOne))
        return {
          items: [],
          problems: folder === undefined && isAlmost(path, root, paths) ? [otherFile(path, root)] : [],
        };
      const twin = isConfig && paths.basename(path) === GRAPH ? paths.resolve(folder, CONFIG) : undefined;
      if (twin !== undefined && found.includes(twin)) return { items: [], problems: [twoDefinitions(path)] };
      return this.readOne(path, root, isConfig);
    });
    return joined(await Promise.all(batches));
  }

  /** Reads the agents in OpenCode's settings. */
  private async readConfig(root: ContentRoot): Promise<AgentBatch> {
    const config = await readConfigRoot(root, this.ports);
    if (!config) return { items: [], problems: [] };
    const read = await openCodeAgents(config, { scope: root.scope, world: root.world, path: root.folder });
    return { ...read, merge: mergedAgent };
  }

  private async readModes(root: ContentRoot): Promise<AgentBatch> {
    return (await import('./formats/rooModes')).readRooModes(root, this.ports);
  }

  private async readOne(path: string, root: ContentRoot, isConfig: boolean): Promise<AgentBatch> {
    const { files, paths } = this.ports;
    const text = await readText(path, files);
    if (typeof text !== 'string') return { items: [], problems: [text] };
    // A README describes the agents for people.
    const { head } = foreignFrontMatter(text);
    if (/^readme\.md$/i.test(paths.basename(path)) && head === null) return { items: [], problems: [forPeople(path)] };
    await yamlReady(isConfig ? text : (head ?? ''));
    const folder = paths.dirname(path);
    const place = isConfig ? folder : path;
    const source = { scope: root.scope, world: root.world, path };
    const file = {
      text: withPluginFolder(text, root),
      source,
      name: nameOf(paths.relative(root.folder, place), root.world),
      ...(isModes(root) && { mode: 'primary' as const }),
    };
    const draft = isConfig ? await inFolder(file, folder, paths.basename(path)) : await byWorld(file);
    const problems = [...draft.problems, ...unseenProblems(path, text)];
    const agent =
      draft.agent && draft.graphFile !== undefined ? this.withGraph(draft.agent, draft.graphFile) : draft.agent;
    return { items: agent ? [agent] : [], problems };
  }

  /** Adds a graph that is only read when the agent runs. */
  private withGraph(agent: AgentDefinition, graphFile: string): AgentDefinition {
    const { files, paths } = this.ports;
    const path = paths.resolve(paths.dirname(agent.source.path), graphFile);
    const load = async () => {
      const text = await readText(path, files);
      if (typeof text !== 'string') throw new EngineError('not-found', text.message);
      return (await import('./formats/graphAgent')).agentGraph(text, path);
    };
    return { ...agent, folder: paths.dirname(path), graph: { path, load }, spawning: graphSpawning() };
  }
}

/** Reads an agent that is a folder. The graph reader is loaded lazily. */
async function inFolder(file: AgentFile, folder: string, name: string): Promise<AgentDraft> {
  if (name !== GRAPH) return readCoyoteAgent(file, folder);
  const { readGraphAgent } = await import('./formats/graphAgent');
  return readGraphAgent(file, folder);
}

/** Returns the problem for a graph next to a `config.yaml`. */
export function twoDefinitions(path: string): ContentProblem {
  const message = 'The folder also has a config.yaml, which is used instead. Remove one of the two.';
  return { kind: 'schema', severity: 'error', path, line: 1, column: 1, message };
}

async function byWorld(file: AgentFile): Promise<AgentDraft> {
  switch (file.source.world) {
    case 'codex':
      return (await import('./formats/codexAgent')).readCodexAgent(file);
    case 'claude':
      return readClaudeAgent(file);
    case 'copilot':
      return readCopilotAgent(file);
    case 'cursor':
      return readCursorAgent(file);
    case 'gemini':
      return readGeminiAgent(file);
    case 'cairn':
    case 'opencode':
    case 'shared':
      return readMarkdownAgent(file);
  }
}

/** Whether the folder is OpenCode's original `mode` or `modes` folder, whose agents are all primary. */
function isModes({ folder, world }: ContentRoot): boolean {
  return world === 'opencode' && /[\\/]modes?$/.test(folder);
}

/** `nested/deep.md` → `nested/deep`; in Copilot's world, `helper.agent.md` → `helper`. */
function nameOf(relative: string, world: ContentRoot['world']): string {
  const end = world === 'copilot' ? /(?:\.agent|\.chatmode)?\.md$/ : /\.(?:md|toml)$/;
  return relative.replace(end, '');
}

/** Infers the root from the folders of a path: `.claude/agents` and `.github/agents`, for example, have conventions of their own. */
function rootOf(path: string, paths: PathStyle): ContentRoot {
  const known = programRoot('agents', path);
  if (known) return known;
  const [, inside] = /^(.*\/agents?)\//.exec(path.replaceAll('\\', '/')) ?? [];
  const isConfig = OWN_FOLDER.has(paths.basename(path));
  const folder = inside ?? paths.dirname(isConfig ? paths.dirname(path) : path);
  return { folder, scope: 'workspace', world: 'cairn' };
}

function joined(batches: readonly AgentBatch[]): AgentBatch {
  return { items: batches.flatMap(({ items }) => items), problems: batches.flatMap(({ problems }) => problems) };
}

/** Files that make a folder an agent. */
const OWN_FOLDER: ReadonlySet<string> = new Set([CONFIG, GRAPH]);

/** Whether the name resembles one that defines an agent: a variant of config.yaml or graph.yaml, or Markdown with another extension. */
function isAlmost(path: string, { world, folder }: ContentRoot, paths: PathStyle): boolean {
  const name = paths.basename(path);
  if (/\.(?:md[cx]?|markdown|toml)$/i.test(name)) return true;
  return FOLDERS_OF.has(world) && /^(?:config|graph|index)\.ya?ml$/i.test(name) && paths.dirname(path) !== folder;
}

function otherFile(path: string, { world }: ContentRoot): ContentProblem {
  const form = world === 'codex' ? 'a .toml file here' : 'an .md file, or a folder with a config.yaml or graph.yaml';
  const message = `This is not used: an agent is ${form}.`;
  return fileNote(path, message);
}

/** Returns the outermost folders that are agents, together with everything in them. */
export function ownFolders(found: readonly string[], root: string, paths: PathStyle): string[] {
  const folders = found
    .filter((path) => OWN_FOLDER.has(paths.basename(path)))
    .map((path) => paths.dirname(path))
    .filter((folder) => folder !== root);
  return folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(folder, other, paths)));
}
