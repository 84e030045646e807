import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { EditorSession } from '../editor/editorSession';
import type { EditorWindow } from '../editor/editorWindow';
import { keepEvidence } from '../editor/keepEvidence';
import { Panel } from '../editor/panel';
import { closeSharedBrowser } from '../editor/sharedBrowser';
import { until } from '../editor/until';
import { startModelServer } from '../support/modelServer/modelServer';
import { files } from './conversation';
import { Movie } from './movie';
import type { Scene } from './scene';
import { LISTS, type Shot, WINDOWS } from './shots';

const SIZE = { width: 1440, height: 900 };
/** Small enough that the text stays readable when scaled down. */
const FILM = { width: 1200, height: 720 };
const FILM_PANEL = 440;
const FILM_FILE = 'cairn.gif';
/** How long the last frame is shown before the GIF restarts. */
const REST_MS = 4000;
const MODEL = 'openai:gpt-5';
/** The only key that the scripted model accepts. */
const KEY = 'test-key';

/** Hides from the window whatever depends on this machine or on the tests. */
const SETTINGS = { 'cairn.model': MODEL, 'remote.autoForwardPorts': false };

/** Plays scenes in a real editor, with the package installed like a user's, and takes their screenshots. */
export class Photographer {
  private constructor(
    private readonly session: EditorSession,
    private readonly window: EditorWindow,
    private readonly panel: Panel,
    private readonly folder: string,
  ) {}

  static async start(vsix: string, folder: string): Promise<Photographer> {
    await mkdir(folder, { recursive: true });
    const env = { OPENAI_API_KEY: KEY };
    const session = await EditorSession.start({ viewport: SIZE, files, env, settings: SETTINGS, vsix: [vsix] });
    const window = await session.openWindow();
    const panel = new Panel(window);
    await window.command('workbench.action.closeSidebar');
    await panel.open();
    return new Photographer(session, window, panel, folder);
  }

  /** Plays the scene once and takes all of its screenshots. Restores the folder afterwards. */
  async take(scene: Scene, shots: readonly Shot[]): Promise<void> {
    await this.stage(scene, async () => {
      await scene.play(this.panel, this.window);
      for (const shot of shots) await this.shoot(shot, scene);
    });
  }

  /** Plays the scene once and records a GIF of it. */
  async film(scene: Scene): Promise<void> {
    const { page } = this.window;
    await page.setViewportSize(FILM);
    await this.window.setTheme('dark');
    await this.window.setPanelWidth(FILM_PANEL);
    try {
      await this.stage(scene, async () => {
        const movie = new Movie(page);
        movie.start();
        try {
          await scene.play(this.panel, this.window);
        } finally {
          await movie.stop();
        }
        await writeFile(path.join(this.folder, FILM_FILE), movie.gif(REST_MS));
        await this.tell(FILM_FILE);
      });
    } finally {
      await page.setViewportSize(SIZE);
    }
  }

  /** Sets up the scene: its files, its model, and an empty chat. Restores the folder afterwards. */
  private async stage(scene: Scene, act: () => Promise<void>): Promise<void> {
    const before = await this.session.workspace.snapshot();
    for (const [file, text] of Object.entries(scene.files ?? {})) await this.session.workspace.write(file, text);
    const model = await startModelServer(scene.story, { key: KEY });
    try {
      await this.window.setSetting('cairn.openai.baseUrl', model.url);
      await this.window.setSetting('cairn.model', scene.model ?? MODEL);
      await this.openFile();
      await this.window.command('cairn.newSession');
      await until('an empty chat', async () => (await this.panel.entries()).length === 0);
      await this.takeBackSetup();
      await act();
    } catch (error) {
      console.error(`Evidence: ${await keepEvidence(`screenshot-${scene.name}`, this.session)}`);
      throw error;
    } finally {
      await this.window.startCommand('cairn.stopRun');
      await model.close();
      await scene.after?.(this.window, this.panel);
      await this.restore(before);
    }
  }

  /** An empty session keeps what was chosen and typed in it. */
  private async takeBackSetup(): Promise<void> {
    await (await this.panel.composer()).fill('');
    const removes = (await this.panel.frame()).getByRole('button', { name: /^Remove / });
    await until('nothing to be chosen', async () => {
      if ((await removes.count()) === 0) return true;
      await removes.first().click({ timeout: 2000 });
      return false;
    });
  }

  /** Makes the folder contain exactly these files. */
  private async restore(before: ReadonlyMap<string, string>): Promise<void> {
    const { workspace } = this.session;
    for (const file of (await workspace.snapshot()).keys()) {
      if (!before.has(file)) await rm(workspace.resolve(file));
    }
    for (const [file, text] of before) await workspace.write(file, text);
  }

  async close(): Promise<void> {
    await this.session.close();
    await closeSharedBrowser();
  }

  /** Opens one file in the editor, so that the window does not look empty. */
  private async openFile(): Promise<void> {
    await this.window.command('workbench.action.closeAllEditors');
    await this.window.ev(async ({ vscode }, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
      return null;
    }, this.session.workspace.resolve('src/parseDate.ts'));
  }

  private async shoot({ scene, theme, width, height, file: kept }: Shot, played: Scene): Promise<void> {
    await this.window.setTheme(theme);
    const kind = `vscode-${theme}`;
    const themed = async (): Promise<boolean> =>
      (await (await this.panel.locate(`body.${kind}`)).count()) > 0 && this.isSettled();
    await this.window.setPanelWidth(width);
    await until(`the panel to be drawn in ${theme}`, themed);
    await played.pose?.(this.window);
    const name = `${scene}-${theme}-${WINDOWS.includes(scene) ? SIZE.width : width}.png`;
    const file = kept === undefined ? path.join(this.folder, name) : path.join(this.folder, '..', kept);
    const { page } = this.window;
    const box = await this.partOf(scene).boundingBox();
    if (!box) throw new Error(`${scene}: what is to be in the picture is not shown.`);
    const cut = Math.max(0, box.height - (height ?? box.height));
    const clip = { x: box.x, y: box.y + cut, width: box.width, height: box.height - cut };
    await page.screenshot({ path: file, clip, animations: 'disabled', caret: 'hide' });
    await this.tell(path.relative(this.folder, file));
  }

  private partOf(scene: string): Locator {
    const { page } = this.window;
    if (WINDOWS.includes(scene)) return page.locator('body');
    return LISTS.includes(scene) ? page.locator('.quick-input-widget') : this.window.sideBar();
  }

  private async tell(name: string): Promise<void> {
    console.log(`  ${name}  ${Math.round((await stat(path.join(this.folder, name))).size / 1024)} KB`);
  }

  /** Whether the panel's transcript has stopped moving. A new width or theme takes a few frames to settle. */
  private async isSettled(): Promise<boolean> {
    const shape = async (): Promise<string> => {
      const entries = await (await this.panel.locate('[role=feed]')).boundingBox();
      return JSON.stringify([entries, await (await this.panel.locate('[role=feed]')).innerText()]);
    };
    const first = await shape();
    await new Promise((resolve) => setTimeout(resolve, 400));
    return first === (await shape());
  }
}
