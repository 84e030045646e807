import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repoRoot } from './repoRoot';

/** A separate folder for one test, copied from the sample project or empty. Paths are relative to it. */
export class WorkspaceFolder {
  private constructor(
    readonly path: string,
    private readonly parent: string,
  ) {}

  /** Creates a copy of the sample project or an empty folder, then writes `files` over it. */
  static async create(
    from: 'sample' | 'empty',
    files: Readonly<Record<string, string>> = {},
  ): Promise<WorkspaceFolder> {
    // Resolved because a temporary folder behind a symbolic link has a different path in the editor.
    const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'workspace-')));
    // The name appears in the editor's title.
    const dir = path.join(parent, 'sundial');
    await mkdir(dir);
    const folder = new WorkspaceFolder(dir, parent);
    if (from === 'sample') await cp(path.join(repoRoot, 'test/fixtures/sample-workspace'), dir, { recursive: true });
    for (const [file, contents] of Object.entries(files)) await folder.write(file, contents);
    return folder;
  }

  resolve(file: string): string {
    return path.join(this.path, file);
  }

  read(file: string): Promise<string> {
    return readFile(this.resolve(file), 'utf8');
  }

  async write(file: string, contents: string): Promise<void> {
    await mkdir(path.dirname(this.resolve(file)), { recursive: true });
    await writeFile(this.resolve(file), contents);
  }

  removeFile(file: string): Promise<void> {
    return rm(this.resolve(file));
  }

  exists(file: string): boolean {
    return existsSync(this.resolve(file));
  }

  /** Returns the text of every file by path. */
  async snapshot(): Promise<Map<string, string>> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const texts = files
      .sort()
      .map(async (file) => [path.relative(this.path, file), await readFile(file, 'utf8')] as const);
    return new Map(await Promise.all(texts));
  }

  async remove(): Promise<void> {
    await rm(this.parent, { recursive: true, force: true, maxRetries: 5 });
  }
}
