import { type Browser, chromium, type Page } from 'playwright-core';
import type { ChatState } from '../../../src/protocol/chatState';
import type { Port } from '../../../src/protocol/port';
import { findChromium } from '../../editor/findChromium';
import { type Theme, themes } from '../preview/themes';
import { bundlePanel } from './bundlePanel';
import { FakeHost } from './fakeHost';
import { panelDocument, POLICY } from './panelDocument';

const ORIGIN = 'https://panel.test';
const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** What the editor puts into a webview before its scripts run. Text, because it runs in the page. */
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
  /** Off for screenshots of what is under way. */
  reduceMotion?: boolean;
}

/** One panel in a browser, wired to a host of its own. */
export interface PanelPage {
  page: Page;
  host: FakeHost;
  /** Violations of the policy, errors and warnings of the page's console. */
  problems: string[];
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(() => undefined), args: ['--no-sandbox'] });
}

export async function openPanel(browser: Browser, options: PanelOptions): Promise<PanelPage> {
  const { state, theme = themes.darkModern, width = 380, height = 800, reduceMotion = true } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const listeners = new Set<(message: unknown) => void>();
  const host = new FakeHost(portTo(page, listeners, problems), state);
  await page.exposeFunction('toHost', (message: unknown) => listeners.forEach((listener) => listener(message)));
  await page.exposeFunction('toTest', (problem: string) => problems.push(problem));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.addInitScript(EDITOR_API);
  await serve(page, panelDocument(theme, reduceMotion));
  await page.goto(`${ORIGIN}/`);
  return { page, host, problems, close: () => context.close() };
}

function portTo(page: Page, listeners: Set<(message: unknown) => void>, problems: string[]): Port {
  return {
    post: (message) => {
      page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).catch((error: unknown) => {
        if (!page.isClosed()) problems.push(String(error));
      });
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

async function serve(page: Page, document: string): Promise<void> {
  const files = await bundlePanel();
  await page.route(`${ORIGIN}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const file = files.get(name);
    if (name === '') {
      return route.fulfill({
        body: document,
        contentType: 'text/html',
        headers: { 'content-security-policy': POLICY },
      });
    }
    if (!file) return route.fulfill({ status: 404, body: '' });
    return route.fulfill({ body: file, contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain' });
  });
}
