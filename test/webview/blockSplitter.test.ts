import assert from 'node:assert/strict';
import { Marked } from 'marked';
import { type Block, BlockSplitter } from '../../webview/markdown/blockSplitter';
import { escapeHtml } from '../../webview/markdown/escapeHtml';
import { markdownSamples } from './markdownSamples';

const marked = new Marked();

function split(source: string, step: number): Block[] {
  const splitter = new BlockSplitter();
  for (let at = 0; at < source.length; at += step) splitter.feed(source.slice(at, at + step));
  splitter.end();
  return splitter.takeClosed();
}

function render(block: Block): string {
  if (block.kind !== 'fence') return marked.parse(block.source, { async: false });
  const language = /^\S+/.exec(block.info)?.[0];
  const attribute = language === undefined ? '' : ` class="language-${language}"`;
  return `<pre><code${attribute}>${escapeHtml(block.source)}\n</code></pre>`;
}

function sameSpace(html: string): string {
  return html
    .replace(/\s*\n\s*/g, '\n')
    .replace(/>\s+</g, '><')
    .replace(/\n(?=<)/g, '')
    .trim();
}

describe('BlockSplitter', () => {
  for (const source of markdownSamples) {
    it(`cuts ${JSON.stringify(source.slice(0, 60))} as marked reads it whole`, () => {
      const whole = sameSpace(marked.parse(source, { async: false }));
      for (const step of [1, 7, source.length]) {
        const blocks = split(source, step);
        assert.equal(sameSpace(blocks.map(render).join('\n')), whole, `in steps of ${step}`);
      }
    });
  }

  it('reads random sequences of samples as marked reads them whole', () => {
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const samples = markdownSamples.filter((one) => !/unclosed|^<|\[x\]:|<!--/.test(one));
    for (let round = 0; round < 1_000; round++) {
      const source = [0, 1, 2].map(() => samples[next(samples.length)] ?? '').join('\n\n# between\n\n');
      const html = split(source, 1 + next(40))
        .map(render)
        .join('\n');
      assert.equal(sameSpace(html), sameSpace(marked.parse(source, { async: false })), JSON.stringify(source));
    }
  });

  it('gives a block out once and never changes it', () => {
    const splitter = new BlockSplitter();
    splitter.feed('One.\n\nTwo');
    assert.deepEqual(
      splitter.takeClosed().map(({ source }) => source),
      ['One.'],
    );
    const shown = () => splitter.open?.source;
    assert.equal(shown(), 'Two');
    splitter.feed(' goes on.');
    assert.deepEqual(splitter.takeClosed(), []);
    assert.equal(shown(), 'Two goes on.');
  });

  it('cuts a long list before an item and keeps its numbers', () => {
    const source = Array.from({ length: 200 }, (_, at) => `${at + 1}. item number ${at + 1}`).join('\n');
    const blocks = split(source, 50);
    assert.ok(blocks.length > 1);
    assert.ok(blocks.every(({ kind, source: piece }) => kind === 'list' && piece.length < 2_200));
    assert.ok(blocks.slice(1).every(({ continues }) => continues));
    assert.equal(blocks.map((block) => block.source).join('\n'), source);
  });

  it('cuts a long table and repeats its head', () => {
    const rows = Array.from({ length: 200 }, (_, at) => `| ${at} | row number ${at} |`);
    const blocks = split(['| a | b |', '|---|---|', ...rows].join('\n'), 50);
    assert.ok(blocks.length > 1);
    assert.ok(blocks.every(({ source }) => source.startsWith('| a | b |\n|---|---|')));
    assert.deepEqual(
      blocks.flatMap(({ source }) => source.split('\n').slice(2)),
      rows,
    );
  });

  it('takes time linear in the length of the text', () => {
    const text = markdownSamples.join('\n\n');
    const time = (times: number) => {
      const start = performance.now();
      split(text.repeat(times), 20);
      return performance.now() - start;
    };
    const best = (times: number) => Math.min(...[1, 2, 3].map(() => time(times)));
    best(100);
    // Quadratic would be 64 times, and no load of the machine is that uneven three times over.
    const [part, whole] = [best(50), best(400)];
    assert.ok(whole < 24 * part, `eight times the text took ${(whole / part).toFixed(1)} times as long`);
  });
});
