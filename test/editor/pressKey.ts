import type { Locator } from 'playwright-core';
import { keyReaches } from './clickReaches';
import { until } from './until';

/** Presses a key on an element of one of Cairn's pages, such as Enter on a button, retrying until the element receives it. */
export async function pressKey(element: Locator, key = 'Enter'): Promise<void> {
  await until(`${key} to reach ${String(element)}`, () => keyReaches(element, key));
}
