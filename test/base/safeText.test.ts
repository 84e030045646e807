import assert from 'node:assert/strict';
import { diffRows } from '../../src/base/shown/diffRows';
import { SafeStream } from '../../src/base/shown/safeStream';
import { safeLine, safeText } from '../../src/base/shown/safeText';
import { shownLines } from '../../src/base/shown/shownLines';
import { TRICKY_TEXTS } from '../support/trickyTexts';

/** Matches characters that control a terminal, or that reorder or hide text. */
const NEVER = /[^\P{Cc}\t\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

const ORDINARY = [
  'Plain words, a\ttab\nand a line.',
  'Größe, naïve, Ærø, Łódź, İstanbul',
  'Русский текст, ελληνικά, 中文：全角标点／斜线，日本語「かぎ」　空白',
  'עברית بالعربية हिन्दी বাংলা',
  'می‌خواهم نمی‌دانم क्‍ष',
  '👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ☀︎ 1️⃣ #️⃣ 👍🏽 🤷🏽‍♀️ 🇩🇪',
  '1 000 €, « oui », “quotes” – a dash — and another…',
  'x = ½ ± ∑ √ π → ⇒ ■ ✓ │ └── ⟨a⟩',
];

describe('Untrusted text', () => {
  it('is tested with at least 300 deceptive texts', () => {
    assert.ok(TRICKY_TEXTS.length >= 300, String(TRICKY_TEXTS.length));
  });

  it('is shown with marks for invisible characters, collapsed gaps and a warning', () => {
    for (const { name, text, hidden } of TRICKY_TEXTS) {
      const { lines, warning } = shownLines(text, 'exact');
      const seen = lines.map((line) => line.text).join('\n');
      for (const one of hidden.filter((it) => !/^[ \n\p{L}\p{P}\p{S}]+$/u.test(it)))
        assert.ok(!seen.includes(one), `${name}: ${JSON.stringify(seen)}`);
      for (const one of hidden.filter((it) => !/^[ \n]+$/.test(it))) {
        const mark = `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
        assert.ok(seen.includes(mark), `${name}: ${mark} in ${JSON.stringify(seen)}`);
        assert.match(warning ?? '', /^Caution: this contains .+, marked ⟨U\+…⟩\.$/, name);
      }
      assert.ok(!/ {61}|\n\s*\n\s*\n\s*\n\s*\n/.test(seen), name);
      assert.ok(seen.endsWith('END'), name);
    }
  });

  it('shows how many blank lines and spaces a gap had', () => {
    assert.deepEqual(
      shownLines(`ls${'\n'.repeat(301)}rm${' '.repeat(90)}x`, 'exact').lines.map(({ text }) => text),
      ['ls', '+300 lines, all blank', 'rm⟨+90 blanks⟩x'],
    );
  });

  it('keeps ordinary text in many languages unchanged', () => {
    for (const text of ORDINARY) assert.equal(safeText(text), text);
  });

  it('shows each character alone as it does next to an invisible one', () => {
    const beside = 'x⟨U+202E⟩';
    for (let code = 0; code < 0x3000; code++) {
      const one = String.fromCodePoint(code);
      assert.equal(safeText(one) + beside, safeText(`${one}x\u202e`), `U+${code.toString(16)}`);
    }
  });

  it('shows no warning for ordinary commands, paths and code', () => {
    for (const text of [
      'npm test -- --grep "a b"\n\ncat <<E\n\tx\nE',
      'git commit -m "Größe – naïve “quotes” 👍🏽 ❤️"',
      'ls "Документы/отчёт.txt" 文件/说明.md ~/Übung',
    ])
      assert.deepEqual(shownLines(text, 'exact').warning, null, text);
    assert.equal(safeText('价格：５０％　（不含税）'.replace('５０', '50'), 'code'), '价格：50％　（不含税）');
  });

  it('marks every lookalike character in exact text, including whole words of them', () => {
    const twins = '−‒﹘ꓸ٠۰؍‚﹕⁁❘∗٭˜∼᐀‹›❮﹤﹥ꝸ﹠﹩﹟٪﹪﹫﹢❨〔❴﹛﹜ߺ﹍ˋ‵˄ʹʺʼ׳״′″ꞌ〃';
    for (const twin of twins) {
      const mark = `U+${(twin.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      const { lines, warning } = shownLines(`rm a${twin}b END`, 'exact');
      assert.ok(lines[0]?.text.includes(mark), `${mark}: ${lines[0]?.text}`);
      assert.match(warning ?? '', /^Caution/);
      assert.equal(safeText(`a${twin}b`), `a${twin}b`, 'in prose');
    }
    assert.match(safeText('сору a b', 'exact'), /^⟨с U\+0441⟩⟨о U\+043E⟩⟨р U\+0440⟩⟨у U\+0443⟩ a b$/);
    assert.match(safeText('арр/x.ts', 'exact'), /U\+0430/);
    assert.match(safeText('src/ΑΒ.ts', 'exact'), /U\+0391/);
    for (const text of ['отчёт.txt', 'в и с', 'Документы', 'λόγος']) assert.equal(safeText(text, 'exact'), text);
  });

  it('stays on one line in a title, with its end visible', () => {
    for (const { name, text } of TRICKY_TEXTS) {
      const line = safeLine(text, 120);
      assert.ok(!/\n|\r/.test(line) && !NEVER.test(line) && line.length <= 120, `${name}: ${JSON.stringify(line)}`);
      assert.ok(line.endsWith('END'), name);
    }
  });

  it('passes through in chunks unchanged, with no control sequence at any split', () => {
    for (const text of [...ORDINARY, ...TRICKY_TEXTS.map((one) => one.text).filter((one) => one.length < 400)]) {
      for (const size of [1, 2, 3, 7]) {
        const stream = new SafeStream();
        let shown = '';
        for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
        shown += stream.end();
        assert.ok(!NEVER.test(shown), JSON.stringify(shown));
        if (ORDINARY.includes(text)) assert.equal(shown, text);
      }
    }
  });

  it('is not held back while it streams', () => {
    const stream = new SafeStream();
    assert.equal(stream.push('Hello'), 'Hello');
    assert.equal(stream.push(' \x1b'), ' ⟨U+001B⟩');
    assert.equal(stream.push('[2K'), '[2K');
    assert.equal(stream.push('end\r'), 'end');
    assert.equal(stream.push('\nnext'), '\nnext');
  });
});

describe('A diff', () => {
  const rowsOf = (lines: string[]) => diffRows([{ oldStart: 1, newStart: 1, lines }]);

  it('marks invisible characters and shows a warning', () => {
    for (const { name, text, hidden } of TRICKY_TEXTS) {
      if (text.includes('\n') || text.includes('\u3000') || /[\uff0e\u{fff0}-\u{ffff}]/u.test(text)) continue;
      const { rows, warning } = rowsOf([' before', `+${text}`]);
      const row = rows[1];
      assert.ok(row?.kind === 'line' && row.text.endsWith('END'), name);
      assert.equal(
        warning !== null,
        hidden.some((one) => one !== ' '.repeat(one.length)),
        name,
      );
    }
  });

  it('collapses long runs of blank lines and keeps later line numbers', () => {
    const { rows } = rowsOf([' a', ...Array<string>(300).fill('+'), '+evil()']);
    assert.deepEqual(rows, [
      { kind: 'line', sign: ' ', number: 1, text: 'a', part: null },
      { kind: 'blanks', sign: '+', number: 2, count: 300, part: 0 },
      { kind: 'line', sign: '+', number: 302, text: 'evil()', part: 0 },
    ]);
  });

  it('warns of carriage returns only when some lines lack them', () => {
    assert.equal(rowsOf([' a\r', '-b\r', '+c\r', '\\ No newline at end of file']).warning, null);
    const { rows, warning } = rowsOf([' a', '-b', '+b\r', '+c']);
    assert.match(warning ?? '', /control characters/);
    assert.ok(rows.some((row) => row.kind === 'line' && row.text === 'b⟨U+000D⟩'));
  });
});
