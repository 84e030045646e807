import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story as ModelStory } from '../support/modelServer/story';
import { EditorSession, type SessionOptions } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { modelEnvironment } from './modelEnvironment';
import { Panel } from './panel';
import { TITLES } from './tellStory';
import { until } from './until';

export type ChapterOptions = Pick<SessionOptions, 'workspace' | 'files' | 'settings' | 'viewport'>;

/** What is drawn late is drawn by then; otherwise the window is not as new. */
const SOON_MS = 5000;
/** Of the configuration folder: what every story adds to. */
const GROWING = new Set(['sessions', 'audit.jsonl']);

/** All of a new window that a story could notice a difference of. */
interface Traces {
  readonly panel: string;
  readonly status: string;
  readonly layout: string;
  readonly settings: string;
  readonly config: string;
}

/** A window that stories use one after the other. It is looked at before the first one, and has to look the same before each further one. */
export class SharedWindow {
  private static current: SharedWindow | undefined;
  private isUsed = false;

  private constructor(
    private readonly options: ChapterOptions,
    readonly session: EditorSession,
    readonly window: EditorWindow,
    private model: ModelServer,
    private readonly asNew: Traces,
    private readonly files: ReadonlyMap<string, string>,
  ) {}

  /** The window of these options, if it can be made as new, or another. */
  static async take(options: ChapterOptions): Promise<SharedWindow> {
    const { current } = SharedWindow;
    if (current?.options === options && (await current.isAsNew())) return current;
    await SharedWindow.end();
    SharedWindow.current = await SharedWindow.open(options);
    return SharedWindow.current;
  }

  /** Closes the window that is kept; `failed` when it may be in any state. */
  static async end(failed = false): Promise<void> {
    const { current } = SharedWindow;
    SharedWindow.current = undefined;
    await current?.session.close(failed);
    await current?.model.close();
  }

  /** A model with this part, where the window looks for one. */
  play(story: ModelStory): ModelServer {
    this.isUsed = true;
    this.model = this.model.handOver([...story, TITLES]);
    return this.model;
  }

  private static async open(options: ChapterOptions): Promise<SharedWindow> {
    const model = await startModelServer([TITLES]);
    const session = await EditorSession.startInKept({ trace: true, ...options, env: modelEnvironment(model) });
    try {
      const window = await session.openWindow();
      await new Panel(window).open();
      const files = await session.workspace.snapshot();
      return new SharedWindow(options, session, window, model, await tracesOf(session, window), files);
    } catch (error) {
      await session.close(true);
      await model.close();
      throw error;
    }
  }

  private async isAsNew(): Promise<boolean> {
    if (!this.isUsed) return true;
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
    await until('the run to end', isIdle, SOON_MS);
    await keepChanges(window, panel);
    await closeEditors(window);
    await this.putFilesBack();
    for (const command of ['closeQuickOpen', 'closePanel']) await window.command(`workbench.action.${command}`);
    await window.command('workbench.view.explorer');
    await window.command('notifications.clearAll');
    await window.command('cairn.newSession');
    await panel.open();
    // What was typed goes along into a new session.
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

  /** What agents, skills and roles are made of is read in the background, so that nobody could tell when it has been. */
  private async putFilesBack(): Promise<void> {
    const now = await this.session.workspace.snapshot();
    const changed = [...now].filter(([file, text]) => this.files.get(file) !== text).map(([file]) => file);
    const missing = [...this.files.keys()].filter((file) => !now.has(file));
    const restless = [...changed, ...missing].find((file) => /^\.|AGENTS\.md|CLAUDE\.md/.test(file));
    if (restless !== undefined) throw new Error(`${restless} has changed`);
    for (const file of [...changed, ...missing]) {
      const text = this.files.get(file);
      await (text === undefined ? this.session.workspace.removeFile(file) : this.session.workspace.write(file, text));
    }
  }
}

/** What waits for a review would wait in the next story, too. */
async function keepChanges(window: EditorWindow, panel: Panel): Promise<void> {
  const isReviewed = async (): Promise<boolean> =>
    !/to review/.test(await (await panel.locate('main.panel')).innerText({ timeout: SOON_MS }));
  if (await isReviewed()) return;
  // Where nothing is left by then, the command ends only when somebody has read that.
  await window.startCommand('cairn.keepAll');
  await until('all changes to be kept', isReviewed, SOON_MS);
}

/** Also those with text that is not saved, and terminals. */
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
    settings: await readFile(path.join(session.server.options.dataDir, 'data/User/settings.json'), 'utf8'),
    config: JSON.stringify(await Promise.all(config.map((name) => textIn(path.join(session.configDir, name))))),
  };
}

async function textIn(file: string): Promise<string> {
  return `${path.basename(file)}: ${await readFile(file, 'utf8').catch(() => 'a folder')}`;
}

/** The first that is not the same, with the first line that was otherwise; empty when there is none. */
function differenceOf(before: Traces, now: Traces): string {
  for (const name of ['panel', 'status', 'layout', 'settings', 'config'] as const) {
    const was = before[name].split('\n');
    const is = now[name].split('\n');
    const at = was.findIndex((line, index) => line !== is[index]);
    if (before[name] !== now[name]) return `${name}: “${was[at] ?? ''}” is “${is[at < 0 ? was.length : at] ?? ''}” now`;
  }
  return '';
}
