import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, run, text, tool, user } from './support/chats';
import { atRest } from './support/frames';
import { TOP_ENTRY } from './support/listProbes';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';

/** "id position/of" of each visible entry. A string, because it runs in the page. */
const POSITIONS = `[...document.querySelectorAll('article')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.dataset.entryId + ' ' + one.ariaPosInSet + '/' + one.ariaSetSize)`;

/** The distance from the bottom of one entry to the top of another. */
const gap = (above: string, below: string) => `(() => {
  const box = (id) => document.querySelector('article[data-entry-id=' + id + ']').getBoundingClientRect();
  return Math.round(box('${below}').top - box('${above}').bottom);
})()`;

/** How many entries are mounted, and the space reserved for those above them. */
const MOUNTED = `(() => {
  const articles = [...document.querySelectorAll('.feed > article')];
  return { count: articles.length, first: articles[0].dataset.entryId, above: articles[0].style.marginTop };
})()`;

interface Mounted {
  count: number;
  first: string;
  above: string;
}

const SCROLL_HEIGHT = "document.querySelector('.transcript').scrollHeight";

/** Hides or shows the whole panel. Returns what is mounted once all sizes have been reported and handled. */
async function setDisplay(page: Page, display: string): Promise<Mounted> {
  await page.evaluate(`void (document.documentElement.style.display = '${display}')`);
  return atRest<Mounted>(page, MOUNTED);
}

const entries = [
  user('u', 'Hi'),
  tool('a', { output: 'contents\n'.repeat(20) }),
  tool('b', { output: 'contents\n'.repeat(20) }),
  tool('c', { output: 'contents\n'.repeat(20) }),
  tool('d'),
  text('t', 'Found it.'),
  tool('x', { category: 'write', tool: 'fs_edit' }),
];
const FOLDED = ['u 1/4', 'a 2/4', 't 3/4', 'x 4/4'];
const OPEN = ['u 1/7', 'a 2/7', 'b 3/7', 'c 4/7', 'd 5/7', 't 6/7', 'x 7/7'];

async function untilPositions(page: Page, expected: readonly string[]): Promise<void> {
  await until(`the positions ${expected.join(', ')}`, async () => {
    const positions = await page.evaluate<string[]>(POSITIONS);
    return JSON.stringify(positions) === JSON.stringify(expected);
  });
}

describe('Collapsed entries', () => {
  const open = panelSuite();

  it('are not counted for assistive technology until they are opened', async () => {
    const { page } = await open({ state: chat({ entries }) });
    const line = page.getByRole('button', { name: 'Read 4 files' });
    await line.waitFor();
    await untilPositions(page, FOLDED);
    await line.click();
    await untilPositions(page, OPEN);
    await line.click();
    await untilPositions(page, FOLDED);
  });

  it('take no space, even after they were open and higher than estimated', async () => {
    const { page } = await open({ state: chat({ entries }) });
    const line = page.getByRole('button', { name: 'Read 4 files' });
    await line.waitFor();
    const [before, height] = [await atRest(page, gap('a', 't')), await atRest(page, SCROLL_HEIGHT)];
    await line.click();
    await untilPositions(page, OPEN);
    const reads = page.getByRole('button', { name: 'Read src/date.ts' });
    await reads.nth(1).click();
    await page.getByText('contents').first().waitFor();
    await line.click();
    await untilPositions(page, FOLDED);
    assert.equal(await atRest(page, gap('a', 't')), before);
    assert.equal(await atRest(page, SCROLL_HEIGHT), height);
  });

  it('take no space when they are collapsed because the last of them has finished', async () => {
    const begun = ['a', 'b', 'c'].map((id) => tool(id, { status: 'running' }));
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi'), ...begun], run: run('answering') }) });
    await untilPositions(page, ['u 1/4', 'a 2/4', 'b 3/4', 'c 4/4']);
    const apart = await atRest(page, gap('u', 'a'));
    for (const { id } of begun) host.emit({ type: 'tool-changed', entryId: id, changes: { status: 'ok' } });
    host.emit({ type: 'entry-added', entry: user('v', 'And now?') });
    await untilPositions(page, ['u 1/3', 'a 2/3', 'v 3/3']);
    const below = Number(await atRest(page, gap('a', 'v')));
    assert.ok(below <= Number(apart), `${below} px of nothing below the line of the group`);
  });
});

describe('A hidden panel', () => {
  const open = panelSuite();

  it('keeps the height of all entries, and the scroll position', async () => {
    const { page } = await open({ state: chat({ entries: longChat(400) }) });
    await page.locator('article[data-entry-id=e399]').waitFor();
    await page.evaluate("document.querySelector('.transcript').scrollTop = 20000");
    const { count, ...before } = await setDisplay(page, '');
    const top = await atRest(page, TOP_ENTRY);
    for (const display of ['none', '']) {
      const { count: later, ...after } = await setDisplay(page, display);
      assert.deepEqual(after, before);
      // While hidden it has no height and is treated as being as high as the window, which fits a few more entries.
      assert.ok(later <= count + 5, `${later} mounted entries, not ${count}`);
    }
    assert.deepEqual(await atRest(page, TOP_ENTRY), top);
  });
});
