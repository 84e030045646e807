import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { layoutGraph } from '../../src/host/graphs/layout/layoutGraph';
import type { GraphRunView, GraphView, VisitDetailView, VisitView } from '../../src/protocol/graphPage';
import { until } from '../editor/until';
import { bundlePanel } from './support/bundlePanel';
import { largeRun, largeShape } from './support/largeRun';
import { openGraphPage } from './support/openGraphPage';
import { launchBrowser } from './support/panelPage';

const NODES = 300;
const LAST = `node_${NODES - 1}`;

const shape = largeShape(NODES);
const groups = layoutGraph(shape).boxes.flatMap(({ id, members }) => (members ? [id] : []));
const drawing = layoutGraph(shape, groups);

/** Each node ran and used this many tokens. */
function visitsOf(tokens: number): VisitView[] {
  return shape.nodes.map((node, step) => ({
    ...{ node, step, state: 'done', waitedFrom: 0, beganAt: 0, endedAt: 5000, asks: [], tries: 1, items: 0 },
    ...{ itemsAround: 0, branches: [], tokens, costUsd: 0, targets: [], message: null, sessionId: null },
  }));
}

describe('The page of a run with hundreds of nodes', () => {
  let browser: Browser;
  let page: Page;
  let view: GraphView & { run: GraphRunView };
  let problems: string[];
  before(async function () {
    this.timeout(180_000);
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    const files = await bundlePanel();
    const first = largeRun(shape, drawing);
    assert.ok(first.run);
    view = { ...first, run: { ...first.run, visits: visitsOf(1) } };
    const file = (name: string) => String(files.get(name));
    ({ page, problems } = await openGraphPage(browser, file('pages.js'), file('pages.css'), view));
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });

  const post = (message: unknown) => page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  const show = (tokens: number) => post({ changes: { run: { ...view.run, visits: visitsOf(tokens) } } });
  const labels = async (selector: string, tokens: number) => {
    const all = `[...document.querySelectorAll('${selector}')].map((one) => one.ariaLabel ?? one.textContent)`;
    const said = await page.evaluate(all);
    return z
      .array(z.string())
      .parse(said)
      .filter((one) => one.includes(`${tokens} tokens`)).length;
  };

  it('draws some visible nodes at once, the other visible ones in the next frames, and the rest soon after', async () => {
    // The first frames determine what is in view; what a change draws at once is there before any other task.
    const run = JSON.stringify({ ...view.run, visits: visitsOf(7) });
    await page.evaluate(`(async () => {
      const room = document.querySelector('.graph-room').getBoundingClientRect();
      const isVisible = ({ x, y, right, bottom }) => x < room.right && y < room.bottom && right > room.x && bottom > room.y;
      window.visible = [...document.querySelectorAll('.graph-box')].filter((box) => isVisible(box.getBoundingClientRect())).length;
      for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve));
      window.dispatchEvent(new MessageEvent('message', { data: { changes: { run: ${run} } } }));
      for (let step = 0; step < 20; step++) await null;
      window.atOnce = [...document.querySelectorAll('.graph-box')].filter((box) => box.ariaLabel.includes('7 tokens')).length;
    })()`);
    const atOnce = Number(await page.evaluate('atOnce'));
    const visible = Number(await page.evaluate('visible'));
    assert.ok(atOnce > 0 && atOnce < visible && visible < NODES, `${atOnce} of ${visible} visible of ${NODES} boxes`);
    await until('every box', async () => (await labels('.graph-box', 7)) === NODES);
    await page.getByRole('button', { name: 'Show as list' }).click();
    await show(8);
    await until('every row of the list', async () => (await labels('.graph-list [role=listitem]', 8)) === NODES);
  });

  it('exports every node in its current state, including those out of view', async () => {
    await show(9);
    await page.getByRole('button', { name: 'Export as SVG' }).click();
    const exported = () => page.evaluate("sent.find(({ kind }) => kind === 'export-graph')?.data ?? ''").then(String);
    await until('the file', async () => (await exported()) !== '');
    const told = (await exported()).match(/<title[^>]*>[^<]* 9 tokens</g) ?? [];
    assert.equal(told.length, NODES);
  });

  it('does not redraw a hidden drawing, but exports and shows it in its current state', async () => {
    const toggle = page.getByRole('button', { name: 'Show as list' });
    await toggle.click();
    await show(8);
    await until('every row of the list', async () => (await labels('.graph-list [role=listitem]', 8)) === NODES);
    assert.equal(await labels('.graph-box', 8), 0);
    await page.getByRole('button', { name: 'Export as SVG' }).click();
    const exported = () => page.evaluate("sent.find(({ kind }) => kind === 'export-graph')?.data ?? ''").then(String);
    await until('the file', async () => (await exported()) !== '');
    assert.equal((await exported()).match(/<title[^>]*>[^<]* 8 tokens</g)?.length, NODES);
    await show(9);
    await until('the rows in view', async () => (await labels('.graph-list [role=listitem]', 9)) > 0);
    await toggle.click();
    await until('the boxes', async () => (await labels('.graph-box', 9)) > 0);
    assert.equal(await labels('.graph-box', 9), NODES);
  });

  it('moves the keyboard focus to nodes out of view, in their current state', async () => {
    await page.locator('[data-box=node_0]').focus();
    await show(5);
    await page.keyboard.press('End');
    await until('the last box', async () => (await page.evaluate('document.activeElement.dataset.box')) === LAST);
    await until('its words', async () =>
      /5 tokens/.test(String(await page.evaluate('document.activeElement.ariaLabel'))),
    );
    assert.equal(await page.locator('.graph-box[tabindex="0"]').count(), 1);
    const lane = page.getByRole('table').getByRole('row').last();
    await lane.scrollIntoViewIfNeeded();
    await until('the last lane', async () => new RegExp(`${LAST}[^]*5 s`).test(await lane.innerText()));
    await lane.getByRole('button').press('Enter');
    assert.deepEqual(await page.evaluate('sent.at(-1)'), { kind: 'show-node', node: LAST });
  });

  it('keeps all nodes that an update does not mention', async () => {
    await post({ changes: { note: 'Something new.' } });
    await page.getByText('Something new.').waitFor();
    assert.equal(await page.locator('.graph-box').count(), NODES);
  });

  it('marks what is hidden in the texts of a node, wherever they stand', async () => {
    const odd = (what: string) => `${what}\u202e tfel\u200b\u0007\u{e0041}`;
    const detail: VisitDetailView = {
      ...{ node: LAST, step: NODES - 1, isWhole: true, moreCalls: 0, problem: odd('problem') },
      ...{ prompt: odd('prompt'), output: odd('output'), before: odd('state') },
      calls: [{ tool: odd('tool'), title: odd('title'), status: 'ok', durationMs: 1, item: null }],
      changes: [{ key: odd('key'), before: odd('old'), after: odd('new') }],
    };
    const visits = visitsOf(1).map((visit) => (visit.node === LAST ? { ...visit, message: odd('message') } : visit));
    await post({ changes: { run: { ...view.run, visits, detail } } });
    await page.getByRole('region', { name: `What ${LAST} did` }).waitFor();
    const shown = String(await page.evaluate("document.querySelector('.graph-detail').outerHTML"));
    for (const what of ['problem', 'message', 'prompt', 'output', 'state', 'tool', 'title', 'key', 'old', 'new'])
      assert.match(shown, new RegExp(`${what}⟨U\\+202E⟩ tfel⟨U\\+200B`), what);
    assert.doesNotMatch(shown, /[\u0007\u200b\u202e]|\u{e0041}/u);
  });
});
