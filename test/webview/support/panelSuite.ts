import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { EARLY_BOX } from '../../../src/protocol/panelDocument';
import { atEnd } from '../../support/atEnd';
import { TWO_FRAMES } from './frames';
import { launchBrowser, type PanelOptions, type PanelPage, PanelTab } from './panelPage';

/** One browser for all suites of a process, and its currently unused tabs. */
let launched: Promise<Browser> | undefined;
const free: PanelTab[] = [];

atEnd.add(async () => {
  await (await launched)?.close();
});

/**
 * Opens panels for the tests of one `describe`, once they are drawn with all sizes final. Closes them, and fails any test whose
 * page had problems.
 */
export function panelSuite(): (options: PanelOptions) => Promise<PanelPage> {
  const opened: (PanelPage & { end(): Promise<void> })[] = [];
  before(async function () {
    // For the first suite in a process: starts the browser, bundles the panel, and opens a page, so that no test waits for them.
    this.timeout(180_000);
    launched ??= launchBrowser();
    if (free.length === 0) free.push(await PanelTab.open(await launched));
  });
  afterEach(async function () {
    const panels = opened.splice(0);
    // After a failure, the page may be in any state, so no other test gets it.
    const isFailed = this.currentTest?.isFailed() ?? true;
    await Promise.all(panels.map((panel) => (isFailed ? panel.end() : panel.close())));
    for (const { problems } of panels) assert.deepEqual(problems, []);
  });
  return async (options) => {
    assert.ok(launched);
    const tab = free.pop() ?? (await PanelTab.open(await launched));
    const { page, host, problems } = await tab.show(options);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      if (await isAtAnotherTime(page)) return tab.end();
      await tab.clear();
      free.push(tab);
    };
    opened.push({ page, host, problems, close, end: () => tab.end() });
    await page.locator(`textarea[data-role=${options.scriptAfter ? EARLY_BOX : 'message'}]`).waitFor();
    await page.evaluate(TWO_FRAMES);
    return { page, host, problems, close };
  };
}

/**
 * Whether a test moved the clock of a page, which stays with it, so that later tests would be at another time. The clock itself
 * cannot be asked: it looks like the browser's own.
 */
async function isAtAnotherTime(page: Page): Promise<boolean> {
  const time = await page.evaluate<number>('Date.now()');
  return Math.abs(time - Date.now()) > 1_000;
}
