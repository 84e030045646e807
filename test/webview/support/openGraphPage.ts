import type { Browser, Page } from 'playwright-core';
import type { GraphView } from '../../../src/protocol/graphPage';

/** Opens a graph page in a browser, wide enough for the drawing and the timeline. Its messages to the host are recorded in `sent`. */
export async function openGraphPage(
  browser: Browser,
  script: string,
  style: string,
  view: GraphView,
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
  await page.getByRole('button', { name: 'Show as list' }).waitFor();
  return { page, problems };
}
