import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

const FIXTURES = join(repoRoot, 'test', 'fixtures', 'import');

/** Copies the fixture of a tool to the place below a home where that tool keeps its files; returns that place. */
export async function homeWith({ folder }: { folder: string }, tool: string, below = '.config'): Promise<string> {
  const place = join(folder, below, below === '.config' ? tool : '');
  await mkdir(place, { recursive: true });
  await cp(join(FIXTURES, tool), place, { recursive: true });
  return place;
}

/** Returns every file below a folder with its modification time and content. */
export async function stateOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const state = files.map(
    async (file) => [file, `${(await stat(file)).mtimeMs} ${await readFile(file, 'utf8')}`] as const,
  );
  return Object.fromEntries(await Promise.all(state));
}

export async function textBelow(folder: string): Promise<string> {
  return Object.values(await stateOf(folder)).join('\n');
}
