import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { modelEnvironment } from '../editor/modelEnvironment';
import { repoRoot } from '../editor/repoRoot';
import { type CommandResult, runCommand } from '../editor/runCommand';
import { COMMAND_CACHE } from '../support/commandCache';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story } from '../support/modelServer/story';
import type { Page, Snippet } from './page';

/** The environment of a reader of a page: a home, an open folder, and the command. */
export interface PageWorld {
  folder: string;
  server: ModelServer;
  /** Runs shell lines in the folder, up to the first that fails. */
  shell: (lines: string) => Promise<CommandResult>;
}

const PASSPHRASE = 'heap of grey stones';
/** Files that the pages assume to exist. */
const GIVEN = { 'src/date.ts': 'export const today = () => new Date();\n', 'notes.md': 'A heron.\n' };

/** Creates a new home with all the files of a page, and a scripted model. */
export async function inPageWorld(page: Page, story: Story, use: (world: PageWorld) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'cairn-docs-'));
  const server = await startModelServer(story);
  try {
    const folder = join(home, 'project');
    const bin = join(home, 'bin');
    await put(
      join(bin, 'cairn'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(repoRoot, 'dist', 'cairn.mjs')}" "$@"\n`,
    );
    await chmod(join(bin, 'cairn'), 0o755);
    await mkdir(join(folder, 'node_modules'), { recursive: true });
    await symlink(repoRoot, join(folder, 'node_modules', 'cairn'), 'junction');
    // Servers that `npx` would otherwise download from npm.
    for (const name of ['@modelcontextprotocol', '.bin']) {
      await symlink(join(repoRoot, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
    }
    for (const [path, text] of Object.entries(GIVEN)) await put(join(folder, path), text);
    for (const { path, text } of filesOf(page)) await put(pathIn(path, home), text);
    const PATH = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':');
    const env = {
      PATH,
      HOME: home,
      ...COMMAND_CACHE,
      npm_config_offline: 'true',
      CAIRN_VAULT_PASSPHRASE: PASSPHRASE,
      ...modelEnvironment(server),
    };
    await runCommand('git', ['init', '-q'], { cwd: folder, env, timeoutMs: 60_000 });
    await use({
      folder,
      server,
      shell: (lines) => runCommand('bash', ['-euo', 'pipefail', '-c', lines], { cwd: folder, env, timeoutMs: 60_000 }),
    });
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the files that a page tells its readers to write. */
export function filesOf({ snippets }: Page): { path: string; text: string }[] {
  return snippets.flatMap(({ info, text }) =>
    info.startsWith('file=') ? [{ path: info.slice('file='.length), text: `${text}\n` }] : [],
  );
}

/** Returns the shell lines to run, each with the output that the page shows below them. */
export function sessionsOf({ snippets }: Page): { lines: string; output: readonly string[] }[] {
  return snippets.flatMap((snippet, index) => {
    if (!isRun(snippet)) return [];
    const next = snippets[index + 1];
    return [{ lines: snippet.text, output: next?.language === 'text' ? next.text.split('\n') : [] }];
  });
}

/** `sh shown` blocks are only checked, because their lines need a browser, a user, or the network. */
export const isRun = ({ language, info }: Snippet): boolean => language === 'sh' && info === '';

const pathIn = (path: string, home: string) =>
  path.startsWith('~/') ? join(home, path.slice(2)) : join(home, 'project', path);

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
