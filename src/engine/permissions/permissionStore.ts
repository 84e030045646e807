import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { OtherRules } from './otherFolderRules';
import type * as permissionFile from './permissionFile';
import type { PermissionFile } from './permissionFile';
import type { PermissionRule } from './permissionRule';
import { ProgramRules } from './program/programRules';
import { readRepositoryFile } from './repositoryFile';

/** The rules of a workspace that outlast a session. */
interface LastingRules {
  user: readonly PermissionRule[];
  workspace: readonly PermissionRule[];
  /** The number of `workspace` rules, counted from the first, that come from the repository. */
  fromRepository: number;
  /** Problems with the files, with path and line, for the user. */
  problems: readonly string[];
}

/** A file's content at the time of `stamp`. */
interface Loaded {
  stamp: string;
  file: PermissionFile;
  problems: readonly string[];
}

type Parse = (text: string, file: typeof permissionFile) => Omit<Loaded, 'stamp'>;
type Read = () => Promise<Uint8Array>;

const EMPTY: PermissionFile = { rules: [], workspaces: {} };
const NO_OTHERS: OtherRules = { shared: [], own: [], problems: [] };
const ASKED = ['read', 'write', 'execute', 'network'] as const;

/**
 * The user's `permissions.json`, which also has the rules for each workspace, so that no repository can allow itself anything,
 * and a repository's additions in `.cairn/permissions.json`. A changed file is reloaded on the next question. A file that cannot
 * be read may have denied anything, so everything asks until it is repaired.
 */
export class PermissionStore {
  /** Absolute path of the user's own rules. */
  readonly path: string;
  /** Keyed by path. */
  private readonly loaded = new Map<string, Loaded>();

  constructor(
    configFolder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
    /** The rules of the program, which are in no file. */
    readonly program = new ProgramRules(),
  ) {
    this.path = ports.paths.resolve(configFolder, 'permissions.json');
  }

  /**
   * `workspace` and the other open `folders` are absolute. Their rules come before those of the workspace. Never rejects because
   * of a file's content.
   */
  async rulesFor(workspace: string, folders: readonly string[] = []): Promise<LastingRules> {
    const real = await this.ports.files.realPath(workspace);
    const own = await this.read(this.path, (text, { parsePermissionFile }) => ({
      file: parsePermissionFile(text, this.path),
      problems: [],
    }));
    const { rules, workspaces } = own.file;
    const others = folders.length > 0 ? await this.rulesOfOthers(folders, real, workspaces) : NO_OTHERS;
    const repository = await this.repositoryRules(real);
    const shared = [...others.shared, ...repository.file.rules];
    return {
      user: rules,
      // The user's own rules come later and win, because the last match does.
      workspace: [...shared, ...others.own, ...rulesOf(workspaces, real)],
      fromRepository: shared.length,
      problems: [...own.problems, ...others.problems, ...repository.problems],
    };
  }

  private async rulesOfOthers(folders: readonly string[], workspace: string, own: PermissionFile['workspaces']) {
    const { rulesOfOthers } = await import('./otherFolderRules');
    const read = async (folder: string) => ({ ...(await this.repositoryRules(folder)), own: rulesOf(own, folder) });
    return rulesOfOthers(folders, workspace, this.ports, read);
  }

  private repositoryRules(real: string): Promise<Loaded> {
    const path = this.ports.paths.resolve(real, '.cairn', 'permissions.json');
    return this.read(
      path,
      (text, { parseRepositoryRules }) => {
        const { rules, problems } = parseRepositoryRules(text, path);
        return { file: { ...EMPTY, rules }, problems };
      },
      () => readRepositoryFile(path, real, this.ports),
    );
  }

  /** Adds rules atomically. Throws EngineError `damaged` if the file is damaged, and file system errors. */
  add(scope: 'user' | 'workspace', workspace: string, rules: readonly PermissionRule[]): Promise<void> {
    return this.edit(scope, workspace, (known) => [...known, ...rules]);
  }

