import type { Locator } from 'playwright-core';

/** The part of a page element that is used here. */
interface Clickable {
  addEventListener(type: 'click', listener: () => void, options: { once: boolean }): void;
}

/**
 * Clicks once and returns whether the click reached the button itself. It does not if the button is re-rendered between mouse
 * down and mouse up, or if the panel ignores clicks on something that has just moved; a user would notice that nothing happened
 * and click again.
 */
export async function clickReaches(button: Locator, timeout = 5000): Promise<boolean> {
  const element = await button.elementHandle({ timeout });
  const seen = await element.evaluateHandle((clickable: Clickable) => {
    const kept = { clicks: 0 };
    clickable.addEventListener('click', () => (kept.clicks += 1), { once: true });
    return kept;
  });
  const clicks = (): Promise<number> => seen.evaluate((kept) => kept.clicks);
  try {
    await element.click({ timeout });
  } catch (error) {
    // On a slow machine Playwright may give up on a click that did arrive.
    if ((await clicks().catch(() => 0)) > 0) return true;
    throw error;
  }
  // The click may have replaced the whole document, along with the recorded clicks.
  return (await clicks().catch(() => 1)) > 0;
}
