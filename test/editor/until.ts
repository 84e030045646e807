import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls `probe` until it returns a truthy value, and returns that value. A probe that throws counts as "not yet". Rejects after
 * `timeoutMs` with a description of what it waited for and the last error of the probe.
 */
export async function until<T>(what: string, probe: () => Promise<T> | T, timeoutMs = 40_000): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  let problem = '';
  for (;;) {
    // The last look begins once the time is up: on a busy machine a look may take long, and then tells of an earlier state.
    const isLast = Date.now() > end;
    try {
      const value = await probe();
      if (value) return value;
      problem = '';
    } catch (error) {
      problem = ` Last problem: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (isLast) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}, in vain.${problem}`);
    await delay(50);
  }
}
