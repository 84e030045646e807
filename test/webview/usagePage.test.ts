import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { UsageRow, UsageView } from '../../src/protocol/pages';
import { bundlePanel } from './support/bundlePanel';
import { openPage } from './support/openPage';
import { launchBrowser } from './support/panelPage';

/** Runs in the page: whether each label begins inside the plot. */
const WHOLE = `[...document.querySelectorAll('.usage-axis[text-anchor=end]')].map(
  (one) => one.getBoundingClientRect().left >= one.closest('svg').getBoundingClientRect().left)`;

describe('The plot of the usage page', () => {
  let browser: Browser;
  before(async function () {
    this.timeout(180_000);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const row = (name: string, costUsd: number): UsageRow => ({
    ...{ name, requests: 1, inputTokens: 10, cachedInputTokens: 0, outputTokens: 8 },
    ...{ costUsd, unpriced: 0 },
  });
  const viewOf = (costUsd: number): UsageView => ({
    page: 'usage',
    filter: { days: 7, model: null, agent: null, folder: null, by: 'model', measure: 'cost' },
    choices: { model: ['openai:gpt-5'], agent: ['coder'], folder: ['/work'] },
    series: ['openai:gpt-5'],
    plot: [{ day: '2026-11-27', values: [costUsd] }],
    days: [row('2026-11-27', costUsd)],
    rows: [row('openai:gpt-5', costUsd)],
    total: row('', costUsd),
    problems: [],
  });
  const axes: [number, string[]][] = [
    [0.00021, ['$0.00', '$0.00025', '$0.0005']],
    [0.017, ['$0.00', '$0.01', '$0.02']],
    [1.5, ['$0.00', '$1.00', '$2.00']],
  ];
  for (const [costUsd, words] of axes) {
    it(`has whole and distinct amounts at its lines when the most is $${costUsd}`, async () => {
      const files = await bundlePanel();
      const [script, style] = [String(files.get('pages.js')), String(files.get('pages.css'))];
      const { page, problems } = await openPage(browser, script, style, viewOf(costUsd));
      const labels = page.locator('.usage-axis[text-anchor=end]');
      await labels.first().waitFor();
      assert.deepEqual(await labels.allTextContents(), words);
      const edges = await page.evaluate(WHOLE);
      assert.deepEqual(edges, [true, true, true]);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }
});
