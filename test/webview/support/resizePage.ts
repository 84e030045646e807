import type { Page } from 'playwright-core';
import { until } from '../../editor/until';
import { TWO_FRAMES } from './frames';

/** Resizes the panel, and waits until the page has been laid out and drawn in that size. */
export async function resizePage(page: Page, width: number, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await until(`a width of ${width} px`, async () => (await page.evaluate('innerWidth')) === width);
  await page.evaluate(TWO_FRAMES);
}
