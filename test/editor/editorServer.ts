import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from './cleanEnvironment';
import { editorSettings } from './editorSettings';
import { installBridge } from './installBridge';
import { OwnedProcess } from './ownedProcess';
import { processTree } from './processTree';
import type { ServerInstall } from './provisionServer';
import { runCommand } from './runCommand';

export interface EditorServerOptions {
  readonly install: ServerInstall;
  /** The folder to which the editor writes everything. */
  readonly dataDir: string;
  /** Overrides of the defaults in `editorSettings`; undefined removes a default. Applied only to a new data folder. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packaged extensions to install before the server starts. */
  readonly vsix?: readonly string[];
  /** Folders of other extensions to copy unchanged, such as `example` for `example/package.json`. */
  readonly extensions?: readonly string[];
  /** The folder of built-in extensions to use instead of the editor's own. */
  readonly builtIn?: string;
  /** The environment of the server, its extension hosts, and its terminals; a clean one by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** A fixed port, to restart where an earlier server ran. */
  readonly port?: number;
  /** Whether functions can be sent into the extension hosts; true by default. */
  readonly bridge?: boolean;
}

/** A running editor server on 127.0.0.1. */
export class EditorServer {
  private constructor(
    private readonly process: OwnedProcess,
    readonly options: EditorServerOptions,
    readonly port: number,
  ) {}

  /** Resolves once the server responds; the system picks a free port unless one is given. */
  static async start(options: EditorServerOptions): Promise<EditorServer> {
    await prepareDataDir(options);
    const args = [options.install.main, '--host', '127.0.0.1', '--port', String(options.port ?? 0)];
    args.push('--without-connection-token', '--accept-server-license-terms', '--server-data-dir', options.dataDir);
    // Without the smoke-test driver the page ignores the extension under development.
    args.push('--telemetry-level', 'off', '--enable-smoke-test-driver');
    if (options.builtIn !== undefined) args.push('--builtin-extensions-dir', options.builtIn);
    const process = new OwnedProcess(options.install.node, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...(options.env ?? cleanEnvironment()), ...(await temporaryFolder(options.dataDir)) },
      cwd: options.dataDir,
    });
    const port = await listeningPort(process, path.join(options.dataDir, 'server.log'));
    return new EditorServer(process, options, port);
  }

  /** Resolves once the server has exited, by itself or by `stop`. */
  get exited(): Promise<number | null> {
    return this.process.exited;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The editor's own logs and the server's output. */
  get logPaths(): readonly string[] {
    return [path.join(this.options.dataDir, 'server.log'), path.join(this.options.dataDir, 'data', 'logs')];
  }

  /** The process ids below the server: extension hosts, file watchers, terminals. */
  processes(): readonly number[] {
    const { pid } = this.process.child;
    return pid === undefined ? [] : processTree(pid);
  }

  /** Deletes all window state from disk, including logs, and replaces the user's settings. Call only while no window is open. */
  async resetUserData(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const data = path.join(this.options.dataDir, 'data');
    const logs = path.join(data, 'logs');
    for (const each of await readdir(logs)) {
      const ofWindows = (await readdir(path.join(logs, each))).filter((name) => name.startsWith('exthost'));
      await Promise.all(ofWindows.map((name) => rm(path.join(logs, each, name), { recursive: true })));
    }
    for (const scope of ['User', 'Machine']) {
      await rm(path.join(data, scope), { recursive: true, force: true, maxRetries: 5 });
    }
    await writeSettings(this.options.dataDir, settings);
  }

  /** Stops the server, its extension hosts, and its terminals. */
  async stop(): Promise<void> {
    await this.process.stop();
  }

  /** Kills them immediately, for when none of their data is needed anymore. */
  async kill(): Promise<void> {
    this.process.kill();
    await this.process.exited;
  }

  /** Kills the server as a crash would and starts another one on the same port and data. */
  async restart(): Promise<EditorServer> {
    await this.kill();
    return EditorServer.start({ ...this.options, port: this.port });
  }
}

async function prepareDataDir(options: EditorServerOptions): Promise<void> {
  // A second start on the same data keeps the settings that the editor has written since.
  await writeSettings(options.dataDir, options.settings).catch(() => undefined);
  if (options.bridge ?? true) await installBridge(path.join(options.dataDir, 'extensions'));
  for (const folder of options.extensions ?? []) {
    await cp(folder, path.join(options.dataDir, 'extensions', `${path.basename(folder)}-0.0.1`), { recursive: true });
  }
  for (const vsix of options.vsix ?? []) {
    const args = [options.install.main, '--install-extension', vsix, '--server-data-dir', options.dataDir, '--force'];
    const result = await runCommand(options.install.node, args, { timeoutMs: 60_000, env: cleanEnvironment() });
    if (result.code !== 0) throw new Error(`The editor could not install ${vsix}: ${result.output}`);
  }
}

/** Rejects if the user already has settings. */
async function writeSettings(dataDir: string, settings: EditorServerOptions['settings']): Promise<void> {
  const userDir = path.join(dataDir, 'data', 'User');
  await mkdir(userDir, { recursive: true });
  const text = JSON.stringify({ ...editorSettings, ...settings }, null, 2);
  await writeFile(path.join(userDir, 'settings.json'), text, { flag: 'wx' });
}

/**
 * Keeps the sockets and caches that the editor leaves behind in the data folder. Linux only: elsewhere the socket path would be
 * too long.
 */
async function temporaryFolder(dataDir: string): Promise<Record<string, string>> {
  if (process.platform !== 'linux') return {};
  const dir = path.join(dataDir, 'tmp');
  await mkdir(dir, { recursive: true });
  return { TMPDIR: dir };
}

function listeningPort(server: OwnedProcess, logFile: string): Promise<number> {
  const log = createWriteStream(logFile, { flags: 'a' });
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`The editor server ${why}. Its output (${logFile}):\n${output}`));
    const timer = setTimeout(() => {
      void server.stop();
      fail('did not start within 60 s');
    }, 60_000);
    const read = (chunk: Buffer): void => {
      log.write(chunk);
      output = (output + chunk.toString()).slice(-20_000);
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    server.child.stdout?.on('data', read);
    server.child.stderr?.on('data', read);
    void server.exited.then((code) => {
      clearTimeout(timer);
      log.end();
      fail(`ended with exit code ${String(code)} before it was ready`);
    });
  });
}
