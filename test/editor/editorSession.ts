import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { cleanEnvironment } from './cleanEnvironment';
import { EditorServer } from './editorServer';
import { EditorWindow } from './editorWindow';
import { provisionServer } from './provisionServer';
import { repoRoot } from './repoRoot';
import { sharedBrowser } from './sharedBrowser';
import { WorkspaceFolder } from './workspaceFolder';

export interface SessionOptions {
  readonly workspace?: 'sample' | 'empty';
  /** Files written into the folder before it is opened. */
  readonly files?: Readonly<Record<string, string>>;
  /** User settings over the harness's own. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the extension host; CAIRN_CONFIG_DIR is always a folder of this session. */
  readonly env?: Readonly<Record<string, string>>;
  /** Packaged extensions to install; the repository is then not opened as the extension under development. */
  readonly vsix?: readonly string[];
  /** The extension under development, instead of the repository. */
  readonly developmentPath?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Records a trace of the browser, to be kept when something fails. */
  readonly trace?: boolean;
}

/** A fresh editor: its own server, data, browser profile and folder. Everything is gone after `close`. */
export class EditorSession {
  readonly windows: EditorWindow[] = [];

  private constructor(
    readonly options: SessionOptions,
    readonly dataDir: string,
    readonly workspace: WorkspaceFolder,
    readonly browser: BrowserContext,
    private current: EditorServer,
  ) {}

  static async start(options: SessionOptions = {}): Promise<EditorSession> {
    const install = await provisionServer(console.log);
    const dataDir = await realpath(await mkdtemp(path.join(tmpdir(), 'editor-')));
    await mkdir(path.join(dataDir, 'config'));
    const workspace = await WorkspaceFolder.create(options.workspace ?? 'sample', options.files);
    const server = await EditorServer.start({
      install,
      dataDir,
      ...(options.settings && { settings: options.settings }),
      ...(options.vsix && { vsix: options.vsix }),
      env: { ...cleanEnvironment(), ...sessionEnvironment(dataDir, options) },
    });
    const browser = await (
      await sharedBrowser()
    ).newContext({ viewport: options.viewport ?? { width: 1400, height: 900 } });
    if (options.trace) await browser.tracing.start({ screenshots: true, snapshots: true });
    return new EditorSession(options, dataDir, workspace, browser, server);
  }

  get server(): EditorServer {
    return this.current;
  }

  /** The user's configuration folder of this session (CAIRN_CONFIG_DIR). */
  get configDir(): string {
    return path.join(this.dataDir, 'config');
  }

  /** Opens a window on the session's folder, or on another one, and waits until it can be used. */
  async openWindow(folder = this.workspace.path): Promise<EditorWindow> {
    const developmentPath = this.options.vsix ? undefined : (this.options.developmentPath ?? repoRoot);
    const window = await EditorWindow.open({
      server: this.current,
      browser: this.browser,
      folder,
      env: sessionEnvironment(this.dataDir, this.options),
      ...(developmentPath !== undefined && { developmentPath }),
    });
    this.windows.push(window);
    await window.ready();
    return window;
  }

  /** Kills the server like a crash and starts it again on the same address and data. Reload the windows afterwards. */
  async restartServer(): Promise<void> {
    this.current = await this.current.restart();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.current.kill();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
    await this.workspace.remove();
  }
}

function sessionEnvironment(dataDir: string, options: SessionOptions): Record<string, string> {
  return { CAIRN_CONFIG_DIR: path.join(dataDir, 'config'), ...options.env };
}
