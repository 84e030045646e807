import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { chat, run, text, user } from './support/chats';
import { gapBelow, isConnected } from './support/domProbes';
import { atRest } from './support/frames';
import { panelSuite } from './support/panelSuite';

const SCROLL_TOP = "document.querySelector('.transcript').scrollTop";

const PIECES = `First paragraph with **bold** text.

- one
- two

| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`ts
const x = 1;
const y = '<b>';
\`\`\`

Last words, see [docs] and [the parser](src/date.ts#L12).

[docs]: https://example.com/docs
`;

describe('A streaming answer', () => {
  const open = panelSuite();

  it('never renders a closed block again', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], run: run('answering') }) });
    host.emit({ type: 'entry-added', entry: text('t', '', true) });
    host.emit({ type: 'text-appended', entryId: 't', text: 'First **closed** block.\n\nSecond' });
    await page.getByText('Second', { exact: true }).waitFor();
    const first = await page.locator('article[data-entry-id=t] strong').elementHandle();
    for (const word of [' block', ' goes', ' on.\n\n', '```js\nlet a;\n', 'let b;\n', '```\n', 'End.']) {
      host.emit({ type: 'text-appended', entryId: 't', text: word });
    }
    await page.getByText('End.').waitFor();
    assert.equal(await page.locator('article[data-entry-id=t] strong').count(), 1);
    assert.equal(await first.evaluate(isConnected), true);
    const code = await page.locator('.code-block code').elementHandle();
    host.emit(
      { type: 'text-appended', entryId: 't', text: '\n\nMore.' },
      { type: 'text-finished', entryId: 't', durationMs: null },
    );
    await page.locator('article[data-entry-id=t][data-streaming=false]').waitFor();
    assert.equal(await code.evaluate(isConnected), true);
  });

  it('looks the same in pieces as in one piece', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('whole', PIECES)] }) });
    host.emit({ type: 'entry-added', entry: text('pieces', '', true) });
    for (let at = 0; at < PIECES.length; at += 3) {
      host.emit({ type: 'text-appended', entryId: 'pieces', text: PIECES.slice(at, at + 3) });
    }
    host.emit({ type: 'text-finished', entryId: 'pieces', durationMs: null });
    const body = (id: string) => page.locator(`article[data-entry-id=${id}] .markdown`);
    await until('the same words', async () => (await body('pieces').innerText()) === (await body('whole').innerText()));
    assert.equal(await body('pieces').locator('tbody tr').count(), 1);
    assert.equal(
      await body('pieces').getByRole('link', { name: 'docs' }).getAttribute('href'),
      'https://example.com/docs',
    );
    await until('colours', async () => (await body('pieces').locator('.hljs-keyword').count()) === 2);
    assert.equal(await body('pieces').locator('pre').innerText(), "const x = 1;\nconst y = '<b>';");
  });

  it('highlights code before its block closes, and continues from there', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', '', true)], run: run('answering') }) });
    const append = (words: string) => host.emit({ type: 'text-appended', entryId: 't', text: words });
    append('```ts\nconst first = 1;\nconst sec');
    await until('colours', async () => (await page.locator('.hljs-keyword').count()) === 2);
    append('ond = 2;\nreturn first;\n');
    await until('more colours', async () => (await page.locator('.hljs-keyword').count()) === 3);
    append('```\n\nDone.');
    await page.getByText('Done.').waitFor();
    const code = await page.locator('.code-block code').textContent();
    assert.equal(code?.trimEnd(), 'const first = 1;\nconst second = 2;\nreturn first;');
    assert.equal(await page.locator('.hljs-keyword.control').innerText(), 'return');
  });

  it('shows a new entry and its text from one batch only once', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    host.emit(
      { type: 'entry-added', entry: text('t', 'Hel', true) },
      { type: 'text-appended', entryId: 't', text: 'lo' },
      { type: 'text-appended', entryId: 't', text: ' there' },
      { type: 'text-finished', entryId: 't', durationMs: null },
    );
    await page.locator('article[data-entry-id=t][data-streaming=false]').waitFor();
    assert.equal(await page.locator('article[data-entry-id=t] .markdown').innerText(), 'Hello there');
  });

  it('follows the end until the user scrolls up, and again on request', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join('\n\n');
    const { page, host } = await open({ state: chat({ entries: [text('t', long, true)], run: run('answering') }) });
    const grow = (word: string) => host.emit({ type: 'text-appended', entryId: 't', text: `\n\n${word}` });
    grow('Alpha');
    await page.getByText('Alpha').waitFor();
    await until('the end to be in view', async () => (await page.locator('.transcript').evaluate(gapBelow)) <= 1);
    await page.locator('.transcript').hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole('button', { name: 'Scroll to bottom' }).waitFor();
    // The browser may move with the wheel in several steps.
    const before = await atRest<number>(page, SCROLL_TOP);
    grow('Beta');
    await page.getByText('Beta').waitFor();
    assert.equal(await atRest<number>(page, SCROLL_TOP), before);
    await page.getByRole('button', { name: 'Scroll to bottom' }).click();
    grow('Gamma');
    await page.getByText('Gamma').waitFor();
    await until('the end', async () => (await page.locator('.transcript').evaluate(gapBelow)) <= 1);
    assert.equal(await page.getByRole('button', { name: 'Scroll to bottom' }).count(), 0);
  });

  it('copies code and opens links in the editor', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', PIECES)] }) });
    await page.getByRole('button', { name: 'Copy code' }).click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await until('the copy', async () => (await copied()) === "const x = 1;\nconst y = '<b>';");
    await page.getByRole('link', { name: 'the parser' }).click();
    await page.getByRole('link', { name: 'docs' }).click();
    await until('both', () => host.asked('editor/open-link').length === 1);
    assert.deepEqual(host.asked('editor/open-file'), [{ path: 'src/date.ts', line: 12 }]);
    assert.deepEqual(host.asked('editor/open-link'), [{ url: 'https://example.com/docs' }]);
    // The middle button would otherwise open a page without asking.
    await page.getByRole('link', { name: 'docs' }).click({ button: 'middle' });
    await until('the third', () => host.asked('editor/open-link').length === 2);
    assert.equal(page.context().pages().length, 1);
  });
});
