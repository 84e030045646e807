import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ignore } from 'ignore';

/** The `.gitignore` files that apply in one folder, nearest first. */
export class GitIgnore {
  private constructor(private readonly levels: readonly { folder: string; rules: Ignore }[]) {}

  /** Loads the rules that apply in `folder`: its own file and those of its parents, up to the root of the repository. */
  static async at(folder: string): Promise<GitIgnore> {
    const folders = [folder];
    while (!(await exists(path.join(folders[0] ?? folder, '.git')))) {
      const parent = path.dirname(folders[0] ?? folder);
      if (parent === folders[0]) break;
      folders.unshift(parent);
    }
    let found = new GitIgnore([]);
    for (const one of folders) found = await found.enter(one);
    return found;
  }

  /** Adds the file of a subfolder. A level that ignores the whole subfolder must have been overridden, so it is dropped. */
  async enter(folder: string): Promise<GitIgnore> {
    const levels = this.levels.filter((level) => !level.rules.ignores(relativeTo(level.folder, folder, true)));
    const rules = await rulesOf(folder);
    return new GitIgnore(rules ? [{ folder, rules }, ...levels] : levels);
  }

  /** Returns true if the nearest file with a matching rule ignores the path. */
  leavesOut(file: string, isFolder: boolean): boolean {
    for (const { folder, rules } of this.levels) {
      const { ignored, unignored } = rules.test(relativeTo(folder, file, isFolder));
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

function relativeTo(folder: string, file: string, isFolder: boolean): string {
  const relative = path.relative(folder, file).replaceAll(path.sep, '/');
  return isFolder ? `${relative}/` : relative;
}

async function rulesOf(folder: string): Promise<Ignore | null> {
  const file = path.join(folder, '.gitignore');
  // The file could be a named pipe, which never ends.
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  const text = isFile ? await readFile(file, 'utf8').catch(() => null) : null;
  if (text === null) return null;
  const { default: ignore } = await import('ignore');
  return ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
