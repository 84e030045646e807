import { counted } from '../../base/counted';
import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { AnyTool } from '../tools/tool';
import type {
  FoundTools,
  GraphScript,
  ToolPlace,
  ToolSource,
  ToolUser,
  WantedScripts,
  WantsTool,
} from '../tools/toolSource';
import {
  type DescribeScript,
  languageOf,
  type ScriptDescription,
  type ScriptFunction,
  stemOf,
} from './scriptDescription';
import type { EnvironmentParts } from './scriptEnvironment';
import {
  type FoundScripts,
  joined,
  type KnownScript,
  ScriptConsents,
  ScriptFiles,
  type ToolFolder,
} from './scriptFiles';
import { AGENT_SCRIPTS, OWN_TOOL_FOLDERS, WORKSPACE_TOOL_FOLDER } from './scriptPlaces';
import { graphScriptTool, scriptInstructions, type ScriptRunner, scriptTool } from './scriptTool';

export interface ScriptParts extends EnvironmentParts {
  ports: { files: FileSystem; paths: PathStyle };
  describe: DescribeScript;
  /** Loaded when the first script runs. */
  runner: () => Promise<ScriptRunner>;
}

/** `cairn tools check` reports the rest. */
const MOST_NOTICES = 3;

/** Provides tools that are scripts: the user's, the workspace's, and those next to an agent. */
export class ScriptTools implements ToolSource {
  readonly consents: ScriptConsents;
  readonly files: ScriptFiles;

  constructor(private readonly parts: ScriptParts) {
    this.consents = new ScriptConsents(parts.configFolder, parts.ports);
    this.files = new ScriptFiles(parts.ports, parts.describe);
  }

  /** Describes the scripts; none is run. */
  async toolsFor(place: ToolPlace, _wants: WantsTool, user: ToolUser): Promise<FoundTools> {
    try {
      const { scripts, problems } = await this.list(place, user);
      const wanted = scripts.filter((script) => isVisible(script, place.scripts));
      const all = (await Promise.all(wanted.map((script) => this.toolsOf(script, place, user)))).flat();
      const { first, taken } = firstOfName(all);
      const notices = [...problems, ...wanted.flatMap(problemsOf), ...taken];
      const more = notices.length - MOST_NOTICES;
      const rest =
        more > 0 ? [`${counted(more, 'more problem')} of scripts: cairn tools check shows all of them.`] : [];
      return { tools: first, notices: [...notices.slice(0, MOST_NOTICES), ...rest] };
    } catch (error) {
      return { tools: [], notices: [errorText(error)] };
    }
  }

  /** Returns the instructions from the agent's script. A script that the user has not seen is not run for that. */
  async instructionsFor(place: ToolPlace, user: ToolUser, signal: AbortSignal): Promise<string> {
    const [own] = user.folder === null ? [] : this.ofAgent(user.folder, user, place);
    const [script] = (await own)?.scripts ?? [];
    if (!script?.description.hasInstructions) {
      throw new EngineError('not-found', `${user.agent} has no script with a function _instructions.`);
    }
    if ((await this.consents.stateOf(script)) !== 'seen') {
      throw new EngineError(
        'denied',
        `${script.file.path} has not been reviewed yet. Run one of its tools, which shows it first.`,
      );
    }
    return scriptInstructions({ script, place, user }, this.parts, signal);
  }

  /** Only the user's own agents run their scripts unseen. */
  async graphScript(place: ToolPlace, user: ToolUser, asked: GraphScript): Promise<AnyTool> {
    const { folder, isOfWorkspace } = user;
    if (folder === null) throw new EngineError('not-found', `${user.agent} has no folder for scripts.`);
    if (isOfWorkspace && !place.isHeard) {
      throw new EngineError(
        'denied',
        `${user.agent} belongs to a folder that is not trusted, so its scripts do not run.`,
      );
    }
    const scope = isOfWorkspace ? 'workspace' : 'person';
    const script = await this.files.ofGraph(folder, asked.file, scope, place.workspace);
    const consent = await this.consents.stateOf(script);
    const parts = { ...this.parts, scripts: this.files, consents: this.consents };
    return graphScriptTool({ script, consent, place, user }, asked, parts);
  }

