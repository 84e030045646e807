import { until } from './until';

/** Long after what a click does, also on a machine that has much else to do. */
const PATIENCE_MS = 10_000;

/**
 * Does something until its effect is seen. What is drawn anew just then swallows a click, so after a while without an effect it is
 * done again.
 */
export async function repeatUntil(
  what: string,
  act: () => Promise<unknown>,
  hasEffect: () => Promise<boolean>,
): Promise<void> {
  let isTried = false;
  const attempt = async (): Promise<boolean> => {
    // An attempt that threw may have come through all the same.
    if (isTried && (await hasEffect())) return true;
    isTried = true;
    await act();
    return until(what, hasEffect, PATIENCE_MS).catch(() => false);
  };
  await until(what, attempt, 60_000);
}
