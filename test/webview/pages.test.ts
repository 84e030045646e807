import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type {
  PageView,
  PermissionsView,
  RuleRow,
  ServerRow,
  ServersView,
  UsageRow,
  UsageView,
} from '../../src/protocol/pages';
import { until } from '../editor/until';
import { bundlePanel } from './support/bundlePanel';
import { openPage } from './support/openPage';
import { launchBrowser } from './support/panelPage';

let browser: Browser;
let page: Page;
let problems: string[] = [];

async function show(view: PageView): Promise<void> {
  const files = await bundlePanel();
  const [script, style] = ['pages.js', 'pages.css'].map((name) => String(files.get(name)));
  ({ page, problems } = await openPage(browser, script ?? '', style ?? '', view));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Returns what the page has asked of the host, except that it is ready. */
const sent = async () => JSON.parse(String(await page.evaluate('JSON.stringify(sent.slice(1))'))) as unknown;
const post = (message: object) => page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
const wordsOf = (of: Locator) => of.allInnerTexts();
const row = (name: string, more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ name, requests: 1, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 },
  ...more,
});

before(async function () {
  this.timeout(180_000);
  browser = await launchBrowser();
});
after(() => browser.close());
afterEach(async () => {
  await page.close();
  assert.deepEqual(problems, []);
});

describe('The usage page', () => {
  const usage = (more: Partial<UsageView> = {}): UsageView => ({
    page: 'usage',
    filter: { days: 30, by: 'model', measure: 'cost', model: null, agent: 'gone', folder: null },
    choices: { model: ['m-1', 'm-2'], agent: ['coder'], folder: ['/a'] },
    series: ['m-1', 'm-2'],
    plot: [
      { day: '2026-11-01', values: [0.5, 1.5] },
      { day: '2026-11-02', values: [3, 0] },
      { day: '2026-11-03', values: [0, 0] },
    ],
    days: [row('2026-11-01', { costUsd: 2 }), row('2026-11-02', { costUsd: 3 })],
    rows: [
      row('m-1', { requests: 1200, inputTokens: 34_000, cachedInputTokens: 5000, outputTokens: 600, costUsd: 3.5 }),
      row('m-2', { requests: 2, costUsd: 1.5, unpriced: 1 }),
      row('m-3', { requests: 2, unpriced: 2 }),
    ],
    total: row('', { requests: 1204, inputTokens: 1_200_000, outputTokens: 34_000, costUsd: 5, unpriced: 3 }),
    problems: ['usage-1.jsonl cannot be read.'],
    ...more,
  });

  it('sums up the period, and lists it by what was chosen and by day, the last day first', async () => {
    await show(usage());
    assert.deepEqual(await wordsOf(page.locator('.page-sum, .page-problem')), [
      'at least $5.00 · 1.2M tokens · 1204 requests',
      'usage-1.jsonl cannot be read.',
    ]);
    const table = (name: string) => page.getByRole('group', { name }).locator('tr');
    assert.deepEqual(await wordsOf(table('Usage by model')), [
      'Model\tRequests\tInput\tFrom cache\tOutput\tCost',
      'm-1\t1,200\t34,000\t5,000\t600\t$3.50',
      'm-2\t2\t0\t0\t0\tat least $1.50',
      'm-3\t2\t0\t0\t0\tunknown',
    ]);
    assert.deepEqual(await wordsOf(table('Usage by day').locator('th[scope=row]')), ['2026-11-02', '2026-11-01']);
    assert.deepEqual(await wordsOf(page.locator('.usage-legend li')), ['m-1', 'm-2']);
  });

  it('draws each day as a bar as high as its parts, and describes the plot', async () => {
    await show(usage());
    const plot = page.getByRole('img');
    assert.equal(
      await plot.getAttribute('aria-label'),
      'Usage on each of 3 days since 2026-11-01; most on 2026-11-02: $3.00',
    );
    assert.deepEqual(await plot.locator('title').allTextContents(), [
      '2026-11-01: $2.00',
      '2026-11-02: $3.00',
      '2026-11-03: $0.00',
    ]);
    assert.deepEqual(await plot.locator('text').allTextContents(), [
      '$0.00',
      '$2.50',
      '$5.00',
      '11-01',
      '11-02',
      '11-03',
    ]);
    const parts = await Promise.all(
      (await plot.locator('.usage-part').all()).map((part) =>
        Promise.all(['class', 'y', 'height'].map((name) => part.getAttribute(name))),
      ),
    );
    assert.deepEqual(parts, [
      ['usage-part usage-color-0', '180', '20'],
      ['usage-part usage-color-1', '120', '60'],
      ['usage-part usage-color-0', '80', '120'],
    ]);
  });

  it('shows tokens in the plot if they were chosen, and nothing when there are none', async () => {
    const filter = { ...usage().filter, measure: 'tokens' as const };
    await show(usage({ filter, plot: [{ day: '2026-11-01', values: [123_456] }] }));
    assert.deepEqual(await page.getByRole('img').locator('title').allTextContents(), ['2026-11-01: 123k']);
    await post({ changes: { total: row('', { requests: 0 }) } });
    await page.getByText('No usage recorded in this period.').waitFor();
    assert.deepEqual([await page.locator('.page-sum').innerText(), await page.locator('table').count()], ['', 0]);
  });

  it('names one request in the singular, and no cost if no price is known', async () => {
    await show(usage({ total: row('', { inputTokens: 900, outputTokens: 50, unpriced: 1 }) }));
    assert.equal(await page.locator('.page-sum').innerText(), '950 tokens · 1 request');
  });

  it('asks for each change of a filter, and keeps a choice of which the period has nothing', async () => {
    await show(usage());
    assert.deepEqual(await wordsOf(choice('Agent').locator('option')), ['All agents', 'gone', 'coder']);
    assert.equal(await choice('Agent').inputValue(), 'gone');
    await choice('Agent').selectOption('All agents');
    await choice('Model').selectOption('m-2');
    await choice('Period').selectOption('Last 12 months');
    await choice('Group by').selectOption('Folder');
    await choice('Show').selectOption('Tokens');
    await page.getByRole('button', { name: 'Export CSV…' }).click();
    const change = (one: object) => ({ kind: 'filter-usage', change: one });
    assert.deepEqual(await sent(), [
      ...[{ agent: null }, { model: 'm-2' }, { days: 365 }, { by: 'folder' }, { measure: 'tokens' }].map(change),
      { kind: 'export-usage' },
    ]);
  });
});

