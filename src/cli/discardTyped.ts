import { setImmediate as nextTurn } from 'node:timers/promises';

/** A keyboard; `setRawMode` is there when it is one of a terminal. */
export type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };

/** Nothing came in so many turns of the event loop: nothing is left, since each of them asks the system. */
const QUIET_TURNS = 4;
const CTRL_C = '\u0003';

/**
 * Takes away what was typed so far, also a line that was not ended: nobody can have meant it for a question that they had
 * not seen. True when there was something.
 */
export async function discardTyped(input: Keyboard, onInterrupt: () => void): Promise<boolean> {
  let typed = '';
  const take = (chunk: Buffer | string) => (typed += chunk.toString());
  // Until its end, the system keeps a line for itself otherwise.
  input.setRawMode?.(true);
  input.on('data', take);
  input.resume();
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    const before = typed.length;
    await nextTurn();
    if (typed.length > before) quiet = -1;
  }
  input.off('data', take);
  input.pause();
  input.setRawMode?.(false);
  if (typed.includes(CTRL_C)) onInterrupt();
  return typed !== '';
}
