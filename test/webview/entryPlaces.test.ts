import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, text, tool, user } from './support/chats';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';

/** Where the mounted entries stand, in pixels below the beginning of what is scrolled. Text, because it runs in the page. */
const PLACES = `(() => {
  const scroller = document.querySelector('.transcript');
  const feed = document.querySelector('.feed').getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return {
    entries: [...document.querySelectorAll('.feed > article')].filter((one) => one.checkVisibility()).map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return { position: Number(one.ariaPosInSet), top: top - feed.top, bottom: bottom - feed.top };
    }),
    hidden: [...document.querySelectorAll('.feed > article')].filter((one) => !one.checkVisibility()).length,
    height: feed.height,
    view: { top: view.top - feed.top, bottom: view.bottom - feed.top },
  };
})()`;

interface Places {
  entries: { position: number; top: number; bottom: number }[];
  hidden: number;
  height: number;
  view: { top: number; bottom: number };
}

/** What is outside of the view and mounted all the same, at each side. */
const MARGIN = 800;

const near = (one: number, other: number) => Math.abs(one - other) < 0.6;

/** In a row without gaps, and with room before the first of all and behind the last. */
function assertInPlace({ entries, height, view }: Places, count: number, where: string): void {
  assert.ok(entries.length > 0, where);
  const isScrolled = height > view.bottom - view.top + 1;
  entries.forEach(({ position, top, bottom }, index) => {
    const before = entries[index - 1];
    if (before) assert.ok(position === before.position + 1 && near(top, before.bottom), `${where}: ${position}`);
    if (position === 1) assert.ok(near(top, 12), `${where}: the first begins at ${top}`);
    if (position === count && isScrolled)
      assert.ok(near(height - bottom, 16), `${where}: the last ends ${height - bottom} above the end`);
  });
}

/** As many as may be seen soon, and no more. */
function assertNear({ entries, view }: Places, count: number, where: string): void {
  const [first, last] = [entries[0] ?? assert.fail(where), entries.at(-1) ?? assert.fail(where)];
  assert.ok(first.position === 1 || first.top <= view.top - MARGIN + 1, `${where}: from ${first.top - view.top}`);
  assert.ok(
    last.position === count || last.bottom >= view.bottom + MARGIN - 1,
    `${where}: to ${last.bottom - view.bottom}`,
  );
  const far = 3 * MARGIN;
  assert.ok(first.top > view.top - far && last.bottom < view.bottom + far, `${where}: ${entries.length} are mounted`);
}

async function placesAt(page: Page, scrollTop: number): Promise<Places> {
  await page.evaluate(`(async () => {
    document.querySelector('.transcript').scrollTop = ${scrollTop};
    for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  })()`);
  let last = '';
  await until('the entries to stand still', async () => {
    const now = JSON.stringify(await page.evaluate<Places>(PLACES));
    const same = now === last;
    last = now;
    return same;
  });
  return page.evaluate<Places>(PLACES);
}

describe('The entries of a transcript', () => {
  const open = panelSuite();

  it('stand below each other, with room before the first and behind the last', async () => {
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), text('t', 'Hello.'), user('v', 'Bye')] }) });
    await page.getByText('Bye').waitFor();
    const places = await placesAt(page, 0);
    assert.deepEqual(
      places.entries.map(({ position }) => position),
      [1, 2, 3],
    );
    assertInPlace(places, 3, 'a short one');
  });

  it('do so wherever a long one is looked at, and those near what is seen are there', async () => {
    const count = 1_000;
    const { page } = await open({ state: chat({ entries: longChat(count) }) });
    await page.locator(`article[data-entry-id=e${count - 1}]`).waitFor();
    for (const share of [1, 0, 0.5, 0.51, 0.2, 1]) {
      const height = await page.evaluate<number>("document.querySelector('.transcript').scrollHeight");
      const places = await placesAt(page, height * share);
      assertInPlace(places, count, `at ${share}`);
      assertNear(places, count, `at ${share}`);
    }
  });

  it('that are folded away are not all there, however many there are, and take no room', async () => {
    const reads = Array.from({ length: 400 }, (_, at) => tool(`r${at}`));
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), ...reads, text('t', 'Found it.')] }) });
    await page.getByText('Found it.').waitFor();
    const places = await placesAt(page, 0);
    assertInPlace(places, 3, 'folded');
    assert.equal(places.entries.length, 3);
    assert.ok(places.hidden >= 90 && places.hidden <= 210, `${places.hidden} are hidden`);
  });
});