  /**
   * Replaces the user's rules of a scope with what `change` returns for them; those of a repository are not involved. Throws like
   * `add`, and what `change` throws.
   */
  edit(
    scope: 'user' | 'workspace',
    workspace: string,
    change: (rules: readonly PermissionRule[]) => readonly PermissionRule[],
  ): Promise<void> {
    return this.change(workspace, (file, real) => {
      if (scope === 'user') return { ...file, rules: [...change(file.rules)] };
      const known = rulesOf(file.workspaces, real);
      const others = Object.entries(file.workspaces).filter(([folder]) => folder !== real);
      const rules = [...change(known)];
      return { ...file, workspaces: Object.fromEntries(rules.length > 0 ? [...others, [real, rules]] : others) };
    });
  }

  /** Creates the file if it is missing, so that it can be opened, and returns its path. */
  ensureFile(): Promise<string> {
    return this.alone(async () => {
      if ((await this.textOf(() => this.ports.files.readFile(this.path))) === null) {
        const { permissionFileText } = await import('./permissionFile');
        await this.write(permissionFileText(EMPTY));
      }
      return this.path;
    });
  }

  private change(workspace: string, edit: (file: PermissionFile, real: string) => PermissionFile): Promise<void> {
    return this.alone(async () => {
      const real = await this.ports.files.realPath(workspace);
      const text = await this.textOf(() => this.ports.files.readFile(this.path));
      const { parsePermissionFile, permissionFileText } = await import('./permissionFile');
      const file = edit(text === null ? EMPTY : parsePermissionFile(text, this.path), real);
      await this.write(permissionFileText(file));
    });
  }

  private async write(text: string): Promise<void> {
    await this.ports.files.writeFile(this.path, new TextEncoder().encode(text));
    this.loaded.delete(this.path);
  }

  private async read(path: string, parse: Parse, bytes: Read = () => this.ports.files.readFile(path)): Promise<Loaded> {
    const stamp = await this.stampOf(path);
    const known = this.loaded.get(path);
    if (known?.stamp === stamp) return known;
    const loaded = { stamp, ...(await this.parsed(parse, bytes)) };
    this.loaded.set(path, loaded);
    return loaded;
  }

  private async parsed(parse: Parse, bytes: Read): Promise<Omit<Loaded, 'stamp'>> {
    try {
      const text = await this.textOf(bytes);
      return text === null ? { file: EMPTY, problems: [] } : parse(text, await import('./permissionFile'));
    } catch (error) {
      const problem = errorText(error);
      return { file: { ...EMPTY, rules: askingFor(problem) }, problems: [problem] };
    }
  }

  private async stampOf(path: string): Promise<string> {
    try {
      const found = await this.ports.files.find(path);
      return found ? `${found.modifiedAt} ${found.size}` : 'not-found';
    } catch (error) {
      return EngineError.is(error) ? error.reason : 'unknown';
    }
  }

  private async textOf(read: Read): Promise<string | null> {
    try {
      return new TextDecoder().decode(await read());
    } catch (error) {
      if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return null;
      throw error;
    }
  }

  /** Reads and writes while no other window does, so that neither loses the other's additions. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    const { files, paths } = this.ports;
    const folder = paths.dirname(this.path);
    await files.makeDirectory(folder);
    return files.exclusively(paths.resolve(folder, 'permissions.lock'), work);
  }
}

function rulesOf(workspaces: PermissionFile['workspaces'], real: string): readonly PermissionRule[] {
  return Object.hasOwn(workspaces, real) ? (workspaces[real] ?? []) : [];
}

/** Returns the rules that replace unreadable ones, which might have denied anything. */
function askingFor(problem: string): PermissionRule[] {
  return ASKED.map((category) => ({ tool: `category:${category}`, action: 'ask', because: problem }));
}
