import { until } from './until';

/** `again`: long after what a click does, also on a machine that has much else to do. */
const LIMITS = { againMs: 10_000, totalMs: 60_000 };

/**
 * Does something and waits until its effect is seen. It is done again only while it rejects without an effect, as a click on what
 * is gone just then does: a button that takes a click and does nothing fails the test. `redrawn` says that this is a part of the
 * editor which is drawn anew at any moment, and swallows a click then; it is done again after a while.
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
    // An attempt that threw may have come through all the same.
    if (tries > 0 && (await hasEffect())) return true;
    tries += 1;
    await act();
    done += 1;
    return until(what, hasEffect, limits.againMs).catch(() => false);
  };
  await until(what, async () => (expected === undefined && done > 0 ? hasEffect() : attempt()), limits.totalMs);
  if (done > 1) console.log(`      (${done} times until ${what})`);
}
