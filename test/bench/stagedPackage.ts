import { cpSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';

const NOT_COPIED = new Set(['node_modules', 'dist', '.build', '.git', '.vscode-test']);

/** A production build and the package made from it. */
export interface StagedPackage {
  readonly dist: string;
  /** Returns the path of the package. Throws with the output of the `package` task if it produced none. */
  vsix(): string;
}

/**
 * Packages a copy of the repository with its own `package` task, so that a concurrent build or watch in the original does not
 * affect the measurement. A package that exceeds its budget is still built. Throws if there is no build.
 */
export async function stagedPackage(parent: string): Promise<StagedPackage> {
  const stage = path.join(parent, 'cairn');
  const isCopied = (source: string): boolean => {
    const [top = ''] = path.relative(repoRoot, source).split(path.sep);
    return !NOT_COPIED.has(top) && !source.endsWith('.vsix');
  };
  cpSync(repoRoot, stage, { recursive: true, filter: isCopied });
  symlinkSync(path.join(repoRoot, 'node_modules'), path.join(stage, 'node_modules'), 'junction');
  const result = await runCommand(process.execPath, ['test/tasks/run.mjs', 'package'], {
    cwd: stage,
    timeoutMs: 10 * 60_000,
  });
  const dist = path.join(stage, 'dist');
  if (!existsSync(dist)) throw new Error(`Nothing was built (exit code ${result.code}):\n${result.output}`);
  return {
    dist,
    vsix() {
      const file = path.join(stage, 'cairn.vsix');
      if (existsSync(file)) return file;
      throw new Error(`nothing was packaged (exit code ${result.code}):\n${result.output}`);
    },
  };
}
