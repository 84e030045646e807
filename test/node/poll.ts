import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds. Fails with `what` if it takes too long. */
export async function poll(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 40_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms for: ${what}`);
    await setTimeout(10);
  }
}
