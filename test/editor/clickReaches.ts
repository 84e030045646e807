import type { Locator } from 'playwright-core';

/** What is used here of an element of the page. */
interface Clickable {
  addEventListener(type: 'click', listener: () => void, options: { once: boolean }): void;
}

/**
 * Clicks once, and tells whether the click came to the button itself. It does not when the button is drawn anew between the halves of the
 * click, or when the panel keeps a press from what has just moved: a person sees that nothing happened, and clicks again.
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
    // On a slow machine a click may be given up though it has come through.
    if ((await clicks().catch(() => 0)) > 0) return true;
    throw error;
  }
  // The click may have taken the whole document away, and with it what was seen there.
  return (await clicks().catch(() => 1)) > 0;
}
