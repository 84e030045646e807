import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, run, text, tool, user } from './support/chats';
import { gapBelow } from './support/domProbes';
import { atRest } from './support/frames';
import { CURRENT_SEEN } from './support/highlightProbes';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';
import { resizePage } from './support/resizePage';
import { showSession } from './support/showSession';

/** The positions of the mounted entries, in pixels from the start of the scrolled content. A string, because it runs in the page. */
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

/** `ADDED` is the number of entries rendered since `COUNT_ADDED` ran. */
const ADDED = 'window.added';
const COUNT_ADDED = `(() => {
  window.added = 0;
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) window.added += addedNodes.length;
  });
  observer.observe(document.querySelector('.feed'), { childList: true });
})()`;

const HEIGHT = "document.querySelector('.transcript').scrollHeight";

interface Places {
  entries: { position: number; top: number; bottom: number }[];
  hidden: number;
  height: number;
  view: { top: number; bottom: number };
}

/** How far outside the view entries are mounted, on each side. */
const MARGIN = 800;

const near = (one: number, other: number) => Math.abs(one - other) < 0.6;

/** Asserts that entries follow each other without gaps, with space before the first and after the last. */
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

/** Asserts that everything near the view is mounted, and nothing beyond. */
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
  await page.evaluate(`document.querySelector('.transcript').scrollTop = ${scrollTop}`);
  return placesAtRest(page);
}

const placesAtRest = (page: Page) => atRest<Places>(page, PLACES);

describe('The entries of a transcript', () => {
  const open = panelSuite();

  it('are below each other, with space before the first and after the last', async () => {
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), text('t', 'Hello.'), user('v', 'Bye')] }) });
    await page.getByText('Bye').waitFor();
    const places = await placesAt(page, 0);
    assert.deepEqual(
      places.entries.map(({ position }) => position),
      [1, 2, 3],
    );
    assertInPlace(places, 3, 'a short one');
  });

  it('are so at any scroll position of a long one, and those near the view are rendered', async () => {
    const count = 1_000;
    const { page } = await open({ state: chat({ entries: longChat(count) }) });
    await page.locator(`article[data-entry-id=e${count - 1}]`).waitFor();
    for (const share of [1, 0, 0.5, 0.51, 0.2, 1]) {
      const height = await page.evaluate<number>(HEIGHT);
      const places = await placesAt(page, height * share);
      assertInPlace(places, count, `at ${share}`);
      assertNear(places, count, `at ${share}`);
    }
  });

  it('that are collapsed are not all rendered, however many there are, and take no space', async () => {
    const reads = Array.from({ length: 400 }, (_, at) => tool(`r${at}`));
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), ...reads, text('t', 'Found it.')] }) });
    await page.getByText('Found it.').waitFor();
    const places = await placesAt(page, 0);
    assertInPlace(places, 3, 'folded');
    assert.equal(places.entries.length, 3);
    assert.ok(places.hidden >= 90 && places.hidden <= 210, `${places.hidden} are hidden`);
  });

  it('that were collapsed are not all rendered when they are expanded, not even for a moment', async () => {
    const reads = Array.from({ length: 400 }, (_, at) => tool(`r${at}`));
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), ...reads, text('t', 'Found it.')] }) });
    await page.getByText('Found it.').waitFor();
    await page.evaluate(COUNT_ADDED);
    await page.getByRole('button', { name: 'Read 400 files' }).click();
    await page.locator('article[data-entry-id=r399]').waitFor();
    const places = await placesAtRest(page);
    // The line of the group has the focus, so it stays rendered.
    const others = { ...places, entries: places.entries.filter(({ position }) => position !== 2) };
    assertInPlace(others, 402, 'expanded');
    assertNear(others, 402, 'expanded');
    const added = await page.evaluate<number>(ADDED);
    assert.ok(added < 200, `${added} were rendered`);
  });

  it('stay in place below collapsed ones when nothing above those is rendered', async () => {
    const reads = Array.from({ length: 40 }, (_, at) => tool(`r${at}`));
    const long = text('t', 'A paragraph.\n\n'.repeat(100));
    const { page } = await open({ state: chat({ entries: [user('u', 'Hi'), ...reads, long] }) });
    await page.locator('article[data-entry-id=t]').waitFor();
    const topOf = async ({ entries }: Places) => (entries.find(({ position }) => position === 3) ?? assert.fail()).top;
    const top = await topOf(await placesAt(page, 0));
    const places = await placesAt(page, top + 2 * MARGIN);
    assert.equal(places.entries.length, 1, 'only the last is in view');
    assert.ok(near(await topOf(places), top), `${await topOf(places)} instead of ${top}`);
  });
});

