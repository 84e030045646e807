import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story as ModelStory } from '../support/modelServer/story';
import { EditorSession, type SessionOptions } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { modelEnvironment } from './modelEnvironment';
import { Panel } from './panel';
import { TITLES } from './tellStory';
import { until } from './until';
import { userSettings } from './userSettings';

export type ChapterOptions = Pick<SessionOptions, 'workspace' | 'files' | 'settings' | 'viewport'>;

/** What one scene adds to its chapter: settings and files are in place when it begins and removed after it. */
export interface ScenePart {
  readonly model: ModelStory;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** By then late rendering has finished; otherwise the window is not considered clean. */
const SOON_MS = 20_000;
/** By then a run that has said everything has ended; any other waits for something. */
const RUN_MS = 5000;
/** A window grows a little with each session. */
const MOST_SCENES = 30;
/** Files that define agents, skills, roles, and instructions. */
const CONTENT = /^\.|AGENTS\.md|CLAUDE\.md/;
/** Entries of the configuration folder to which every story adds. */
const GROWING = new Set(['sessions', 'usage', 'audit.jsonl']);

/** The state of a new window that could affect a story. */
interface Traces {
  readonly panel: string;
  readonly status: string;
  readonly layout: string;
  readonly config: string;
}

/**
 * A window that stories use one after the other. Its state is recorded before the first story and must be the same again before
 * each further one.
 */
export class SharedWindow {
  private static current: SharedWindow | undefined;
  private scenes = 0;

  private constructor(
    private readonly key: string,
    readonly session: EditorSession,
    readonly window: EditorWindow,
    private model: ModelServer,
    private readonly asNew: Traces,
    private readonly settings: Readonly<Record<string, unknown>>,
    private readonly files: ReadonlyMap<string, string>,
  ) {}

  /** Returns the current window if it matches these options and can be reset, otherwise a new one. */
  static async take(options: ChapterOptions): Promise<SharedWindow> {
    const { current } = SharedWindow;
    if (current?.key === keyOf(opened(options)) && (await current.isAsNew())) return current;
    await SharedWindow.end();
    SharedWindow.current = await SharedWindow.open(opened(options));
    return SharedWindow.current;
  }

  /** Closes the current window; `failed` if it may be in any state. */
  static async end(failed = false): Promise<void> {
    const { current } = SharedWindow;
    SharedWindow.current = undefined;
    await current?.session.close(failed);
    await current?.model.close();
  }

  /** Sets up a scene: returns a model with this script at the address that the window uses, and puts its files and settings in place. */
  async play(options: ChapterOptions, { model, settings = {}, files = {} }: ScenePart): Promise<ModelServer> {
    this.scenes += 1;
    this.model = this.model.handOver([...model, TITLES]);
    await this.write({ ...options.files, ...files });
    for (const [name, value] of Object.entries(settings)) await this.window.setSetting(name, value);
    // The current session was started with the previous settings.
    if (Object.keys(settings).length > 0) await this.window.command('cairn.newSession');
    return this.model;
  }

  private static async open(options: ChapterOptions): Promise<SharedWindow> {
    const model = await startModelServer([TITLES]);
    const session = await EditorSession.startInKept({ trace: true, ...options, env: modelEnvironment(model) });
    try {
      const window = await session.openWindow();
      await new Panel(window).open();
      const files = await session.workspace.snapshot();
      const settings = await userSettings.read(session.server);
      const traces = await tracesOf(session, window);
      return new SharedWindow(keyOf(options), session, window, model, traces, settings, files);
    } catch (error) {
      await session.close(true);
      await model.close();
      throw error;
    }
  }

  private async isAsNew(): Promise<boolean> {
    if (this.scenes === 0) return true;
    if (this.scenes >= MOST_SCENES) return false;
    try {
      await this.clean();
      return true;
    } catch (error) {
      console.log(`      (a new window: ${error instanceof Error ? error.message : String(error)})`);
      return false;
    }
  }

  private async clean(): Promise<void> {
    const { session, window } = this;
    if (session.windows.length > 1) throw new Error('the last story opened another one');
    const panel = new Panel(window);
    const isIdle = async (): Promise<boolean> => (await (await panel.button('Stop')).count()) === 0;
    await until('the run to end', isIdle, RUN_MS);
    await keepChanges(window, panel);
    await closeEditors(window);
    await this.putFilesBack();
    await userSettings.putBack(session.server, window, this.settings);
    for (const command of ['closeQuickOpen', 'closePanel']) await window.command(`workbench.action.${command}`);
    await window.command('workbench.view.explorer');
    await window.command('notifications.clearAll');
    await window.command('cairn.newSession');
    await panel.open();
    await this.removeSessions();
    // Text in the message box carries over to a new session.
    await (await panel.composer()).fill('', { timeout: SOON_MS });
    let differing = '';
    const isSame = async (): Promise<boolean> => {
      differing = differenceOf(this.asNew, await tracesOf(session, window));
      return differing === '';
    };
    await until('it to be as before', isSame, SOON_MS).catch(() => {
      throw new Error(differing);
    });
  }

