import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, run, text, tool, user } from './support/chats';
import { CURRENT_ENTRY, CURRENT_SEEN, MARKED } from './support/highlightProbes';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';

const box = (page: Page) => page.getByRole('textbox', { name: 'Find', exact: true });
const countOf = (page: Page) => page.getByRole('search').getByRole('status').innerText();
const counted = (page: Page, words: string) => until(`“${words}”`, async () => (await countOf(page)) === words);
const marked = (page: Page) => page.evaluate<{ all: string[]; current: string | null }>(MARKED);

async function find(page: Page, query: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+f');
  await box(page).fill(query);
}

describe('Find in the panel', () => {
  const open = panelSuite();

  it('also counts matches that are not rendered, and cycles through them', async () => {
    const entries = [...longChat(500), text('t', 'A lonely **Zebra** and another zebra.'), ...more()];
    const { page } = await open({ state: chat({ entries }) });
    await find(page, 'zebra');
    // Starts from the user's reading position, like the editor.
    await counted(page, '3 of 3');
    assert.deepEqual((await marked(page)).current, 'zebra');
    const seen: unknown[] = [];
    for (const key of ['Enter', 'Enter', 'F3', 'Shift+Enter']) {
      await page.keyboard.press(key);
      seen.push(await countOf(page));
      await until('the hit in view', () => page.evaluate<boolean>(CURRENT_SEEN));
    }
    assert.deepEqual(seen, ['1 of 3', '2 of 3', '3 of 3', '2 of 3']);
    assert.equal(await page.evaluate(CURRENT_ENTRY), 't');
  });

  it('matches the case when asked to', async () => {
    const { page } = await open({ state: chat({ entries: [text('t', 'Zebra, zebra, zebra')] }) });
    await find(page, 'zebra');
    await counted(page, '1 of 3');
    await page.keyboard.press('Alt+c');
    await counted(page, '1 of 2');
    assert.equal(await page.getByRole('button', { name: 'Match case' }).getAttribute('aria-pressed'), 'true');
    await box(page).fill('nowhere');
    await counted(page, 'No results');
  });

  it('opens collapsed entries around a match', async () => {
    const output = Array.from({ length: 40 }, (_, at) => (at === 3 ? 'the needle' : `line ${at}`)).join('\n');
    const command = { kind: 'command' as const, command: 'npm test', exitCode: 0, signal: null, timedOut: false };
    const entries = [
      user('u', 'Question'),
      tool('a', { title: 'Read a.ts', detail: { kind: 'text', text: 'hay' } }),
      tool('b', { title: 'Read b.ts', detail: { kind: 'text', text: 'a needle here' } }),
      tool('c', { title: 'Read c.ts', detail: { kind: 'text', text: 'hay' } }),
      tool('d', { category: 'execute', title: 'Run npm test', detail: { ...command, output, outputPath: null } }),
    ];
    const { page } = await open({ state: chat({ entries }) });
    await find(page, 'needle');
    await counted(page, '1 of 2');
    await until('the read file to be open', () => page.evaluate<boolean>(CURRENT_SEEN));
    assert.equal(await page.evaluate(CURRENT_ENTRY), 'b');
    await page.keyboard.press('Enter');
    await until('all of the output', async () => (await page.evaluate(CURRENT_ENTRY)) === 'd');
    await until('the line in view', () => page.evaluate<boolean>(CURRENT_SEEN));
  });

  it('finds words split by highlighting, and link text without the address', async () => {
    const entries = [text('t', 'See [the helper](src/months.ts).\n\n```ts\nconst date = new Date(y);\n```')];
    const { page } = await open({ state: chat({ entries }) });
    await page.locator('.hljs-keyword').first().waitFor();
    await find(page, 'const date = new');
    await counted(page, '1 of 1');
    assert.equal((await marked(page)).current, 'const date = new');
    await box(page).fill('see the helper.');
    await counted(page, '1 of 1');
  });

  it('follows a stream without leaving the current match', async () => {
    const entries = [...longChat(300), text('t', 'One zebra. ', true)];
    const { page, host } = await open({ state: chat({ entries, run: run('answering') }) });
    await find(page, 'zebra');
    await counted(page, '1 of 1');
    for (let at = 0; at < 20; at++) host.emit({ type: 'text-appended', entryId: 't', text: 'A zebra.\n\n' });
    await counted(page, '1 of 21');
    await until('the match to be marked again', async () => (await marked(page)).current === 'zebra');
  });

  it('goes to the first match that arrives when there was none', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', 'hay')] }) });
    await find(page, 'needle');
    await counted(page, 'No results');
    host.emit({ type: 'entry-added', entry: text('n', 'a needle') });
    await counted(page, '1 of 1');
  });

  it('searches 10,000 entries during typing', async () => {
    const { page } = await open({ state: chat({ entries: longChat(10_000) }) });
    await page.keyboard.press('ControlOrMeta+f');
    await page.evaluate(`(() => {
      const input = document.querySelector('.find-box input');
      for (const typed of ['r', 'ro', 'roll']) {
        input.value = typed;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    })()`);
    await until('the hits', async () => /^\d+ of \d{4,}$/.test(await countOf(page)));
  });

  it('closes on Escape, removes its highlights, and leaves the focus at the match', async () => {
    const { page } = await open({ state: chat({ entries: [user('u', 'Question'), text('t', 'A zebra.')] }) });
    await find(page, 'zebra');
    await counted(page, '1 of 1');
    await page.keyboard.press('Escape');
    await box(page).waitFor({ state: 'detached' });
    assert.deepEqual(await marked(page), { all: [], current: null });
    assert.equal(await page.evaluate('document.activeElement.dataset.entryId'), 't');
  });

  it('starts with the selection, and can be opened by the host', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', 'zebra and zebra')] }) });
    await page.evaluate(
      "document.getSelection().setBaseAndExtent(...[0, 5].flatMap((at) => [document.querySelector('article p').firstChild, at]))",
    );
    host.showPart('find');
    await counted(page, '1 of 2');
    assert.equal(await box(page).inputValue(), 'zebra');
  });
});

function more() {
  return [...longChat(20).map((entry) => ({ ...entry, id: `after-${entry.id}` })), text('last', 'The last zebra.')];
}
