import assert from 'node:assert/strict';
import { Marked } from 'marked';
import { type Block, BlockSplitter } from '../../webview/markdown/blockSplitter';
import { escapeHtml } from '../../webview/markdown/escapeHtml';
import { markdownSamples } from './markdownSamples';
import { fuzzSize } from '../support/fuzzSize';

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
    it(`splits ${JSON.stringify(source.slice(0, 60))} like marked`, () => {
      const whole = sameSpace(marked.parse(source, { async: false }));
      for (const step of [1, 7, source.length]) {
        const blocks = split(source, step);
        assert.equal(sameSpace(blocks.map(render).join('\n')), whole, `in steps of ${step}`);
      }
    });
  }

  it('splits random sequences of samples like marked', () => {
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const samples = markdownSamples.filter((one) => !/unclosed|^<|\[x\]:|<!--/.test(one));
    for (let round = 0; round < fuzzSize(1_000); round++) {
      const source = [0, 1, 2].map(() => samples[next(samples.length)] ?? '').join('\n\n# between\n\n');
      const html = split(source, 1 + next(40))
        .map(render)
        .join('\n');
      assert.equal(sameSpace(html), sameSpace(marked.parse(source, { async: false })), JSON.stringify(source));
    }
  });

  const cuts: readonly (readonly [string, ...string[]])[] = [
    ['- ```\n  a\n  ```\n  b\nc', 'list'],
    ['- ```\n  a\n  ```\nc', 'list', 'paragraph'],
    ['- ```\n  a\nb', 'list', 'paragraph'],
    ['- a\n  ```\n  b\nc', 'list', 'paragraph'],
    ['- a\n  ```\n  b\n  ```\n  c\nd', 'list'],
    ['-\n\n  foo', 'list', 'paragraph'],
    ['-\n  foo\n\n  bar', 'list'],
    ['> a\n# h', 'quote', 'leaf'],
    ['> a\nb\n# h', 'quote', 'leaf'],
    ['> ```\nb', 'quote', 'paragraph'],
    ['> # h\nb', 'quote', 'paragraph'],
    ['> a\n- b', 'quote', 'list'],
    ['- a\n***\nb', 'list', 'leaf', 'paragraph'],
    ['- a\n-   b\n\n   c', 'list', 'paragraph'],
    ['- a\n-   b\n\n    c', 'list'],
    ['- a\n- ```\n  x\nb', 'list', 'paragraph'],
    ['- ```\n  x\n- a\nb', 'list'],
    ['1. a\n2) b', 'list', 'list'],
    ['- a\n* b', 'list', 'list'],
    ['- a\n\nb', 'list', 'paragraph'],
    ['text\n| a |\n|---|\n| b |\nc', 'paragraph', 'table'],
    ['    a\n\n    b\nc', 'indented', 'paragraph'],
    ['a\n---\nb', 'paragraph', 'paragraph'],
    ['<p>\na\n\nb', 'html', 'paragraph'],
  ];
  for (const [source, ...kinds] of cuts) {
    it(`returns ${kinds.join(', ')} for ${JSON.stringify(source)}, with no block continuing another`, () => {
      for (const step of [1, source.length]) {
        const blocks = split(source, step);
        assert.deepEqual(
          blocks.map(({ kind }) => kind),
          kinds,
        );
        assert.ok(blocks.every(({ continues }) => !continues));
      }
    });
  }

  it('has no open block before there is text, and after it has ended', () => {
    const splitter = new BlockSplitter();
    const opened = () => splitter.open && splitter.open.source;
    assert.equal(opened(), null);
    splitter.feed('a\n\nb');
    assert.equal(opened(), 'b');
    splitter.end();
    assert.equal(opened(), null);
  });

  it('closes the same blocks wherever a text is split, with Windows line endings too', () => {
    for (const sample of [...markdownSamples, ...markdownSamples.map((one) => one.replaceAll('\n', '\r\n'))]) {
      const whole = split(sample, sample.length);
      for (let at = 1; at < sample.length; at++) {
        const splitter = new BlockSplitter();
        splitter.feed(sample.slice(0, at));
        const early = splitter.takeClosed();
        splitter.feed(sample.slice(at));
        splitter.end();
        assert.deepEqual([...early, ...splitter.takeClosed()], whole, `${JSON.stringify(sample)} cut at ${at}`);
      }
    }
  });

  it('returns the same for Windows line endings as without', () => {
    for (const sample of markdownSamples)
      assert.deepEqual(split(sample.replaceAll('\n', '\r\n'), 7), split(sample, 7), JSON.stringify(sample));
  });

  it('shows at every point of the stream what marked returns for the lines so far', () => {
    for (const sample of markdownSamples.filter((one) => !one.includes(']:'))) {
      const splitter = new BlockSplitter();
      const closed: Block[] = [];
      let soFar = '';
      for (const line of `${sample}\n`.split(/(?<=\n)/)) {
        splitter.feed(line);
        soFar += line;
        closed.push(...splitter.takeClosed());
        const blocks = splitter.open ? [...closed, splitter.open] : closed;
        const html = sameSpace(blocks.map(render).join('\n'));
        assert.equal(html, sameSpace(marked.parse(soFar, { async: false })), JSON.stringify(soFar));
      }
    }
  });

  it('shows an open fence as code from its first line, without its indentation', () => {
    const splitter = new BlockSplitter();
    const shown = () => splitter.open && { kind: splitter.open.kind, source: splitter.open.source };
    splitter.feed('  ```ts');
    assert.deepEqual(shown(), { kind: 'fence', source: '' });
    assert.deepEqual([splitter.open?.info, splitter.open?.continues], ['ts', false]);
    splitter.feed('\n  a\n\n    b');
    assert.deepEqual(shown(), { kind: 'fence', source: 'a\n\n  b' });
    splitter.feed('\n``\n~~~\n');
    assert.deepEqual(shown(), { kind: 'fence', source: 'a\n\n  b\n``\n~~~' });
    assert.deepEqual(splitter.takeClosed(), []);
    splitter.feed('```` \nafter');
    assert.deepEqual(
      splitter.takeClosed().map(({ kind, source }) => ({ kind, source })),
      [{ kind: 'fence', source: 'a\n\n  b\n``\n~~~' }],
    );
    assert.deepEqual(shown(), { kind: 'paragraph', source: 'after' });
  });

  it('returns a block once and never changes it', () => {
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

  it('splits a long list before an item and keeps its numbers', () => {
    const source = Array.from({ length: 200 }, (_, at) => `${at + 1}. item number ${at + 1}`).join('\n');
    const blocks = split(source, 50);
    assert.ok(blocks.length > 1);
    assert.ok(blocks.every(({ kind, source: piece }) => kind === 'list' && piece.length < 2_200));
    assert.ok(blocks.slice(1).every(({ continues }) => continues));
    assert.equal(blocks.map((block) => block.source).join('\n'), source);
    const [, ...after] = split(`${source}\n\nWords.\n\n1. another list`, 50).filter(({ continues }) => !continues);
    assert.deepEqual(
      after.map((block) => block.source),
      ['Words.', '1. another list'],
    );
  });

  it('splits a long table and repeats its header', () => {
    const rows = Array.from({ length: 200 }, (_, at) => `| ${at} | row number ${at} |`);
    const blocks = split(['| a | b |', '|---|---|', ...rows].join('\n'), 50);
    assert.ok(blocks.length > 1);
    assert.deepEqual([...new Set(blocks.map(({ kind }) => kind))], ['table']);
    assert.ok(blocks.every(({ source }) => source.startsWith('| a | b |\n|---|---|')));
    assert.deepEqual(
      blocks.flatMap(({ source }) => source.split('\n').slice(2)),
      rows,
    );
  });

  it('terminates on a very long text in small pieces', () => {
    const text = markdownSamples.join('\n\n');
    // Would time out if pieces were looked at more than once or twice.
    assert.ok(split(text.repeat(400), 20).length > 400);
  });
});
