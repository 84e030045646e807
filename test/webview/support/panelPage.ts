import assert from 'node:assert/strict';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import type { ChatState } from '../../../src/protocol/chatState';
import type { Port } from '../../../src/protocol/envelope';
import { presentChromium } from '../../editor/presentChromium';
import { type Theme, themes } from '../preview/themes';
import { bundlePanel } from './bundlePanel';
import { FakeHost } from './fakeHost';
import { panelDocument, POLICY } from './panelDocument';

const ORIGIN = 'https://panel.test';
const BLANK = 'blank';
/** The panel as the editor shows it: in a frame of its own, which is in a frame of the editor's page, beside a box of that page. */
const FRAMED = 'framed';
const FRAMED_PAGE = `<input id="list"><iframe srcdoc="<iframe id='active-frame' src='${ORIGIN}/'></iframe>"></iframe>`;
const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** What the editor adds to a webview before its scripts run. A string, because it runs in the page. */
const EDITOR_API = `
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => void window.toHost(message),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
  document.addEventListener('securitypolicyviolation', (event) =>
    window.toTest(event.violatedDirective + ' blocked ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
  window.addEventListener('error', (event) => window.toTest(event.message));
`;

export interface PanelOptions {
  state: ChatState;
  theme?: Theme;
  width?: number;
  height?: number;
  /** Off for screenshots of animations in progress. */
  reduceMotion?: boolean;
  /** Delays the panel's script until this resolves. */
  scriptAfter?: Promise<unknown>;
  /** Whether it is the side bar's view, whose title has the buttons, instead of an editor tab. */
  inView?: boolean;
  /** Translations included in the document. */
  bundle?: unknown;
}

/** A panel in a browser, connected to its own host. */
export interface PanelPage {
  page: Page;
  host: FakeHost;
  /** Policy violations, and errors and warnings in the page's console. */
  problems: string[];
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = presentChromium();
  if (executablePath === undefined) {
    throw new Error('There is no Chromium here: “npm test -- --only webview” installs one, or set CAIRN_CHROMIUM.');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens a panel in a separate browser profile. */
export async function openPanel(browser: Browser, options: PanelOptions): Promise<PanelPage> {
  const tab = await PanelTab.open(browser);
  const { page, host, problems } = await tab.show(options);
  return { page, host, problems, close: () => tab.end() };
}

/** What a tab currently shows. */
interface Shown {
  readonly document: string;
  readonly scriptAfter: Promise<unknown> | undefined;
  readonly listeners: Set<(message: unknown) => void>;
  readonly problems: string[];
}

/** A page that shows one panel after the other, which is much faster than opening a new page each time. */
export class PanelTab {
  private shown: Shown | undefined;

  private constructor(private readonly page: Page) {}

  static async open(browser: Browser): Promise<PanelTab> {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const tab = new PanelTab(page);
    const note = (problem: string) => tab.shown?.problems.push(problem);
    await page.exposeFunction('toHost', (message: unknown) =>
      tab.shown?.listeners.forEach((listen) => listen(message)),
    );
    await page.exposeFunction('toTest', note);
    page.on('console', (message) => message.type() === 'error' && note(message.text()));
    page.on('pageerror', (error) => note(error.message));
    await page.addInitScript(EDITOR_API);
    await serve(page, () => tab.shown);
    return tab;
  }

  async show(options: PanelOptions): Promise<Omit<PanelPage, 'close'>> {
    const { state, theme = themes.darkModern, width = 380, height = 800, reduceMotion = true, scriptAfter } = options;
    const { page } = this;
    await page.setViewportSize({ width, height });
    const document = panelDocument(theme, reduceMotion, options);
    const shown: Shown = { document, scriptAfter, listeners: new Set(), problems: [] };
    const host = new FakeHost(this.portTo(shown), state);
    this.shown = shown;
    await page.goto(`${ORIGIN}/`);
    return { page, host, problems: shown.problems };
  }

  /** Clears what is shown and stored. Nothing from its host reaches the next panel. */
  async clear(): Promise<void> {
    const { page } = this;
    this.shown = undefined;
    const others = page
      .context()
      .pages()
      .filter((each) => each !== page);
    await Promise.all(others.map((each) => each.close()));
    await page.mouse.move(0, 0);
    // Of the same origin, so that the page stays in its process, which has compiled the panel's code.
    await page.goto(`${ORIGIN}/${BLANK}`);
    // Only now can the panel store no more.
    await page.evaluate('sessionStorage.clear()');
  }

  async end(): Promise<void> {
    await this.page.context().close();
  }

  /** Shows the panel again, framed as in the editor. Returns its frame and the one around it. */
  static async frame(page: Page): Promise<{ panel: Frame; around: Frame }> {
    await page.goto(`${ORIGIN}/${FRAMED}`);
    const [around] = page.mainFrame().childFrames();
    const [panel] = around?.childFrames() ?? [];
    assert.ok(around && panel);
    return { panel, around };
  }

  private portTo(shown: Shown): Port {
    const { page } = this;
    return {
      post: (message) => {
        if (this.shown !== shown) return;
        const frame = page.frames().find((each) => each.url() === `${ORIGIN}/`) ?? page;
        frame.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).catch((error: unknown) => {
          if (this.shown === shown && !page.isClosed()) shown.problems.push(String(error));
        });
      },
      onMessage: (listener) => {
        shown.listeners.add(listener);
        return { dispose: () => shown.listeners.delete(listener) };
      },
    };
  }
}

async function serve(page: Page, shown: () => Shown | undefined): Promise<void> {
  const files = await bundlePanel();
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const file = files.get(name);
    if (name === '' || name === BLANK) {
      return route.fulfill({
        body: name === '' ? (shown()?.document ?? '') : '',
        contentType: 'text/html',
        headers: { 'content-security-policy': POLICY },
      });
    }
    if (name === FRAMED) return route.fulfill({ body: FRAMED_PAGE, contentType: 'text/html' });
    if (name === 'webview.js') await shown()?.scriptAfter;
    if (!file) return route.fulfill({ status: 404, body: '' });
    return route.fulfill({ body: file, contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain' });
  });
}