/** Scrolls through all entries, one screen at a time, so that all heights are known. Stops at the end. */
async function seeAll(page: Page): Promise<void> {
  for (let top = 0; top < (await page.evaluate<number>(HEIGHT)); top += 600) await placesAt(page, top);
}

/** The total height, measured from several positions. */
async function heightsFrom(page: Page): Promise<number[]> {
  const heights: number[] = [];
  for (const share of [1, 0.6, 0, 0.3]) {
    const { height } = await placesAt(page, (await page.evaluate<number>(HEIGHT)) * share);
    heights.push(height);
  }
  return heights;
}

/** Running commands count seconds. The number of page timers started and not stopped since `COUNT_TIMERS` ran. */
const TIMERS = 'window.liveTimers.size';
const COUNT_TIMERS = `(() => {
  const [begin, end] = [window.setInterval.bind(window), window.clearInterval.bind(window)];
  window.liveTimers = new Set();
  window.setInterval = (...parts) => {
    const timer = begin(...parts);
    window.liveTimers.add(timer);
    return timer;
  };
  window.clearInterval = (timer) => {
    window.liveTimers.delete(timer);
    end(timer);
  };
})()`;

describe('What a transcript knows of entries that are not rendered', function () {
  this.timeout(60_000);
  const open = panelSuite();

  it('includes their heights, so that the total height is the same from any position', async () => {
    const { page } = await open({ state: chat({ entries: longChat(120) }) });
    await page.locator('article[data-entry-id=e119]').waitFor();
    await seeAll(page);
    const [first = 0, ...others] = await heightsFrom(page);
    for (const height of others) assert.ok(near(height, first), `${others.join(', ')} instead of ${first}`);
  });

  it('is kept when a rendered entry is reported as finished', async () => {
    const words = 'A paragraph of some words.\n\n'.repeat(80);
    const entries = [...longChat(60), text('t', words, true), user('u', 'And then?')];
    const { page, host } = await open({ state: chat({ entries, run: run('answering') }) });
    await page.getByText('And then?').waitFor();
    await seeAll(page);
    host.emit({ type: 'text-finished', entryId: 't', durationMs: null });
    await page.locator('article[data-entry-id=t][data-streaming=false]').waitFor();
    const [first = 0, ...others] = await heightsFrom(page);
    for (const height of others) assert.ok(near(height, first), `${others.join(', ')} instead of ${first}`);
  });

  it('includes the position of the focused entry while others are viewed', async () => {
    const count = 120;
    const { page } = await open({ state: chat({ entries: longChat(count) }) });
    await page.locator(`article[data-entry-id=e${count - 1}]`).waitFor();
    await seeAll(page);
    const placeOf = ({ entries }: Places) => entries.find(({ position }) => position === 9)?.top ?? Number.NaN;
    await placesAt(page, 0);
    await page.locator('article[data-entry-id=e8]').focus();
    const before = placeOf(await placesAtRest(page));
    for (const share of [0.5, 1]) {
      const places = await placesAt(page, (await page.evaluate<number>(HEIGHT)) * share);
      assert.ok(near(placeOf(places), before), `${placeOf(places)} instead of ${before}`);
      const others = places.entries.filter(({ position }) => position !== 9);
      assertInPlace({ ...places, entries: others }, count, `at ${share}`);
    }
  });

  it('is corrected before a word is shown in an entry much higher than estimated', async () => {
    const lines = (at: number) =>
      Array.from({ length: 60 }, (_, line) => (line === 45 && at % 5 === 0 ? 'heron' : 'x'));
    const entries = Array.from({ length: 60 }, (_, at) => text(`t${at}`, `- ${lines(at).join('\n- ')}`));
    const { page } = await open({ state: chat({ entries }) });
    await page.locator('article[data-entry-id=t59]').waitFor();
    await page.keyboard.press('ControlOrMeta+f');
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('heron');
    await until('the hits', async () => /of 12$/.test(await page.getByRole('search').getByRole('status').innerText()));
    for (let at = 0; at < 8; at++) {
      await page.keyboard.press('Shift+Enter');
      assert.ok(await atRest<boolean>(page, CURRENT_SEEN), `hit ${at}`);
    }
  });

  it('is reset for another session, whose entries replace them', async () => {
    const { page, host } = await open({ state: chat({ entries: longChat(40) }) });
    await page.locator('article[data-entry-id=e39]').waitFor();
    const entries = [user('u', 'Of another one'), ...longChat(30).slice(1), text('t', 'Its end')];
    await showSession(page, host, chat({ sessionId: 'other', entries }));
    await page.getByText('Its end').waitFor();
    await seeAll(page);
    assertInPlace(await placesAt(page, 0), 31, 'the other');
    await page.getByText('Of another one').waitFor();
    assert.equal(await page.getByText('Question 0').count(), 0);
    assert.equal(await page.locator('article').first().getAttribute('aria-setsize'), '31');
  });

  it('is filled in when a wider panel makes the visible ones shorter', async () => {
    const entries = Array.from({ length: 120 }, (_, at) => text(`t${at}`, `${at}: ${'some more words '.repeat(40)}`));
    const { page } = await open({ state: chat({ entries }), width: 220 });
    await page.locator('article[data-entry-id=t119]').waitFor();
    for (const share of [0.5, 1]) {
      await resizePage(page, 220);
      await placesAt(page, (await page.evaluate<number>(HEIGHT)) * share);
      await resizePage(page, 1800);
      const { entries: there, view } = await placesAtRest(page);
      const [top, bottom] = [there[0]?.top ?? Infinity, there.at(-1)?.bottom ?? 0];
      assert.ok(top <= view.top + 1, `at ${share}: nothing above ${top - view.top}`);
      assert.ok(bottom >= view.bottom - 17, `at ${share}: nothing below ${bottom - view.bottom}`);
    }
  });

  it('does not count the seconds of a command that is out of view', async () => {
    const running = Array.from({ length: 10 }, (_, at) =>
      tool(`c${at}`, { tool: 'execute_command', category: 'execute', status: 'running', startedAt: Date.now() }),
    );
    const { page } = await open({ state: chat({ entries: [...longChat(200), ...running], run: run('running-tool') }) });
    await page.locator('article[data-entry-id=c9]').waitFor();
    await page.evaluate(COUNT_TIMERS);
    await placesAt(page, 0);
    assert.equal(await page.evaluate<number>(TIMERS), 0);
    await placesAt(page, await page.evaluate<number>(HEIGHT));
    assert.ok((await page.evaluate<number>(TIMERS)) >= 10, 'they do where they are seen');
    await placesAt(page, 0);
    assert.equal(await page.evaluate<number>(TIMERS), 0);
  });
});

