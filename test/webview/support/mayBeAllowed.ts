import type { Page } from 'playwright-core';

/** Waits until the request of an entry can be allowed by key: it has been in view without moving, and so has its end. */
export async function mayBeAllowed(page: Page, entryId: string): Promise<void> {
  const block = page.locator(`[data-approval-id="approval-${entryId}"]:not([aria-disabled])`);
  await block.and(page.locator(':has([data-primary]:not([aria-disabled]))')).waitFor();
}
