import { until } from './until';

/** `againMs`: far longer than the effect of a click takes, even on a busy machine. */
const LIMITS = { againMs: 10_000, totalMs: 60_000 };

/**
 * Performs an action and waits until its effect is visible. The action is repeated only while it rejects without an effect, as a
 * click on an element that has just disappeared does: a button that accepts a click and does nothing fails the test. `redrawn`
 * marks a part of the editor that may be re-rendered at any moment and then swallows a click; in that case the action is repeated
 * after a while.
 */
export async function repeatUntil(
  what: string,
  act: () => Promise<unknown>,
  hasEffect: () => Promise<boolean>,
  expected?: 'redrawn',
  limits = LIMITS,
): Promise<void> {
  let tries = 0;
  let done = 0;
  const attempt = async (): Promise<boolean> => {
    // An attempt that threw may still have taken effect.
    if (tries > 0 && (await hasEffect())) return true;
    tries += 1;
    await act();
    done += 1;
    return until(what, hasEffect, limits.againMs).catch(() => false);
  };
  await until(what, async () => (expected === undefined && done > 0 ? hasEffect() : attempt()), limits.totalMs);
  if (done > 1) console.log(`      (${done} times until ${what})`);
}