  /**
   * Removes sessions and their usage records. The session that the panel shows has no history yet; the session list is read again
   * each time it is opened.
   */
  private async removeSessions(): Promise<void> {
    const root = path.join(this.session.configDir, 'sessions');
    const folders = (await readdir(root)).map((id) => path.join(root, id));
    const told = folders.filter((folder) => existsSync(path.join(folder, 'history.jsonl')));
    const used = path.join(this.session.configDir, 'usage');
    await Promise.all([...told, used].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  }

  /**
   * Fails if a file that defines agents, skills, or roles has changed: these are read in the background, so there is no way to
   * tell when that has happened.
   */
  private async putFilesBack(): Promise<void> {
    const now = await this.session.workspace.snapshot();
    const changed = [...now].filter(([file, text]) => this.files.get(file) !== text).map(([file]) => file);
    const missing = [...this.files.keys()].filter((file) => !now.has(file));
    const restless = [...changed, ...missing].find((file) => CONTENT.test(file));
    if (restless !== undefined) throw new Error(`${restless} has changed`);
    const added = changed.filter((file) => !this.files.has(file));
    await Promise.all(added.map((file) => this.session.workspace.removeFile(file)));
    await this.write(Object.fromEntries([...this.files].filter(([file, text]) => now.get(file) !== text)));
  }

  /** The editor keeps the text of a file for minutes after it is closed and picks up a new one with a delay. */
  private async write(files: Readonly<Record<string, string>>): Promise<void> {
    const { workspace } = this.session;
    const now = await workspace.snapshot();
    const changed = Object.entries(files).filter(([file, text]) => now.get(file) !== text);
    for (const [file, text] of changed) await workspace.write(file, text);
    const texts = Object.fromEntries(Object.entries(files).map(([file, text]) => [workspace.resolve(file), text]));
    const isKnown = (): Promise<boolean> =>
      this.window.ev(
        ({ vscode }, wanted) =>
          vscode.workspace.textDocuments.every(
            (each) => each.uri.scheme !== 'file' || each.getText() === (wanted[each.uri.fsPath] ?? each.getText()),
          ),
        texts,
      );
    await until('the editor to know the files', isKnown);
  }
}

/** All other files are written when a scene begins, so that chapters with different ones can share a window. */
function opened(options: ChapterOptions): ChapterOptions {
  const files = Object.entries(options.files ?? {}).filter(([file]) => CONTENT.test(file));
  return { ...options, files: Object.fromEntries(files) };
}

function keyOf({ workspace, files, settings, viewport }: ChapterOptions): string {
  return JSON.stringify([workspace, files, settings, viewport]);
}

/** Changes left to review would otherwise carry over to the next story. */
async function keepChanges(window: EditorWindow, panel: Panel): Promise<void> {
  const isReviewed = async (): Promise<boolean> =>
    !/to review/.test(await (await panel.locate('main.panel')).innerText({ timeout: SOON_MS }));
  if (await isReviewed()) return;
  // If nothing is left by then, the command only ends once the user has dismissed the message.
  await window.startCommand('cairn.keepAll');
  await until('all changes to be kept', isReviewed, SOON_MS);
}

/** Also closes editors with unsaved text, and terminals. */
async function closeEditors(window: EditorWindow): Promise<void> {
  const isClosed = (): Promise<boolean> =>
    window.ev(async ({ vscode }) => {
      for (const terminal of vscode.window.terminals) terminal.dispose();
      const tabs = (): number => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
      if (tabs() > 0) await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      return tabs() === 0 && vscode.window.terminals.length === 0;
    });
  await until('all editors to be closed', isClosed, SOON_MS);
}

async function tracesOf(session: EditorSession, window: EditorWindow): Promise<Traces> {
  const { page } = window;
  const panel = new Panel(window);
  const boxes = ['.part.sidebar', '.part.auxiliarybar', '.part.panel', '.part.editor', '.notifications-toasts'].map(
    async (part) => ((await page.locator(part).isVisible()) ? await page.locator(part).boundingBox() : null),
  );
  const config = (await readdir(session.configDir)).filter((name) => !GROWING.has(name));
  const message = await (await panel.composer()).inputValue({ timeout: SOON_MS });
  const shown = await (await panel.locate('main.panel')).innerText({ timeout: SOON_MS });
  return {
    panel: `${shown}\n${message}`,
    status: await page.locator('.statusbar-item[id="cairn-agents.cairn.status"]').innerText({ timeout: SOON_MS }),
    layout: JSON.stringify(await Promise.all(boxes)),
    config: JSON.stringify(await Promise.all(config.map((name) => textIn(path.join(session.configDir, name))))),
  };
}

async function textIn(file: string): Promise<string> {
  return `${path.basename(file)}: ${await readFile(file, 'utf8').catch(() => 'a folder')}`;
}

/** Returns the first part that differs, with its first differing line; empty if there is none. */
function differenceOf(before: Traces, now: Traces): string {
  for (const name of ['panel', 'status', 'layout', 'config'] as const) {
    const was = before[name].split('\n');
    const is = now[name].split('\n');
    const at = was.findIndex((line, index) => line !== is[index]);
    if (before[name] !== now[name]) return `${name}: “${was[at] ?? ''}” is “${is[at < 0 ? was.length : at] ?? ''}” now`;
  }
  return '';
}
