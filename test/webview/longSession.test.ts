import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, run, text, tool } from './support/chats';
import { gapBelow, scrollTop } from './support/domProbes';
import { atRest } from './support/frames';
import { ELEMENTS, flinging, streaming, TOP_ENTRY } from './support/listProbes';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';

interface TopEntry {
  id: string | null;
  y: number;
}

const MANY = 10_000;
const HEIGHT = "document.querySelector('.transcript').scrollHeight";

/** Scrolls like the scrollbar does and waits until the position is saved. */
async function scrollTo(page: Page, share: number): Promise<TopEntry> {
  await page.evaluate(`(() => {
    const scroller = document.querySelector('.transcript');
    scroller.scrollTop = scroller.scrollHeight * ${share};
  })()`);
  await until('the place to be kept', async () => {
    const { id } = await page.evaluate<TopEntry>(TOP_ENTRY);
    const state = await page.evaluate<string>('sessionStorage.getItem("state") ?? ""');
    return id !== null && state.includes(`"entryId":"${id}"`);
  });
  return atRest<TopEntry>(page, TOP_ENTRY);
}

describe('A long session', () => {
  const open = panelSuite();

  it(`of ${MANY} entries opens at its end with few nodes, and counts all entries`, async () => {
    const { page } = await open({ state: chat({ entries: longChat(MANY) }) });
    const last = page.locator(`article[data-entry-id=e${MANY - 1}]`);
    await last.waitFor();
    await until('its end', async () => (await page.locator('.transcript').evaluate(gapBelow)) <= 1);
    assert.equal(await last.getAttribute('aria-posinset'), String(MANY));
    assert.equal(await last.getAttribute('aria-setsize'), String(MANY));
    assert.ok((await page.evaluate<number>(ELEMENTS)) < 3_000);
  });

  it('scrolls without blank frames, and without more nodes', async () => {
    const { page } = await open({ state: chat({ entries: longChat(MANY) }) });
    await page.locator(`article[data-entry-id=e${MANY - 1}]`).waitFor();
    assert.equal(await page.evaluate<number>(flinging(-600, 120)), 0);
    assert.ok((await page.evaluate<number>(ELEMENTS)) < 3_000);
    assert.equal(await page.evaluate<number>(flinging(600, 60)), 0);
    await scrollTo(page, 0.5);
    assert.equal(await page.evaluate<number>(flinging(-600, 60)), 0);
    assert.ok((await page.evaluate<number>(ELEMENTS)) < 3_000);
  });

  it('does not move the text in view while text streams and entries arrive below', async () => {
    const entries = [...longChat(1_000), text('t', 'Begin.', true)];
    const { page, host } = await open({ state: chat({ entries, run: run('answering') }) });
    await page.getByText('Begin.').waitFor();
    const before = await scrollTo(page, 0.7);
    for (let at = 0; at < 30; at++) {
      host.emit({ type: 'text-appended', entryId: 't', text: ` word ${at}\n\n` });
      host.emit({ type: 'entry-added', entry: tool(`n${at}`, { title: `Read ${at}.ts`, status: 'running' }) });
    }
    const counted = page.locator(`article[data-entry-id=${before.id ?? ''}]`);
    await until('all to arrive', async () => (await counted.getAttribute('aria-setsize')) === '1031');
    assert.deepEqual(await atRest(page, TOP_ENTRY), before);
    await page.getByRole('button', { name: 'Scroll to bottom' }).click();
    await page.getByText('Read 29.ts').waitFor();
    await page.getByText('word 29').waitFor();
    await until('the end', async () => (await page.locator('.transcript').evaluate(gapBelow)) <= 1);
  });

  it('keeps its scroll position after a reload', async () => {
    const { page } = await open({ state: chat({ entries: longChat(MANY) }) });
    await page.locator(`article[data-entry-id=e${MANY - 1}]`).waitFor();
    const before = await scrollTo(page, 0.37);
    await page.reload();
    await until('the place', async () => {
      const { id, y } = await page.evaluate<TopEntry>(TOP_ENTRY);
      return id === before.id && Math.abs(y - before.y) <= 1;
    });
  });

  it('is navigated by keys, entry by entry', async () => {
    const count = 200;
    const { page } = await open({ state: chat({ entries: longChat(count) }) });
    const focused = () => page.evaluate('document.activeElement.dataset.entryId');
    await page.locator(`article[data-entry-id=e${count - 1}]`).focus();
    await page.keyboard.press('Home');
    assert.equal(await focused(), 'e0');
    assert.ok((await page.locator('.transcript').evaluate(scrollTop)) <= 12);
    const walked: unknown[] = ['e0'];
    for (let at = 1; at < count; at++) {
      await page.keyboard.press('ArrowDown');
      walked.push(await focused());
    }
    assert.deepEqual(
      walked,
      longChat(count).map(({ id }) => id),
    );
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), `e${count - 2}`);
  });

  it('keeps the focused entry while the user scrolls away', async () => {
    const { page } = await open({ state: chat({ entries: longChat(1_000) }) });
    const entry = page.locator('article[data-entry-id=e992]');
    await entry.focus();
    await scrollTo(page, 0.1);
    assert.equal(await page.evaluate('document.activeElement.dataset.entryId'), 'e992');
    assert.equal(await entry.getAttribute('aria-posinset'), '993');
    assert.ok((await page.locator('article').count()) < 120);
    await page.keyboard.press('ArrowDown');
    await until('the neighbour', () => page.evaluate('document.activeElement.dataset.entryId === "e993"'));
    assert.ok(await page.locator('article[data-entry-id=e993]').isVisible());
  });

  it('keeps the selected text while the user scrolls away, and lets go of it with the selection', async () => {
    const { page } = await open({ state: chat({ entries: longChat(1_000) }) });
    const entry = page.locator('article[data-entry-id=e992]');
    await entry.waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('article[data-entry-id=e992]'))");
    const selected = () => page.evaluate<string>('getSelection().toString()');
    const before = await selected();
    assert.notEqual(before, '');
    await scrollTo(page, 0.1);
    assert.equal(await selected(), before);
    await page.evaluate('getSelection().removeAllRanges()');
    await scrollTo(page, 0.2);
    await entry.waitFor({ state: 'detached' });
  });

  it('changes and measures no more per stream frame than an empty one', async () => {
    const measured: Record<string, number> = {};
    for (const count of [0, MANY]) {
      const entries = [...longChat(count), text('t', '', true)];
      const { page } = await open({ state: chat({ entries, run: run('answering') }) });
      await page.locator('article[data-entry-id=t]').waitFor();
      measured[count] = await page.evaluate<number>(streaming('t', 100));
    }
    const [empty = 0, long = 0] = [measured[0], measured[MANY]];
    assert.ok(empty >= 100 && long <= empty * 1.2 + 20, `${long} against ${empty}`);
  });

  it('with one very long answer keeps only the nearby part in the document', async () => {
    const part = (at: number) => `Paragraph ${at} with **some** words and \`code\`.\n\n`;
    const { page, host } = await open({ state: chat({ entries: [text('t', '', true)], run: run('answering') }) });
    for (let at = 0; at < 40; at++) {
      const words = Array.from({ length: 50 }, (_, line) => part(at * 50 + line)).join('');
      host.emit({ type: 'text-appended', entryId: 't', text: words });
    }
    host.emit({ type: 'text-finished', entryId: 't', durationMs: null });
    await page.getByText('Paragraph 1999 ').waitFor();
    await until('far pages to be emptied', async () => (await page.evaluate<number>(ELEMENTS)) < 2_500);
    const height = await atRest<number>(page, HEIGHT);
    await page.evaluate("document.querySelector('.transcript').scrollTop = 20000");
    await until('the middle', async () => (await page.evaluate<TopEntry>(TOP_ENTRY)).id === 't');
    await until('its text', () => page.evaluate("document.elementFromPoint(150, 300).closest('.block') !== null"));
    await until('far pages to be emptied again', async () => (await page.evaluate<number>(ELEMENTS)) < 2_500);
    assert.ok(Math.abs((await atRest<number>(page, HEIGHT)) - height) <= 2);
  });
});
