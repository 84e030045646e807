import type { Locator } from 'playwright-core';
import { checkCommand, edit, FIX, INTRODUCE_EDIT, lookAround, SUMMARY } from './conversation';
import type { Scene } from './scene';
import { turnEnds } from './turnEnds';

/** As fast as models answer. */
const STREAM = { chunk: 4, pauseMs: 40 };
const KEY_MS = 45;
/** How long a user reads before deciding. */
const READ_MS = 1800;

/** From a request to a checked change, as shown in the README's animation. */
export const movieScene: Scene = {
  name: 'movie',
  story: [
    { say: 'I look at how dates are read.', ...STREAM, call: lookAround },
    { say: INTRODUCE_EDIT, ...STREAM, chunk: 12, call: [edit], usage: { input: 19_100, output: 240 } },
    { say: 'The edit is in. I run the checks.', ...STREAM, call: [checkCommand] },
    { say: SUMMARY, ...STREAM, usage: { input: 21_700, output: 180 } },
  ],
  async play(panel, window) {
    await type(await panel.composer(), FIX);
    await window.page.keyboard.press('Enter');
    await panel.waitForApproval();
    await reading();
    await panel.approve();
    await panel.waitForApproval();
    await reading();
    await panel.approve();
    await turnEnds(panel);
  },
};

async function type(box: Locator, text: string): Promise<void> {
  await box.click();
  await box.pressSequentially(text, { delay: KEY_MS });
}

function reading(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, READ_MS));
}
