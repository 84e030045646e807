import type { Browser, Page } from 'playwright-core';
import type { PageView } from '../../../src/protocol/pages';

/** Opens a page of the editor in a browser. Its messages to the host are recorded in `sent`, and its errors in `problems`. */
export async function openPage(
  browser: Browser,
  script: string,
  style: string,
  view: PageView,
): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1900, height: 1000 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.addStyleTag({ content: style });
  await page.evaluate(
    'window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (one) => sent.push(one), getState() {}, setState() {} })',
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(`window.postMessage(${JSON.stringify({ view })}, '*')`);
  return { page, problems };
}
