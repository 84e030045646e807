import type { Locator } from 'playwright-core';
import { clickReaches } from './clickReaches';
import { repeatUntil } from './repeatUntil';
import { until } from './until';

/** A card that has just come can be answered by then, when all of it is in view. */
const SHOWN_MS = 2000;
/** An end that a press has shown counts as seen by then. */
const SEEN = { againMs: 1000, totalMs: 30_000 };

/** Presses what allows something, as a person does: as long as its end was not seen, a press only shows more of it. */
export async function pressToAllow(button: Locator): Promise<void> {
  const isEnabled = () => button.isEnabled({ timeout: 5000 });
  const isShown = await until('it to be allowed', isEnabled, SHOWN_MS).catch(() => false);
  const press = () => button.click({ force: true, timeout: 5000 });
  if (!isShown) await repeatUntil('its end to be seen', press, isEnabled, 'redrawn', SEEN);
  await until('it to be pressed', () => clickReaches(button), 20_000);
}
