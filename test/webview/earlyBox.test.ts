import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Deferred } from '../../src/base/async';
import { EARLY_BOX } from '../../src/protocol/panelDocument';
import { until } from '../editor/until';
import { themes } from './preview/themes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';
import { resizePage } from './support/resizePage';

/** Returns the placeholder of a message box, which must have room for all of it. */
async function fullHint(page: Page, role: string): Promise<string> {
  await page.locator(`[data-role=${role}]`).waitFor();
  const { hint, needed, room } = await page.evaluate<{ hint: string; needed: number; room: number }>(`(() => {
    const box = document.querySelector('[data-role=${role}]');
    const { font, paddingLeft, paddingRight } = getComputedStyle(box);
    const drawing = Object.assign(new OffscreenCanvas(1, 1).getContext('2d'), { font });
    const room = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return { hint: box.placeholder, needed: drawing.measureText(box.placeholder).width, room };
  })()`);
  assert.ok(needed <= room, `“${hint}” needs ${needed} of ${room} px`);
  return hint;
}

describe('The message box before the panel is loaded', () => {
  const open = panelSuite();
  const begin = async (width?: number) => {
    const script = new Deferred<void>();
    const { page, host } = await open({
      ...{ state: chat(), scriptAfter: script.promise },
      ...(width !== undefined && { width }),
    });
    return { page, host, early: page.locator(`[data-role=${EARLY_BOX}]`), start: () => script.resolve() };
  };
  const message = (page: Page) => page.locator('[data-role=message]');

  it('accepts input at once, and the panel continues with it at the same cursor position', async () => {
    const { page, early, start } = await begin();
    await page.keyboard.type('Find my bugs');
    for (let steps = 0; steps < 'bugs'.length; steps++) await page.keyboard.press('ArrowLeft');
    start();
    await message(page).waitFor();
    await page.keyboard.type('two ');
    assert.equal(await message(page).inputValue(), 'Find my two bugs');
    assert.equal(await early.count(), 0);
  });

  it('loses no keystroke while the panel loads', async () => {
    const { page, start } = await begin();
    const words = 'Look at every file below src and say what each of them is for. '.repeat(3);
    const typing = page.keyboard.type(words);
    start();
    await typing;
    await message(page).waitFor();
    assert.equal(await message(page).inputValue(), words);
  });

  it('sends nothing on its own: Enter is left to the panel', async () => {
    const { page, host, start } = await begin();
    await page.keyboard.type('Find it');
    await page.keyboard.press('Enter');
    start();
    await message(page).waitFor();
    assert.equal(await message(page).inputValue(), 'Find it');
    await page.keyboard.press('Enter');
    await until('the message to be sent', () => Promise.resolve(host.asked('run/start').length === 1));
  });

  it('keeps what is typed when the view is closed before the panel is loaded', async () => {
    const { page, start } = await begin();
    await page.keyboard.type('Not lost');
    await page.reload();
    assert.equal(await page.locator(`[data-role=${EARLY_BOX}]`).inputValue(), 'Not lost');
    start();
    await until('the panel to have it', async () => (await message(page).inputValue()) === 'Not lost');
  });

  it('has the position and size of the panel’s own box', async () => {
    const { page, early, start } = await begin();
    const before = await early.boundingBox();
    start();
    await message(page).waitFor();
    assert.deepEqual(await message(page).boundingBox(), before);
  });

  for (const width of [240, 270, 360, 361, 380])
    it(`shows the whole hint of the panel’s own box at ${width} px, which follows the width`, async () => {
      const { page, start } = await begin(width);
      const early = await fullHint(page, EARLY_BOX);
      start();
      assert.equal(await fullHint(page, 'message'), early);
      await resizePage(page, 620 - width);
      await fullHint(page, 'message');
    });

  for (const [name, theme] of Object.entries(themes)) {
    it(`uses the colors of the theme ${name}`, async () => {
      const script = new Deferred<void>();
      const { page } = await open({ state: chat(), theme, scriptAfter: script.promise });
      const look = (selector: string) =>
        page.evaluate<string[]>(`(() => {
          const { color, backgroundColor, font } = getComputedStyle(document.querySelector('${selector}'));
          return [color, backgroundColor, font];
        })()`);
      const before = await look(`[data-role=${EARLY_BOX}]`);
      script.resolve();
      await message(page).waitFor();
      assert.deepEqual(before, await look('[data-role=message]'));
    });
  }
});
