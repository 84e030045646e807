import type { Browser, Page } from 'playwright-core';
import type { GraphView } from '../../../src/protocol/graphPage';
import { openPage } from './openPage';

/** Opens a graph page in a browser, wide enough for the drawing and the timeline. Its messages to the host are recorded in `sent`. */
export async function openGraphPage(
  browser: Browser,
  script: string,
  style: string,
  view: GraphView,
): Promise<{ page: Page; problems: string[] }> {
  const opened = await openPage(browser, script, style, view);
  await opened.page.getByRole('button', { name: 'Show as list' }).waitFor();
  return opened;
}
