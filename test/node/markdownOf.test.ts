import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { isAbort } from '../../src/base/abort';
import { markdownOf, plainPageText } from '../../src/node/web/markdownOf';
import { aMoment } from '../support/aMoment';
import { PAGE_WORKER } from '../support/pageWorker';
import { temporaryFolder } from './temporaryFolder';

const page = (html: string, signal = new AbortController().signal) =>
  markdownOf({ html, url: 'https://example.org/a/', worker: PAGE_WORKER }, signal);

/** Pages designed to exhaust time, memory, or the stack. */
const HOSTILE: Readonly<Record<string, string>> = {
  'elements nested 2,000 deep': `${'<div>'.repeat(2000)}the words${'</div>'.repeat(2000)}`,
  'unclosed elements nested 100,000 deep': `${'<b>'.repeat(100_000)}the words`,
  'lists nested 3,000 deep': `${'<ul><li>'.repeat(3000)}the words`,
  'quotes and tables nested 1,500 deep': `${'<blockquote><table><tr><td>'.repeat(1500)}the words`,
  '200,000 elements': `<p>the words</p>${'<i>x</i>'.repeat(200_000)}`,
  'a row with 9,000 cells': `<table><tr><td>the words</td>${'<td>a</td>'.repeat(9000)}</tr></table>`,
  'unterminated tags': `<p>the words</p>${'<a href="'.repeat(50_000)}`,
  'an unterminated comment': `<p>the words</p><!-- ${'<!-- '.repeat(50_000)}`,
};

describe('A hostile page', function () {
  this.timeout(60_000);

  for (const [what, html] of Object.entries(HOSTILE)) {
    it(`returns its text without blocking the event loop: ${what}`, async () => {
      let turns = 0;
      const state = { isDone: false };
      const done = page(html).finally(() => (state.isDone = true));
      while (!state.isDone) {
        // Without pauses, it would take a core from the thread that lays out the page.
        await (turns < 5 ? nextTurn() : aMoment());
        turns += 1;
      }
      assert.match((await done).markdown, /the words/);
      // Laying out the page on the main thread would leave only one turn.
      if (!(await done).isPlain) assert.ok(turns > 2, `${turns} turns`);
    });
  }

  it('is returned as plain text after a timeout if it never finishes, and its thread is stopped', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({ 'endless.js': 'for (;;);' });
      const before = threads();
      const parts = { html: '<h1>Head</h1><p>the <b>words</b></p>', url: 'https://example.org/' };
      const worker = join(folder.path, 'endless.js');
      const { markdown, isPlain } = await markdownOf({ ...parts, worker }, new AbortController().signal, 300);
      assert.deepEqual([markdown, isPlain], ['Head\n\nthe words', true]);
      assert.ok(threads() <= before);
    } finally {
      await folder.remove();
    }
  });

  it('is abandoned when the request is aborted', async () => {
    const gone = new AbortController();
    const done = page(HOSTILE['a row with 9,000 cells'] ?? '', gone.signal);
    gone.abort();
    await assert.rejects(done, isAbort);
    await assert.rejects(page('<p>x</p>', gone.signal), isAbort);
  });
});

/** The number of worker threads of this process. */
function threads(): number {
  return z.object({ workers: z.array(z.unknown()) }).parse(process.report.getReport()).workers.length;
}

describe('The plain text of a page', () => {
  it('contains its text by line, its title and its characters, without scripts and comments', () => {
    const html = `<html><head><title>A &amp; B</title><style>p{}</style></head><body><h1>Head</h1>
      <p>One <b>bold</b> &lt;word&gt; &#228;&#x20ac;&nbsp;&unknown;</p><!-- no --><script>if (a<b) alert()</script><p>a < b</p></body>`;
    const { title, markdown } = plainPageText(html);
    assert.equal(title, 'A & B');
    assert.equal(markdown, 'Head\n\nOne bold <word> ä€ &unknown;\n\na < b');
  });

  it('can be taken from malformed pages', () => {
    for (const odd of ['', '<', '</', '<!', '<a', '<script>', '<title', '&#xd800;', '&#9999999;', '<p', '\0'])
      assert.equal(typeof plainPageText(odd).markdown, 'string', odd);
    assert.equal(plainPageText('a < b').markdown, 'a < b');
  });
});
