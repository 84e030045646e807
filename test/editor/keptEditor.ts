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

/** A server and a page grow a little with each window; after so many the next story gets new ones. */
const MOST_USES = 20;
/** On the empty part of the activity bar, where a resting mouse hovers over nothing. */
const AT_REST = { x: 20, y: 500 };
/** Not the cache of resources, which are the editor's own files: that is what makes the next window quick. */
const STORAGE = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';
/** Those that wait: one or two, as a shared window keeps its own while a story has another. */
const kept: KeptEditor[] = [];

export interface KeptEditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/**
 * A server and a page of a browser that stories use one after the other, since starting them anew costs more than most
 * stories. Each story opens its own window in the page, with a new extension host. Before the next one everything that a
 * story can have left is taken out: user data, the browser's storage, processes. When something cannot be taken out, the
 * editor ends and the next story starts another.
 */
export class KeptEditor {
  private uses = 0;

  private constructor(
    readonly server: EditorServer,
    readonly browser: BrowserContext,
    readonly page: Page,
  ) {}

  /** The editor that was given back last, or a new one, with these settings of the user. Nobody else has it meanwhile. */
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

  /** Ends the editors that wait for the next story. */
  static async endKept(): Promise<void> {
    await Promise.all(kept.splice(0).map((editor) => editor.end()));
  }

  /** After a story that went well. */
  static async giveBack(editor: KeptEditor): Promise<void> {
    if (await editor.isAsNew()) kept.push(editor);
    else await editor.end();
  }

  /** True when the next story may have it: it is not worn out, and nothing of the last one is left. */
  private async isAsNew(): Promise<boolean> {
    this.uses += 1;
    if (this.uses >= MOST_USES) return false;
    return this.clean().then(
      () => true,
      () => false,
    );
  }

  /** After a story that failed, or that did something to the server or the page themselves. */
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

  /** Takes out what the story left; rejects when something stays. */
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
    // Extension hosts end with their window. What stays, such as the host of terminals, is not for another story.
    await until('the processes of the window to end', () => server.processes().length === 0, 3000);
  }
}
