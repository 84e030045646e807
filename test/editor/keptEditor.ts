import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { browserContext } from './browserContext';
import { cleanEnvironment } from './cleanEnvironment';
import { EditorServer } from './editorServer';
import { fewerExtensions } from './fewerExtensions';
import { provisionServer } from './provisionServer';
import { until } from './until';
import { usualViewport } from './usualViewport';

/** A server and a page grow a little with each window, so after this many uses the next story gets new ones. */
const MOST_USES = 20;
/** On the empty part of the activity bar, where a resting mouse hovers over nothing. */
const AT_REST = { x: 20, y: 500 };
/** Without the HTTP cache of the editor's own resources, which makes the next window open quickly. */
const STORAGE = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';
/** Idle editors: one or two, since a shared window keeps its own while a story uses another. */
const kept: KeptEditor[] = [];

export interface KeptEditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/**
 * A server and a browser page that stories use one after the other, since starting new ones costs more than most stories. Each
 * story opens its own window in the page, with a new extension host. Before the next story, everything that a story may have left
 * is removed: user data, browser storage, processes. If something cannot be removed, the editor is shut down and the next story
 * starts another.
 */
export class KeptEditor {
  private uses = 0;

  private constructor(
    readonly server: EditorServer,
    readonly browser: BrowserContext,
    readonly page: Page,
  ) {}

  /** Returns the most recently returned editor, or a new one, with these user settings. The caller has exclusive use of it. */
  static async borrow({ settings = {}, viewport = usualViewport }: KeptEditorOptions): Promise<KeptEditor> {
    const editor = (await KeptEditor.takeKept(settings)) ?? (await KeptEditor.start(settings));
    await editor.page.setViewportSize(viewport);
    return editor;
  }

  private static async takeKept(settings: Readonly<Record<string, unknown>>): Promise<KeptEditor | undefined> {
    const editor = kept.pop();
    await editor?.server.resetUserData(settings);
    await editor?.browser.tracing.startChunk();
    return editor;
  }

  /** Shuts down all idle editors. */
  static async endKept(): Promise<void> {
    await Promise.all(kept.splice(0).map((editor) => editor.end()));
  }

  /** Call after a story that succeeded. */
  static async giveBack(editor: KeptEditor): Promise<void> {
    if (await editor.isAsNew()) kept.push(editor);
    else await editor.end();
  }

  /** Returns true if the next story may use the editor: it has not reached its limit of uses and nothing of the last story is left. */
  private async isAsNew(): Promise<boolean> {
    this.uses += 1;
    if (this.uses >= MOST_USES) return false;
    return this.clean().then(
      () => true,
      () => false,
    );
  }

  /** Call after a story that failed or that changed the server or the page themselves. */
  async end(): Promise<void> {
    await this.browser.close();
    await this.server.kill();
    await rm(this.server.options.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  private static async start(settings: Readonly<Record<string, unknown>>): Promise<KeptEditor> {
    const install = await provisionServer(console.log);
    const dataDir = await realpath(await mkdtemp(path.join(tmpdir(), 'editor-')));
    const builtIn = await fewerExtensions(install, dataDir);
    const server = await EditorServer.start({ install, dataDir, builtIn, settings, env: cleanEnvironment() });
    const browser = await browserContext({ trace: true });
    return new KeptEditor(server, browser, await browser.newPage());
  }

  /** Removes what the story left; rejects if something remains. */
  private async clean(): Promise<void> {
    const { page, browser, server } = this;
    await browser.tracing.stopChunk();
    const others = browser.pages().filter((each) => each !== page);
    await Promise.all(others.map((each) => each.close()));
    await page.mouse.move(AT_REST.x, AT_REST.y);
    const origin = `http://${server.host}`;
    await page.goto(`${origin}/version`);
    await page.evaluate('sessionStorage.clear()');
    const devtools = await browser.newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE });
    await devtools.detach();
    // Extension hosts end with their window. Anything that remains, such as the terminal host, must not reach another story.
    await until('the processes of the window to end', () => server.processes().length === 0, 3000);
  }
}
