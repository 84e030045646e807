import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPanel, type PanelOptions, type PanelPage } from './panelPage';

/** Opens panels for the tests of one `describe`, closes them, and lets no test pass whose page had problems. */
export function panelSuite(): (options: PanelOptions) => Promise<PanelPage> {
  let browser: Browser | undefined;
  const opened: PanelPage[] = [];
  before(async function () {
    this.timeout(60_000);
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  afterEach(async () => {
    const panels = opened.splice(0);
    await Promise.all(panels.map((panel) => panel.close()));
    for (const { problems } of panels) assert.deepEqual(problems, []);
  });
  return async (options) => {
    assert.ok(browser);
    const panel = await openPanel(browser, options);
    opened.push(panel);
    await panel.page.getByRole('textbox', { name: 'Message' }).waitFor();
    return panel;
  };
}