describe('The permissions page', () => {
  const rule = (id: string, text: string, more: Partial<RuleRow> = {}): RuleRow => ({
    ...{ id, text: `allow ${text}`, action: 'allow', because: '', used: null, isOwn: true, narrower: null },
    ...more,
  });
  const at = new Date(2026, 10, 3, 12).getTime();
  const permissions = (more: Partial<PermissionsView> = {}): PermissionsView => ({
    ...{ page: 'permissions', session: '', workspace: '/work', agent: 'coder', tried: null, days: 30 },
    problems: ['permissions.json:3: not JSON'],
    groups: [
      {
        scope: 'user',
        rules: [
          rule('u0', 'execute_command: npm test', {
            narrower: 'allow execute_command: npm test, exactly',
            used: { times: 2, last: 'npm test', at },
          }),
          rule('u1', 'fs_read', { because: 'Asked once.', used: { times: 1, last: 'a.txt', at } }),
        ],
      },
      { scope: 'session', rules: [] },
      { scope: 'workspace', rules: [rule('w0', 'fetch_url', { action: 'deny', text: 'deny fetch_url: a.test' })] },
      { scope: 'repository', rules: [] },
      { scope: 'agent', rules: [rule('a0', 'x', { isOwn: false, narrower: 'allow y', text: 'ask x', action: 'ask' })] },
    ],
    ...more,
  });

  it('lists the rules by where they come from, with their last decisions', async () => {
    await show(permissions());
    assert.deepEqual(await wordsOf(page.locator('h2')), [
      ...['Everywhere', 'This session', 'This workspace', 'From the agent', 'Add a rule'],
    ]);
    const group = (name: string) => page.getByRole('region', { name });
    assert.deepEqual(await wordsOf(group('Everywhere').locator('li')), [
      'Allowed\nexecute_command: npm test\nUsed 2 times, last on Nov 3, 2026: npm test\nNarrow\nRemove',
      'Allowed\nfs_read\nAsked once.\nUsed once, last on Nov 3, 2026: a.txt\nRemove',
    ]);
    assert.deepEqual(await wordsOf(group('This workspace').locator('li')), [
      'Denied\nfetch_url: a.test\nNot used recently\nRemove',
    ]);
    assert.deepEqual(await wordsOf(group('From the agent').locator('li')), ['Asks\nx\nNot used recently']);
    assert.match(await group('This session').innerText(), /Yours, in “New session”\s+No rules$/);
    assert.deepEqual(await wordsOf(page.locator('.page-problem')), ['permissions.json:3: not JSON']);
    assert.match(await page.locator('.page-note').innerText(), /over the last 30 days/);
  });

  it('asks to narrow, remove and edit rules', async () => {
    await show(permissions());
    const narrow = page.getByRole('button', { name: 'Narrow execute_command: npm test' });
    assert.equal(await narrow.getAttribute('title'), 'Change to: allow execute_command: npm test, exactly');
    await narrow.click();
    await page.getByRole('button', { name: 'Remove fetch_url: a.test' }).click();
    await page.getByRole('button', { name: 'Edit rules as JSON' }).click();
    assert.deepEqual(await sent(), [
      { kind: 'narrow-rule', id: 'u0' },
      { kind: 'remove-rule', id: 'w0' },
      { kind: 'edit-rules' },
    ]);
  });

  it('tests a command line unless it is blank, and shows the decision', async () => {
    await show(permissions());
    const line = page.getByLabel('Test a command line');
    for (const text of ['  ', 'git push']) {
      await line.fill(text);
      await page.getByRole('button', { name: 'Test', exact: true }).click();
    }
    assert.deepEqual(await sent(), [{ kind: 'try-command', line: 'git push' }]);
    await post({ changes: { tried: { line: 'git push', action: 'ask', reason: 'The mode asks.' } } });
    await until('the decision', async () => /git push/.test(await page.getByRole('status').innerText()));
    assert.equal(await page.getByRole('status').innerText(), 'Asks git push\nThe mode asks.');
  });

  it('adds a rule as it was chosen, and keeps all but its text for the next', async () => {
    await show(permissions());
    const form = page.getByRole('region', { name: 'Add a rule' });
    const add = form.getByRole('button', { name: 'Add' });
    assert.match(await form.innerText(), /options known to be harmless/);
    await add.click();
    await form.getByLabel('Command', { exact: true }).fill('npm test');
    await add.click();
    await form.getByLabel('Action').selectOption('Deny');
    await form.getByLabel('What').selectOption('Web pages');
    await form.getByLabel('Where').selectOption('Everywhere');
    assert.doesNotMatch(await form.innerText(), /options known to be harmless/);
    const host = form.getByLabel('Host', { exact: true });
    assert.deepEqual([await host.inputValue(), await host.getAttribute('placeholder')], ['', '*.example.org']);
    await host.fill('a.test');
    await add.click();
    assert.deepEqual(await sent(), [
      { kind: 'add-rule', rule: { scope: 'workspace', action: 'allow', subject: 'command', text: 'npm test' } },
      { kind: 'add-rule', rule: { scope: 'user', action: 'deny', subject: 'host', text: 'a.test' } },
    ]);
  });

  it('shows why something failed until the next view', async () => {
    await show(permissions());
    await post({ failure: 'It was removed in the meantime.' });
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').innerText(), 'It was removed in the meantime.');
    await post({ view: permissions() });
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('The page of MCP servers', () => {
  const server = (id: string, more: Partial<ServerRow> = {}): ServerRow => ({
    ...{ id, state: 'configured', why: '', before: null, launch: `run ${id}`, source: 'mcp.json:3', from: 'person' },
    ...{ calls: 0, failures: 0, averageMs: null, last: null, offer: null, tools: null, tokens: 0 },
    ...{ resources: 0, prompts: 0, acts: [] },
    ...more,
  });
  const servers = (...all: readonly ServerRow[]): ServersView => ({
    page: 'servers',
    servers: all,
    unread: '',
    problems: [],
  });
  const shown = (name: string) => page.getByRole('article', { name });

  it('lists them by where they come from, with their state and what they did', async () => {
    const at = new Date(2026, 10, 3, 14, 3, 22).getTime();
    await show(
      servers(
        server('tides', {
          ...{ state: 'called', calls: 3, failures: 1, averageMs: 1500, resources: 1, prompts: 2 },
          last: { tool: 'echo', at, ms: 95, hasFailed: true },
        }),
        server('docs', { from: 'workspace', state: 'changed', before: 'run old' }),
        server('maps', { from: 'program', state: 'failed', why: 'It ended with status 1.' }),
      ),
    );
    assert.deepEqual(await wordsOf(page.locator('h2')), ['Yours', 'From this workspace', 'From other programs']);
    assert.match(
      await shown('tides').innerText(),
      /^tides\s+Called\s+mcp\.json:3 · 3 calls · 1 failed · 1\.5 s on average · 1 resource · 2 prompts\s+run tides\s+Last call: echo, 2:03:22\sPM, 95 ms, failed$/,
    );
    const docs = await shown('docs').innerText();
    assert.match(
      docs,
      /^docs\s+Changed\s+mcp\.json:3\s+run docs\s+You allowed before: run old\s+It has changed since you allowed it/,
    );
    assert.match(
      await shown('maps').innerText(),
      /^maps\s+Failed\s+mcp\.json:3\s+run maps\s+It ended with status 1\.$/,
    );
  });

  it('names no other programs without servers of theirs, and says where there are none', async () => {
    await show(servers());
    assert.deepEqual(await wordsOf(page.locator('h2, .page-none')), [
      ...['Yours', 'No servers', 'From this workspace', 'No servers'],
    ]);
    await page.getByRole('button', { name: 'Add MCP Server…' }).click();
    await page.getByRole('button', { name: 'Edit your MCP servers' }).click();
    assert.deepEqual(await sent(), [{ kind: 'add-server' }, { kind: 'edit-servers' }]);
  });

  it('names each state, with a color, and each act', async () => {
    const states = {
      ...{ waits: ['Waits', 'warn'], changed: ['Changed', 'warn'], denied: ['Denied', 'bad'], off: ['Off', 'plain'] },
      ...{ configured: ['Configured', 'plain'], known: ['Known', 'plain'], starting: ['Starting', 'warn'] },
      ...{ started: ['Started', 'good'], called: ['Called', 'good'], failed: ['Failed', 'bad'] },
      'sign-in': ['Sign in', 'warn'],
    } as const;
    const names = [
      ...(['waits', 'changed', 'denied', 'off', 'configured', 'known', 'starting', 'started'] as const),
      ...(['called', 'failed', 'sign-in'] as const),
    ];
    const acts = ['allow', 'sign-in', 'start', 'stop', 'log', 'open', 'sign-out', 'forbid'] as const;
    await show(servers(...names.map((state) => server(state, { state, acts: state === 'known' ? acts : [] }))));
    for (const state of names) {
      const mark = shown(state).locator('.page-mark');
      const [words, color] = states[state];
      assert.deepEqual(
        [await mark.innerText(), await mark.getAttribute('class')],
        [words, `page-mark server-${color}`],
      );
    }
    const buttons = await shown('known').getByRole('button').all();
    const labels = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    const words = ['Allow…', 'Sign In', 'Start', 'Stop', 'Show Log', 'Open File', 'Sign Out', 'Never Start'];
    assert.deepEqual(
      labels,
      words.map((one) => `${one} known`),
    );
    assert.deepEqual(await wordsOf(shown('known').getByRole('button')), words);
  });

  it('offers what can be done with each, by its name', async () => {
    await show(servers(server('tides', { acts: ['start', 'log'] }), server('docs', { acts: ['allow', 'forbid'] })));
    await page.getByRole('button', { name: 'Start tides' }).click();
    await page.getByRole('button', { name: 'Never Start docs' }).click();
    assert.deepEqual(await wordsOf(shown('docs').getByRole('button')), ['Allow…', 'Never Start']);
    assert.deepEqual(await sent(), [
      { kind: 'act-on-server', server: 'tides', act: 'start' },
      { kind: 'act-on-server', server: 'docs', act: 'forbid' },
    ]);
  });

  it('shows how models are told about the tools, and asks to change it for all or for one', async () => {
    const tool = (name: string) => ({ name, description: `Does ${name}`, offer: 'search', isChosen: false }) as const;
    const tools = [tool('echo'), { ...tool('add'), offer: 'off', isChosen: true } as const];
    await show(servers(server('tides', { tools, tokens: 12_345, offer: 'search' })));
    assert.equal(await page.locator('summary').innerText(), '2 tools · about 12.3k tokens in each request');
    await page.locator('summary').click();
    const values = ['Models are told about its tools', 'Models are told about echo', 'Models are told about add'].map(
      (label) => choice(label).inputValue(),
    );
    assert.deepEqual(await Promise.all(values), ['search', '', 'off']);
    const first = (label: string) => choice(label).locator('option').first().innerText();
    assert.deepEqual(
      [await first('Models are told about echo'), await first('Models are told about add')],
      ['As the server (by search)', 'As the server'],
    );
    await choice('Models are told about its tools').selectOption('By their size');
    await choice('Models are told about echo').selectOption('Always');
    await choice('Models are told about add').selectOption('As the server');
    const offers = (name: string | null, offer: string | null) => ({
      kind: 'offer-tools',
      server: 'tides',
      tool: name,
      offer,
    });
    assert.deepEqual(await sent(), [offers(null, null), offers('echo', 'always'), offers('add', null)]);
    await post({ changes: { servers: [server('tides', { tools: tools.slice(1) })] } });
    await until(
      'one tool',
      async () => (await page.locator('summary').innerText()) === '1 tool · nothing of them in requests',
    );
  });
});
