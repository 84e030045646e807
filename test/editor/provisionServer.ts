import { writeFile } from 'node:fs/promises';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { editorCache } from './editorCache';
import { refuseProposedApi } from './refuseProposedApi';
import { runCommand } from './runCommand';

const SERVER_VERSION = '4.139.1';
const NODE_VERSION = '24.21.0';
/** Increment when the steps below change, so that caches from older steps are not reused. */
const RECIPE = 1;
/** Kerberos is left out: the server starts without it, it needs system headers, and it only serves proxies. */
const NATIVE_MODULES = ['node-pty', '@vscode/spdlog', '@vscode/native-watchdog', '@parcel/watcher'];

/** An installed editor server (VS Code's own, from the npm package code-server) and the Node that it runs on. */
export interface ServerInstall {
  readonly node: string;
  readonly main: string;
}

/** Returns the editor server; on first use, installs it from the npm registry (about 50 s and 800 MB) and reports each step. */
export async function provisionServer(say: (line: string) => void): Promise<ServerInstall> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `editor-${SERVER_VERSION}-node-${NODE_VERSION}-${platform}-${process.arch}-r${RECIPE}`;
  const dir = await editorCache(name, (partial) => install(partial, say));
  return { node: nodeIn(dir), main: path.join(serverIn(dir), 'out', 'server-main.js') };
}

function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${process.arch}`;
}

function nodeIn(dir: string): string {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(dir, 'node', 'node_modules', nodePackage(), 'bin', program);
}

function serverIn(dir: string): string {
  return path.join(dir, 'server', 'node_modules', 'code-server', 'lib', 'vscode');
}

async function install(dir: string, say: (line: string) => void): Promise<void> {
  const started = Date.now();
  const nodeDir = await npmProject(path.join(dir, 'node'));
  const serverDir = await npmProject(path.join(dir, 'server'));
  say(`Installing an editor from the npm registry into ${path.dirname(dir)} (once, about a minute) …`);
  say(`  1/5 Node ${NODE_VERSION} for the editor`);
  await npm(nodeDir, dir, ['install', '--ignore-scripts', `${nodePackage()}@${NODE_VERSION}`]);
  say(`  2/5 the editor, code-server ${SERVER_VERSION}`);
  await npm(serverDir, dir, ['install', '--ignore-scripts', `code-server@${SERVER_VERSION}`]);
  say("  3/5 the editor's own dependencies");
  await npm(serverIn(dir), dir, ['install', '--omit=dev', '--ignore-scripts']);
  say('  4/5 its native modules');
  await npm(serverIn(dir), dir, ['rebuild', ...NATIVE_MODULES]);
  say('  5/5 refusing proposed API, as a released editor does');
  await refuseProposedApi(serverIn(dir));
  const check = await runCommand(nodeIn(dir), [path.join(serverIn(dir), 'out', 'server-main.js'), '--version'], {
    timeoutMs: 60_000,
  });
  if (check.code !== 0) throw new Error(`The installed editor does not start (exit ${check.code}): ${check.output}`);
  say(`  done in ${Math.round((Date.now() - started) / 1000)} s: VS Code ${check.output.split('\n')[0] ?? ''}`);
}

async function npmProject(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'editor-cache', private: true }));
  return dir;
}

async function npm(cwd: string, cacheDir: string, args: readonly string[]): Promise<void> {
  const node = nodeIn(cacheDir);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_(registry|cache|userconfig)$)/i.test(name),
  );
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    // Headers of the Node that will load the modules; otherwise they are downloaded from nodejs.org.
    npm_config_nodedir: path.dirname(path.dirname(node)),
  };
  const result = await runCommand('npm', [...args, '--no-audit', '--no-fund'], { cwd, env, timeoutMs: 10 * 60_000 });
  if (result.code === 0) return;
  throw new Error(
    `npm ${args.join(' ')} failed in ${cwd} (exit ${result.code}). Native modules need make, g++ and python3; the rest ` +
      `needs the npm registry. Output:\n${result.output.slice(-3000)}`,
  );
}
