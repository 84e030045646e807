import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import { ConsentFile } from '../permissions/consentFile';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileStat, FileSystem, PathStyle } from '../ports';
import { digestOf } from '../tools/files/seenFiles';
import {
  type DescribeScript,
  languageOf,
  type ScriptDescription,
  type ScriptFile,
  type ScriptKind,
} from './scriptDescription';
import { AGENT_SCRIPTS } from './scriptPlaces';

/** Where a script comes from. A workspace's scripts run only once the user has seen them. */
type ScriptScope = 'person' | 'workspace';

/** A folder in which every script is a tool. */
export interface ToolFolder {
  /** Absolute. */
  readonly folder: string;
  readonly scope: ScriptScope;
}

/** A script with what is known about it. */
export interface KnownScript {
  readonly file: ScriptFile;
  readonly kind: ScriptKind;
  readonly scope: ScriptScope;
  /** Absolute path of its own folder: the agent's, or the parent of its tools folder. */
  readonly root: string;
  /** Absolute path of a folder of programs that takes precedence over others; undefined if there is none. */
  readonly programFolder: string | undefined;
  /** Of its text. */
  readonly digest: string;
  readonly description: ScriptDescription;
}

/** The scripts found, with a sentence for each file that could not be read. */
export interface FoundScripts {
  readonly scripts: readonly KnownScript[];
  readonly problems: readonly string[];
}

/** Anything larger is unlikely to be a script. */
const MOST_BYTES = 1024 * 1024;
/** A folder with more is unlikely to be for tools. */
const MOST_SCRIPTS = 500;

/** Next to an agent. */
const PROGRAMS = 'bin';

interface Place {
  path: string;
  kind: ScriptKind;
  scope: ScriptScope;
  root: string;
  /** Absolute path of the workspace that workspace scripts must be inside. */
  workspace: string;
}

/** Finds scripts by location. One that has changed is read and described again on the next call. Nothing is ever run here. */
export class ScriptFiles {
  private readonly known = new Map<string, { stamp: string; script: KnownScript }>();

  constructor(
    private readonly ports: { files: FileSystem; paths: PathStyle },
    private readonly describe: DescribeScript,
  ) {}

  /** Returns every tool in a folder, sorted by file name. Never rejects because of the folder's contents. */
  async inFolder({ folder, scope }: ToolFolder, workspace: string): Promise<FoundScripts> {
    const { files, paths } = this.ports;
    const entries = (await files.find(folder).catch(() => undefined))
      ? await files.readDirectory(folder).catch(() => [])
      : [];
    const names = entries
      .filter(({ name, kind }) => (kind === 'file' || kind === 'symlink') && isTool(name))
      .map(({ name }) => name)
      .sort();
    const root = paths.dirname(folder);
    const places = names.slice(0, MOST_SCRIPTS).map((name): Place => ({
      path: paths.resolve(folder, name),
      kind: 'tool',
      scope,
      root,
      workspace,
    }));
    const left = names.slice(MOST_SCRIPTS);
    const tooMany =
      left.length === 0
        ? []
        : [`${folder} has more than ${MOST_SCRIPTS} scripts; ${left[0]} and those after it are not tools.`];
    return joined([...(await Promise.all(places.map((place) => this.one(place)))), { scripts: [], problems: tooMany }]);
  }

  /** Returns the tools next to an agent. */
  async ofAgent(folder: string, scope: ScriptScope, workspace: string): Promise<FoundScripts> {
    const { files, paths } = this.ports;
    for (const name of AGENT_SCRIPTS) {
      const path = paths.resolve(folder, name);
      if (await files.find(path).catch(() => undefined))
        return this.one({ path, kind: 'agent', scope, root: folder, workspace });
    }
    return { scripts: [], problems: [] };
  }

  /** Returns the script of a graph node; `file` is relative to the agent's folder. Rejects with EngineError if it cannot be read. */
  async ofGraph(folder: string, file: string, scope: ScriptScope, workspace: string): Promise<KnownScript> {
    const path = this.ports.paths.resolve(folder, file);
    return this.read({ path, kind: 'graph', scope, root: folder, workspace });
  }

  /** Returns the scripts at an absolute path, which may be a script, a tools folder, or an agent's folder. */
  async at(path: string): Promise<FoundScripts> {
    const { files, paths } = this.ports;
    const { kind } = await files.stat(path);
    if (kind === 'directory') {
      const own = await this.ofAgent(path, 'person', path);
      return own.scripts.length + own.problems.length > 0
        ? own
        : this.inFolder({ folder: path, scope: 'person' }, path);
    }
    const isAgents = AGENT_SCRIPTS.includes(paths.basename(path));
    const [root, of] = isAgents
      ? [paths.dirname(path), 'agent' as const]
      : [paths.dirname(paths.dirname(path)), 'tool' as const];
    return this.one({ path, kind: of, scope: 'person', root, workspace: root });
  }

