import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { type PermissionFile, parsePermissionFile, parseRepositoryRules, permissionFileText } from './permissionFile';
import type { PermissionRule } from './permissionRule';

/** The rules of a workspace that last longer than a session. */
export interface LastingRules {
  user: readonly PermissionRule[];
  workspace: readonly PermissionRule[];
  /** What is wrong with the files, with path and line, for the person. */
  problems: readonly string[];
}

/** What a file said when it was as `stamp` tells. */
interface Loaded {
  stamp: string;
  file: PermissionFile;
  problems: readonly string[];
}

const EMPTY: PermissionFile = { rules: [], workspaces: {} };
const ASKED = ['read', 'write', 'execute', 'network'] as const;

/**
 * The person's `permissions.json`, with the rules for each workspace in it, so that no repository can allow itself
 * anything; and what a repository adds in `.cairn/permissions.json`. A file that changed is read again with the next
 * question. A file that cannot be read may have denied anything, so until it is mended everything asks.
 */
export class PermissionStore {
  /** Absolute path of the person's own rules. */
  readonly path: string;
  /** By path. */
  private readonly loaded = new Map<string, Loaded>();
  private writes: Promise<unknown> = Promise.resolve();

  constructor(
    configFolder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {
    this.path = ports.paths.resolve(configFolder, 'permissions.json');
  }

  /** `workspace` is an absolute folder. Never rejects because of what a file holds. */
  async rulesFor(workspace: string): Promise<LastingRules> {
    const real = await this.ports.files.realPath(workspace);
    const own = await this.read(this.path, (text) => ({ file: parsePermissionFile(text, this.path), problems: [] }));
    const path = this.ports.paths.resolve(real, '.cairn', 'permissions.json');
    const repository = await this.read(path, (text) => {
      const { rules, problems } = parseRepositoryRules(text, path);
      return { file: { ...EMPTY, rules }, problems };
    });
    const { rules, workspaces } = own.file;
    return {
      user: rules,
      // The person's own come later and win, because the last match does.
      workspace: [...repository.file.rules, ...(Object.hasOwn(workspaces, real) ? (workspaces[real] ?? []) : [])],
      problems: [...own.problems, ...repository.problems],
    };
  }

  /** Adds rules atomically. Throws EngineError `damaged` when the file is broken, and what the file system throws. */
  add(scope: 'user' | 'workspace', workspace: string, rules: readonly PermissionRule[]): Promise<void> {
    return this.inTurn(async () => {
      const real = await this.ports.files.realPath(workspace);
      const text = await this.textOf(this.path);
      const file = text === null ? EMPTY : parsePermissionFile(text, this.path);
      const changed =
        scope === 'user'
          ? { ...file, rules: [...file.rules, ...rules] }
          : { ...file, workspaces: withRules(file.workspaces, real, rules) };
      await this.write(changed);
    });
  }

  /** Makes the file when it is missing, so that it can be opened; gives its path. */
  ensureFile(): Promise<string> {
    return this.inTurn(async () => {
      if ((await this.textOf(this.path)) === null) await this.write(EMPTY);
      return this.path;
    });
  }

  private async write(file: PermissionFile): Promise<void> {
    await this.ports.files.writeFile(this.path, new TextEncoder().encode(permissionFileText(file)));
    this.loaded.delete(this.path);
  }

  private async read(path: string, parse: (text: string) => Omit<Loaded, 'stamp'>): Promise<Loaded> {
    const stamp = await this.stampOf(path);
    const known = this.loaded.get(path);
    if (known?.stamp === stamp) return known;
    const loaded = { stamp, ...(await this.parsed(path, parse)) };
    this.loaded.set(path, loaded);
    return loaded;
  }

  private async parsed(path: string, parse: (text: string) => Omit<Loaded, 'stamp'>): Promise<Omit<Loaded, 'stamp'>> {
    try {
      const text = await this.textOf(path);
      return text === null ? { file: EMPTY, problems: [] } : parse(text);
    } catch (error) {
      const problem = errorText(error);
      return { file: { ...EMPTY, rules: askingFor(problem) }, problems: [problem] };
    }
  }

  private async stampOf(path: string): Promise<string> {
    try {
      const { modifiedAt, size } = await this.ports.files.stat(path);
      return `${modifiedAt} ${size}`;
    } catch (error) {
      return EngineError.is(error) ? error.reason : 'unknown';
    }
  }

  private async textOf(path: string): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.ports.files.readFile(path));
    } catch (error) {
      if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return null;
      throw error;
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.writes.then(work);
    // A write that failed is told to whoever asked for it, and is no reason against the next.
    this.writes = turn.catch(() => undefined);
    return turn;
  }
}

function withRules(
  workspaces: PermissionFile['workspaces'],
  workspace: string,
  rules: readonly PermissionRule[],
): PermissionFile['workspaces'] {
  const known = Object.hasOwn(workspaces, workspace) ? (workspaces[workspace] ?? []) : [];
  return { ...workspaces, [workspace]: [...known, ...rules] };
}

/** Instead of rules that could not be read, and might have denied anything. */
function askingFor(problem: string): PermissionRule[] {
  return ASKED.map((category) => ({ tool: `category:${category}`, action: 'ask', because: problem }));
}
