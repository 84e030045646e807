import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { browserContext } from './browserContext';
import { cleanEnvironment } from './cleanEnvironment';
import { EditorServer } from './editorServer';
import { EditorWindow } from './editorWindow';
import { KeptEditor } from './keptEditor';
import { provisionServer } from './provisionServer';
import { repoRoot } from './repoRoot';
import { WorkspaceFolder } from './workspaceFolder';

export interface SessionOptions {
  readonly workspace?: 'sample' | 'empty';
  /** Files to write into the folder before it is opened. */
  readonly files?: Readonly<Record<string, string>>;
  /** User settings that override the test defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The environment of the extension host; CAIRN_CONFIG_DIR is always a folder of this session. */
  readonly env?: Readonly<Record<string, string>>;
  /** Packaged extensions to install; in that case the repository is not opened as the extension under development. */
  readonly vsix?: readonly string[];
  /** Folders of other extensions to copy unchanged. */
  readonly extensions?: readonly string[];
  /** The extension under development, if not the repository. */
  readonly developmentPath?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Records a trace of the browser, to keep if something fails. */
  readonly trace?: boolean;
}

/** The editor and browser that a session runs in. */
interface Place {
  readonly server: EditorServer;
  readonly browser: BrowserContext;
  /** The page of the first window; each further window has its own. */
  readonly page?: Page;
  /** `asNew`: the server and the page themselves are unchanged, so that other sessions may reuse them. */
  leave(asNew: boolean): Promise<void>;
}

/** An editor in a fresh state: its own user data, browser profile, and folder. `close` removes everything. */
export class EditorSession {
  readonly windows: EditorWindow[] = [];
  private restarted: EditorServer | undefined;

  private constructor(
    readonly options: SessionOptions,
    private readonly home: string,
    readonly workspace: WorkspaceFolder,
    private readonly place: Place,
  ) {}

  /** Starts a session in an editor of its own. */
  static start(options: SessionOptions = {}): Promise<EditorSession> {
    return EditorSession.open(options, (home) => ownPlace(home, options));
  }

  /** Starts a session in the editor of earlier sessions, unless an option needs a separate one. */
  static startInKept(options: SessionOptions): Promise<EditorSession> {
    const { vsix, extensions, developmentPath, env } = options;
    // Terminals use the server's environment, which is fixed.
    const isSpecial = [vsix, extensions, developmentPath, env?.['SHELL']].some((each) => each !== undefined);
    return isSpecial ? EditorSession.start(options) : EditorSession.open(options, () => keptPlace(options));
  }

  private static async open(
    options: SessionOptions,
    findPlace: (home: string) => Promise<Place>,
  ): Promise<EditorSession> {
    const home = await realpath(await mkdtemp(path.join(tmpdir(), 'session-')));
    await mkdir(configIn(home));
    const workspace = await WorkspaceFolder.create(options.workspace ?? 'sample', options.files);
    return new EditorSession(options, home, workspace, await findPlace(home));
  }

  get server(): EditorServer {
    return this.restarted ?? this.place.server;
  }

  get browser(): BrowserContext {
    return this.place.browser;
  }

  /** The user's configuration folder of this session (CAIRN_CONFIG_DIR). */
  get configDir(): string {
    return configIn(this.home);
  }

  /**
   * Opens a window on the session's folder, another one, several (a `.code-workspace` file), or none (`null`), and waits until it is
   * ready.
   */
  async openWindow(folder: string | null = this.workspace.path): Promise<EditorWindow> {
    const developmentPath = this.options.vsix ? undefined : (this.options.developmentPath ?? repoRoot);
    const window = await EditorWindow.open({
      server: this.server,
      browser: this.browser,
      page: this.windows.length === 0 ? this.place.page : undefined,
      ...(folder !== null && { folder }),
      env: sessionEnvironment(this.home, this.options),
      ...(developmentPath !== undefined && { developmentPath }),
    });
    this.windows.push(window);
    await window.ready();
    return window;
  }

  /** Kills the server like a crash and restarts it on the same address and data. Reload the windows afterward. */
  async restartServer(): Promise<void> {
    this.restarted = await this.server.restart();
  }

  /** `failed`: the editor may be in any state and must not be reused. */
  async close(failed = false): Promise<void> {
    for (const { console } of this.windows) console.end();
    await this.restarted?.kill();
    await this.place.leave(!failed && this.restarted === undefined);
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
    await this.workspace.remove();
  }
}

async function ownPlace(home: string, options: SessionOptions): Promise<Place> {
  const { settings, vsix, extensions, viewport, trace } = options;
  const server = await EditorServer.start({
    install: await provisionServer(console.log),
    dataDir: home,
    ...(settings && { settings }),
    ...(vsix && { vsix }),
    ...(extensions && { extensions }),
    env: { ...cleanEnvironment(), ...sessionEnvironment(home, options) },
  });
  const browser = await browserContext({ ...(viewport && { viewport }), ...(trace && { trace }) });
  const leave = async (): Promise<void> => {
    await browser.close();
    await server.kill();
  };
  return { server, browser, leave };
}

async function keptPlace(options: SessionOptions): Promise<Place> {
  const editor = await KeptEditor.borrow(options);
  const { server, browser, page } = editor;
  return { server, browser, page, leave: (asNew) => (asNew ? KeptEditor.giveBack(editor) : editor.end()) };
}

function configIn(home: string): string {
  return path.join(home, 'config');
}

function sessionEnvironment(home: string, options: SessionOptions): Record<string, string> {
  return { CAIRN_CONFIG_DIR: configIn(home), ...options.env };
}
