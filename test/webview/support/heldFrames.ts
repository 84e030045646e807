import type { Page } from 'playwright-core';

/**
 * Holds back everything that the page does with its next frame or timer, as on a machine that is far too slow. Keys, clicks and
 * messages are still handled. Returns a function that lets it go on.
 */
export async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`(() => {
    const real = {
      requestAnimationFrame: window.requestAnimationFrame,
      cancelAnimationFrame: window.cancelAnimationFrame,
      setTimeout: window.setTimeout,
      clearTimeout: window.clearTimeout,
    };
    const held = new Map();
    // Negative, so that no number is that of something begun before.
    const hold = (act) => (held.set(-held.size - 1, act), -held.size);
    const drop = (end) => (id) => (held.has(id) ? held.set(id, () => undefined) : end.call(window, id));
    window.requestAnimationFrame = (act) => hold(() => act(performance.now()));
    window.setTimeout = (act, ms, ...more) => hold(() => act(...more));
    window.cancelAnimationFrame = drop(real.cancelAnimationFrame);
    window.clearTimeout = drop(real.clearTimeout);
    window.releaseFrames = () => {
      Object.assign(window, real);
      for (const act of held.values()) act();
    };
  })()`);
  return async () => {
    await page.evaluate('window.releaseFrames()');
  };
}
