import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { chat, run, text } from './support/chats';
import { ELEMENTS, partsSeen } from './support/listProbes';
import { longAnswer } from './support/longAnswer';
import { panelSuite } from './support/panelSuite';

const SIZE = 200_000;
const MOST_ELEMENTS = 6_000;
const CHUNK = 5_000;
/** Colors account for most of the nodes and are added when the page is idle. */
const ALL_COLOURED = "document.querySelector('.code-block code:not(:has(.hljs-keyword))') === null";
const EMPTY_PAGES =
  "[...document.querySelectorAll('.stream-page')].filter((one) => one.childElementCount === 0).length";

const line = (at: number) => `const value${at} = parse('${at}/02', { strict: true, at: ${at} }); // why`;
const code = (first: number) => Array.from({ length: 110 }, (_, at) => line(first + at)).join('\n');

const ANSWERS: Readonly<Record<string, string>> = {
  'with all kinds of blocks': longAnswer(SIZE),
  'with long code blocks': Array.from({ length: 28 }, (_, at) => `\`\`\`ts\n${code(at * 110)}\n\`\`\`\n`).join('\n'),
  'that is one list': Array.from({ length: 4_400 }, (_, at) => `- item ${at} with \`code\` and **weight**\n`).join(''),
  'that is one table': `| a | b | c |\n| - | - | - |\n${Array.from({ length: 4_600 }, (_, at) => `| row ${at} | \`code\` | **weight** to read |\n`).join('')}`,
};

describe('A long answer', () => {
  const open = panelSuite();

  async function stream(answer: string): Promise<Page> {
    const { page, host } = await open({ state: chat({ entries: [text('t', '', true)], run: run('answering') }) });
    for (let at = 0; at < answer.length; at += CHUNK) {
      host.emit({ type: 'text-appended', entryId: 't', text: answer.slice(at, at + CHUNK) });
    }
    host.emit({ type: 'text-appended', entryId: 't', text: '\n\nThe end.' });
    host.emit({ type: 'text-finished', entryId: 't', durationMs: null });
    await page.getByText('The end.').waitFor();
    return page;
  }

  for (const [kind, answer] of Object.entries(ANSWERS)) {
    it(`${kind} keeps few nodes in the document, even after scrolling`, async function () {
      this.timeout(60_000);
      const page = await stream(answer);
      const isSmall = async () =>
        (await page.evaluate<boolean>(ALL_COLOURED)) && (await page.evaluate<number>(ELEMENTS)) <= MOST_ELEMENTS;
      await until('far pages to be emptied', isSmall);
      await page.evaluate("document.querySelector('.transcript').scrollTop /= 2");
      await until('what is in view to be drawn', () =>
        page.evaluate<boolean>("document.elementFromPoint(150, 300).closest('.stream-page > *') !== null"),
      );
      await until('far pages to be emptied again', isSmall);
    });
  }

  it('shows all of its text when scrolled through, and keeps its height', async function () {
    this.timeout(60_000);
    const answer = longAnswer(60_000);
    const page = await stream(answer);
    const written = [...answer.matchAll(/^## (Part \d+)$/gm)].map(([, part]) => part);
    const { seen, heights } = await page.evaluate<{ seen: string[]; heights: number }>(partsSeen(-500));
    assert.deepEqual(seen.toReversed(), written);
    assert.ok(heights <= 2, `It grew or shrank by ${heights} px.`);
  });

  it('is copied in full, and nodes kept only for the selection are released with it', async function () {
    this.timeout(60_000);
    const answer = longAnswer(60_000);
    const page = await stream(answer);
    await until('far pages to be emptied', async () => (await page.evaluate<number>(EMPTY_PAGES)) > 0);
    const before = await page.evaluate<number>(EMPTY_PAGES);
    await page.evaluate(
      "getSelection().selectAllChildren(document.querySelector('article[data-entry-id=t] .markdown'))",
    );
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const parts = (words: string) => [...words.matchAll(/Part (\d+)$/gm)].map(([, at]) => Number(at));
    assert.deepEqual(parts(copied), parts(answer));
    assert.equal(await page.evaluate<number>(EMPTY_PAGES), 0);
    await page.evaluate('getSelection().removeAllRanges()');
    await until('the rest to go', async () => (await page.evaluate<number>(EMPTY_PAGES)) >= before);
  });

  it('keeps the focus in a part that is far away, until it goes elsewhere', async function () {
    this.timeout(60_000);
    const page = await stream(longAnswer(60_000));
    await until('far pages to be emptied', async () => (await page.evaluate<number>(EMPTY_PAGES)) > 0);
    const part = (at: number) => `[...document.querySelectorAll('.stream-page')].at(${at})`;
    const drawn = (at: number) => page.evaluate<number>(`${part(at)}.childElementCount`);
    const scrollTo = (top: string) => page.evaluate(`document.querySelector('.transcript').scrollTop = ${top}`);
    await scrollTo('0');
    await until('the beginning to be drawn', async () => (await drawn(1)) > 0 && (await drawn(-2)) === 0);
    await page.evaluate(`${part(1)}.querySelector('button[data-code]').focus()`);
    const isHere = `document.activeElement.closest('.stream-page') === ${part(1)}`;
    assert.equal(await page.evaluate(isHere), true);
    await scrollTo('1e9');
    await until('the end to be drawn', async () => (await drawn(-2)) > 0);
    assert.equal(await page.evaluate(isHere), true);
  });
});
