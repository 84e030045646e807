import type { Locator } from 'playwright-core';
import { clickReaches } from './clickReaches';
import { repeatUntil } from './repeatUntil';
import { until } from './until';

/** By then a new card that is fully visible can be answered. */
const SHOWN_MS = 2000;
/** By then an end that a press has scrolled into view counts as seen. */
const SEEN = { againMs: 1000, totalMs: 30_000 };

/** Presses an approving button as the user would: until the end of the content has been seen, a press only reveals more of it. */
export async function pressToAllow(button: Locator): Promise<void> {
  const isEnabled = () => button.isEnabled({ timeout: 5000 });
  const isShown = await until('it to be allowed', isEnabled, SHOWN_MS).catch(() => false);
  const press = () => button.click({ force: true, timeout: 5000 });
  if (!isShown) await repeatUntil('its end to be seen', press, isEnabled, 'redrawn', SEEN);
  await until('it to be pressed', () => clickReaches(button), 20_000);
}
