import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { BridgeClient } from './bridge/bridgeClient';
import type { BridgeContext } from './bridge/bridgeContext';
import { ConsoleLog } from './consoleLog';
import type { EditorServer } from './editorServer';
import { extensionId } from './extensionId';
import { repeatUntil } from './repeatUntil';
import { until } from './until';
import { windowAddress } from './windowAddress';

export interface EditorWindowOptions {
  readonly server: EditorServer;
  readonly browser: BrowserContext;
  /** An existing page to open the window in, instead of a new one. */
  readonly page?: Page | undefined;
  /** The folder to open, or a `.code-workspace` file; an empty window if omitted. */
  readonly folder?: string;
  /** The extension's folder; omitted if a packaged extension is installed. */
  readonly developmentPath?: string;
  /** The environment of this window's extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** A module whose `run()` the editor calls in its extension host, as @vscode/test-electron does. */
  readonly testsPath?: string;
  /** Called before the page loads, for tests that listen to it. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

const THEMES: Readonly<Record<Theme, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

/** One window of the editor: a page, and access to its extension host. */
export class EditorWindow {
  private constructor(
    readonly page: Page,
    readonly console: ConsoleLog,
    private readonly bridge: BridgeClient,
  ) {}

  /** Opens the window; call `ready` to wait until it can be used. */
  static async open(options: EditorWindowOptions): Promise<EditorWindow> {
    const page = options.page ?? (await options.browser.newPage());
    page.setDefaultTimeout(40_000);
    const bridgeDir = await mkdtemp(path.join(options.server.options.dataDir, 'bridge-'));
    const bridgeFile = path.join(bridgeDir, 'port');
    const env = { ...options.env, CAIRN_BRIDGE_FILE: bridgeFile };
    const window = new EditorWindow(page, new ConsoleLog(page), new BridgeClient(bridgeFile, extensionId));
    await options.prepare?.(page);
    await page.goto(windowAddress({ ...options, host: options.server.host, env }), { timeout: 60_000 });
    return window;
  }

  /** Resolves once the workbench is rendered, its extension host responds, and the extension is known to it. */
  async ready(): Promise<void> {
    await this.page.locator('.part.statusbar').waitFor({ timeout: 60_000 });
    const known = (): Promise<boolean> => this.ev(({ extension }) => extension !== undefined);
    await until(`the extension ${extensionId} to be known to the editor`, known, 120_000);
  }

  /**
   * Runs a function in the extension host. The function is sent as source text, so it can access only the bridge's context and
   * the argument, not the variables around it; argument and result travel as JSON.
   */
  ev<Result, Argument = undefined>(
    run: (context: BridgeContext, argument: Argument) => Result | PromiseLike<Result>,
    argument?: Argument,
  ): Promise<Result> {
    return this.bridge.call(run, argument);
  }

  /** Runs a command of the editor and waits for it. For a command that waits for the user, use `startCommand`. */
  async command(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.ev(({ vscode }, call) => vscode.commands.executeCommand(call.id, ...call.args).then(() => null), {
      id,
      args,
    });
  }

  /** Starts a command without waiting for it, since one that shows a message or a list only ends once the user responds. */
  async startCommand(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.ev(
      ({ vscode }, call) => {
        void vscode.commands.executeCommand(call.id, ...call.args);
        return null;
      },
      { id, args },
    );
  }

  /** Changes a user setting, as the user would in the settings editor. */
  async setSetting(name: string, value: unknown): Promise<void> {
    await this.ev(
      ({ vscode }, set) =>
        vscode.workspace
          .getConfiguration()
          .update(set.name, set.value, true)
          .then(() => null),
      {
        name,
        value,
      },
    );
  }

  /**
   * Hides the notifications that cover part of the window, including the panel's buttons, for as long as the mouse rests on them.
   * They stay in the list of notifications.
   */
  async hideToasts(): Promise<void> {
    const isShown = await this.page.locator('.notification-toast').first().isVisible();
    if (isShown) await this.command('notifications.hideToasts');
  }

  async activate(): Promise<void> {
    await this.ev(async ({ extension }) => {
      await extension?.activate();
      return null;
    });
  }

  /** Reloads the whole window with the editor's own command, which keeps the state of the window. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 60_000 });
    await this.startCommand('workbench.action.reloadWindow');
    await this.bridge.forget();
    await loaded;
    await this.ready();
  }

  /** Discards the document of every webview; the panel must recover by itself. */
  async reloadWebviews(): Promise<void> {
    const before = this.page.frames().filter((frame) => frame.url().includes('fake.html'));
    await this.command('workbench.action.webview.reloadWebviewAction');
    // Until then a step could still find the old document.
    await until('the webviews to be replaced', () => Promise.resolve(before.every((frame) => frame.isDetached())));
  }

  /**
   * Kills the extension host as a crash would. The editor restarts the host of an installed extension, but not of one under
   * development.
   */
  async killExtensionHost(): Promise<void> {
    const pid = await this.ev(() => process.pid);
    await this.bridge.forget();
    process.kill(pid, 'SIGKILL');
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.setSetting('workbench.colorTheme', THEMES[theme]);
    const wanted = theme.startsWith('high-contrast') ? 'hc-' : theme === 'dark' ? 'vs-dark' : 'vs';
    const shown = this.page.locator(`.monaco-workbench[class*="${wanted}"]`).first();
    await shown.waitFor();
  }

  /** Drags the border of the panel's side bar until it is `pixels` wide (the editor's minimum is 170). */
  async setPanelWidth(pixels: number): Promise<void> {
    const reached = async (): Promise<boolean> =>
      Math.abs(((await this.sideBar().boundingBox())?.width ?? 0) - pixels) <= 4;
    await repeatUntil(`the side bar to be ${pixels} px wide`, () => this.dragBorder(pixels), reached, 'redrawn');
  }

  private async dragBorder(pixels: number): Promise<void> {
    const box = await this.sideBar().boundingBox();
    if (box === null) throw new Error('The side bar with the panel is hidden: open the panel first.');
    // The border can be dragged within the four pixels before the side bar.
    const border = box.x - 2;
    const y = box.y + box.height / 2;
    await this.page.mouse.move(border, y);
    await this.page.mouse.down();
    await this.page.mouse.move(border + box.width - pixels, y, { steps: 8 });
    await this.page.mouse.up();
    // Moves away from the border, which is drawn wide and blue on hover.
    await this.page.mouse.move(5, 5);
  }

  /** The side bar that contains the panel. */
  sideBar(): Locator {
    return this.page.locator('.part.auxiliarybar');
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }

  async panelScreenshot(file: string): Promise<void> {
    await this.sideBar().screenshot({ path: file });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
