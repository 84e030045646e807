import type { Locator } from 'playwright-core';

/** The part of a page element that is used here. */
interface Reachable {
  addEventListener(type: string, listener: () => void, options: { once: boolean }): void;
}

/**
 * Clicks once and returns whether the click reached the button itself. It does not if the button is re-rendered between mouse
 * down and mouse up, or if the panel ignores clicks on something that has just moved; a user would notice that nothing happened
 * and click again.
 */
export function clickReaches(button: Locator, timeout = 5000): Promise<boolean> {
  return reaches(button, 'click', (element) => element.click({ timeout }), timeout);
}

/**
 * Focuses the element, presses the key once, and returns whether the element received it. It does not if the editor moves the
 * focus at that moment, as it does a while after it has opened a page; a user would notice that nothing happened and press it again.
 */
export function keyReaches(element: Locator, key: string, timeout = 5000): Promise<boolean> {
  return reaches(element, 'keydown', (one) => one.press(key, { timeout }), timeout);
}

type Handle = NonNullable<Awaited<ReturnType<Locator['elementHandle']>>>;

async function reaches(
  target: Locator,
  type: 'click' | 'keydown',
  act: (element: Handle) => Promise<void>,
  timeout: number,
): Promise<boolean> {
  const element = await target.elementHandle({ timeout });
  const seen = await element.evaluateHandle((reachable: Reachable, event) => {
    const kept = { times: 0 };
    reachable.addEventListener(event, () => (kept.times += 1), { once: true });
    return kept;
  }, type);
  const times = (): Promise<number> => seen.evaluate((kept) => kept.times);
  try {
    await act(element);
  } catch (error) {
    // On a slow machine Playwright may give up on an action that did arrive.
    if ((await times().catch(() => 0)) > 0) return true;
    throw error;
  }
  // The action may have replaced the whole document, along with what was recorded.
  return (await times().catch(() => 1)) > 0;
}