describe('Entries that arrive while a transcript is viewed', () => {
  const open = panelSuite();

  it('are hidden at once, and not counted, when they are shown elsewhere', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], run: run('running-tool') }) });
    await page.getByText('Hi', { exact: true }).waitFor();
    host.emit({ type: 'entry-added', entry: tool('p', { tool: 'todo__init', quiet: true, title: 'Plan 2 steps' }) });
    host.emit({ type: 'entry-added', entry: text('t', 'Planned.') });
    await page.getByText('Planned.').waitFor();
    const places = await placesAtRest(page);
    assertInPlace(places, 2, 'beside a hidden one');
    assert.deepEqual([places.entries.length, await page.getByText('Plan 2 steps').isVisible()], [2, false]);
    assert.equal(await page.locator('article[data-entry-id=t]').getAttribute('aria-setsize'), '2');
  });

  it('keep the end in view as they grow', async () => {
    const { page, host } = await open({
      state: chat({ entries: [...longChat(40), text('t', 'Begin.', true)], run: run('answering') }),
    });
    await page.getByText('Begin.').waitFor();
    for (let at = 0; at < 20; at++) {
      host.emit({ type: 'text-appended', entryId: 't', text: `\n\nParagraph ${at}.` });
    }
    await page.getByText('Paragraph 19.').waitFor();
    await until('the end', async () => (await page.locator('.transcript').evaluate(gapBelow)) <= 1);
    const grown = await placesAtRest(page);
    assertInPlace(grown, 41, 'grown');
    assert.ok((await page.locator('.transcript').evaluate(gapBelow)) <= 1);
  });

  it('are in place when a session was chosen while the panel was hidden', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    await page.getByText('Hi', { exact: true }).waitFor();
    await page.evaluate("document.documentElement.style.display = 'none'");
    await placesAtRest(page);
    await showSession(page, host, chat({ sessionId: 'other', entries: longChat(300) }));
    await page.locator('article[data-entry-id=e299]').waitFor({ state: 'attached' });
    await page.evaluate("document.documentElement.style.display = ''");
    const places = await placesAtRest(page);
    assertInPlace(places, 300, 'shown again');
    assertNear(places, 300, 'shown again');
    assert.ok((await page.locator('.transcript').evaluate(gapBelow)) <= 1);
  });
});