  /** Returns every script that is a tool there, the agent's first. A workspace cannot take a name from the user. */
  async list({ workspace, isHeard }: ToolPlace, user?: ToolUser): Promise<FoundScripts> {
    const folders = this.folders(workspace, isHeard).map((one) => this.files.inFolder(one, workspace));
    const own = user?.folder ? this.ofAgent(user.folder, user, { workspace, isHeard }) : [];
    return joined(await Promise.all([...own, ...folders]));
  }

  /** Returns the absolute paths of folders for new tools. */
  newFolders({ workspace, isHeard }: ToolPlace): { own: string; theirs: string | undefined } {
    const { paths } = this.parts.ports;
    return {
      own: paths.resolve(this.parts.configFolder, OWN_TOOL_FOLDERS[0] ?? ''),
      theirs: isHeard ? paths.resolve(workspace, WORKSPACE_TOOL_FOLDER) : undefined,
    };
  }

  /** Describes a tool while it is being edited, whatever is on disk. Undefined if a file in that location is not a tool. */
  async describe(
    path: string,
    text: string,
    { workspace, isHeard }: ToolPlace,
  ): Promise<ScriptDescription | undefined> {
    const { paths } = this.parts.ports;
    const language = languageOf(paths.basename(path));
    const isAgents = AGENT_SCRIPTS.includes(paths.basename(path)) && /[\\/]agents?[\\/]/.test(path);
    const isIn = this.folders(workspace, isHeard).some(({ folder }) => paths.dirname(path) === folder);
    if (!language || !(isAgents || isIn)) return undefined;
    return this.parts.describe({ path, language, text }, isIn ? 'tool' : 'agent');
  }

  private ofAgent(
    folder: string,
    { isOfWorkspace }: ToolUser,
    { workspace, isHeard }: ToolPlace,
  ): Promise<FoundScripts>[] {
    if (isOfWorkspace && !isHeard) return [];
    return [this.files.ofAgent(folder, isOfWorkspace ? 'workspace' : 'person', workspace)];
  }

  private folders(workspace: string, isHeard: boolean): ToolFolder[] {
    const { paths } = this.parts.ports;
    const own = OWN_TOOL_FOLDERS.map((path): ToolFolder => ({
      folder: paths.resolve(this.parts.configFolder, path),
      scope: 'person',
    }));
    const theirs: ToolFolder = { folder: paths.resolve(workspace, WORKSPACE_TOOL_FOLDER), scope: 'workspace' };
    return isHeard ? [...own, theirs] : own;
  }

  private async toolsOf(script: KnownScript, place: ToolPlace, user: ToolUser): Promise<ToolOfScript[]> {
    const consent = await this.consents.stateOf(script);
    const parts = { ...this.parts, scripts: this.files, consents: this.consents };
    const isUsed = ({ name }: ScriptFunction) => script.kind === 'agent' || isEnabled(name, place.scripts);
    return script.description.functions.filter(isUsed).map((called) => ({
      script,
      tool: scriptTool({ script, called, consent, place, user }, parts),
    }));
  }
}

/** Scripts next to an agent are always visible. */
function isVisible({ kind, file }: KnownScript, { visible }: WantedScripts = {}): boolean {
  const name = file.path.replace(/^.*[/\\]/, '');
  return kind === 'agent' || visible === undefined || visible.includes(name) || visible.includes(stemOf(name));
}

function isEnabled(name: string, { enabled }: WantedScripts = {}): boolean {
  return enabled === undefined || enabled.includes('all') || enabled.includes(name);
}

interface ToolOfScript {
  script: KnownScript;
  tool: AnyTool;
}

/** Keeps the first of several tools with the same name, so that a workspace cannot take one from the user. */
function firstOfName(all: readonly ToolOfScript[]): { first: AnyTool[]; taken: string[] } {
  const byName = new Map<string, ToolOfScript>();
  const taken: string[] = [];
  for (const one of all) {
    const { name } = one.tool;
    const other = byName.get(name);
    if (other) taken.push(`${one.script.file.path} is not a tool: ${other.script.file.path} already provides ${name}.`);
    else byName.set(name, one);
  }
  return { first: [...byName.values()].map(({ tool }) => tool), taken };
}

/** Returns a script's errors. Warnings, which do not prevent its use, are shown only when tools are checked. */
function problemsOf({ file, description }: KnownScript): string[] {
  return description.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ line, column, message }) => `${file.path}:${line}:${column}: ${message}`);
}
