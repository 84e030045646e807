import type { Page } from 'playwright-core';

/** Waits two frames: the toolkit's controls get the tokens that set their size with the frame after they appear. */
export const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/**
 * Returns what the probe finds in the page once that is the same in several frames in a row: sizes and positions are reported to
 * the page and handled by it frame by frame, however long a frame takes.
 */
export function atRest<Found>(page: Page, probe: string): Promise<Found> {
  return page.evaluate<Found>(`(async () => {
    let last = '';
    for (let frame = 0, same = 0; frame < 600; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const found = ${probe};
      const now = JSON.stringify(found);
      same = now === last ? same + 1 : 0;
      last = now;
      if (same === 4) return found;
    }
    throw new Error('The page does not come to rest: ' + last);
  })()`);
}