  /** Reads a script again. Rejects as reading it does. */
  async again({ file, kind, scope, root }: KnownScript, workspace: string): Promise<KnownScript> {
    return this.read({ path: file.path, kind, scope, root, workspace });
  }

  private async one(place: Place): Promise<FoundScripts> {
    try {
      const { files } = this.ports;
      const { modifiedAt, size }: FileStat = await files.stat(place.path);
      const stamp = `${modifiedAt} ${size} ${place.kind} ${place.scope}`;
      const known = this.known.get(place.path);
      if (known?.stamp === stamp) return { scripts: [known.script], problems: [] };
      const script = await this.read(place);
      this.known.set(place.path, { stamp, script });
      return { scripts: [script], problems: [] };
    } catch (error) {
      return { scripts: [], problems: [`${place.path}: ${errorText(error)} Until then it is not a tool.`] };
    }
  }

  private async read(place: Place): Promise<KnownScript> {
    const { path, kind, scope, root, workspace } = place;
    const language = languageOf(this.ports.paths.basename(path));
    if (!language) {
      throw new EngineError(
        'invalid-input',
        `${path} is in an unknown language. Use a file that ends in .sh, .py, .ts, or .js.`,
      );
    }
    const bytes =
      scope === 'workspace' ? await readRepositoryFile(path, workspace, this.ports) : await this.ownBytes(path);
    const text = textIn(bytes, path);
    const file = { path, language, text };
    const [digest, description] = await Promise.all([
      digestOf(this.ports.files, text),
      kind === 'graph' ? NO_TOOLS : this.describe(file, kind),
    ]);
    const programs = this.ports.paths.resolve(root, PROGRAMS);
    const hasPrograms = kind === 'agent' && (await this.ports.files.find(programs)) !== undefined;
    return { file, kind, scope, root, programFolder: hasPrograms ? programs : undefined, digest, description };
  }

  private async ownBytes(path: string): Promise<Uint8Array> {
    const { files } = this.ports;
    const { kind, size } = await files.stat(path);
    if (kind !== 'file') throw new EngineError('denied', `${path} is not a regular file.`);
    if (size > MOST_BYTES) throw new EngineError('denied', `${path} is larger than 1 MB.`);
    return files.readFile(path);
  }
}

const NO_TOOLS: ScriptDescription = {
  functions: [],
  hasInstructions: false,
  variables: [],
  programs: [],
  problems: [],
};

function textIn(bytes: Uint8Array, path: string): string {
  const text = new TextDecoder().decode(bytes);
  if (text.includes('\0')) throw new EngineError('invalid-input', `${path} is not text.`);
  return text;
}

/** Files that start with `_` or `.` are for use by other scripts. */
function isTool(name: string): boolean {
  return !/^[_.]/.test(name) && languageOf(name) !== undefined && !name.endsWith('.d.ts');
}

export function joined(all: readonly FoundScripts[]): FoundScripts {
  return { scripts: all.flatMap(({ scripts }) => scripts), problems: all.flatMap(({ problems }) => problems) };
}

const fileSchema = z.strictObject({
  scripts: z.array(
    z.strictObject({
      /** Absolute. */
      file: z.string(),
      /** Of the text that the user saw. */
      digest: z.string(),
    }),
  ),
});

/** `changed`: the user saw an earlier version of it. */
export type ScriptConsent = 'seen' | 'unseen' | 'changed';

/** Records which workspace scripts, by their exact text, the user has seen and allowed to run. */
export class ScriptConsents {
  private readonly kept: ConsentFile<z.infer<typeof fileSchema>>;

  constructor(configFolder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const path = ports.paths.resolve(configFolder, 'script-consents.json');
    const until = 'Until then, no script of a workspace runs.';
    this.kept = new ConsentFile(path, fileSchema, { scripts: [] }, until, ports);
  }

  /** Rejects with EngineError `damaged` if the file cannot be parsed. */
  async stateOf({
    file,
    scope,
    digest,
  }: Pick<KnownScript, 'scope' | 'digest'> & { file: Pick<ScriptFile, 'path'> }): Promise<ScriptConsent> {
    if (scope === 'person') return 'seen';
    const consent = (await this.kept.read()).scripts.find((one) => one.file === file.path);
    if (!consent) return 'unseen';
    return consent.digest === digest ? 'seen' : 'changed';
  }

  /** Rejects as `stateOf` does, and with file system errors. */
  async remember({ file, digest }: Pick<KnownScript, 'file' | 'digest'>): Promise<void> {
    await this.kept.change(({ scripts }) => ({
      scripts: [...scripts.filter((one) => one.file !== file.path), { file: file.path, digest }],
    }));
  }
}
