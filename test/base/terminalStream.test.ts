import assert from 'node:assert/strict';
import { TerminalStream } from '../../src/base/shown/terminalStream';

const shown = (...pieces: string[]) => {
  const stream = new TerminalStream();
  return pieces.map((piece) => stream.push(piece)).join('');
};

describe('Program output in a shared terminal', () => {
  it('keeps colors, tabs and rewritten lines, with terminal line endings', () => {
    assert.equal(shown('\u001b[1;32mok\u001b[0m\ta\r\nb\n'), '\u001b[1;32mok\u001b[0m\ta\r\nb\r\n');
    assert.equal(shown('10 %\r\u001b[2K20 %\n'), '10 %\r\u001b[2K20 %\r\n');
    assert.equal(
      shown('\u001b[38;5;8mgrey\u001b[48;2;8;5;6mon\u001b[m'),
      '\u001b[38;5;8mgrey\u001b[48;2;8;5;6mon\u001b[m',
    );
  });

  const hostile: [string, string, string][] = [
    ['cursor moves to earlier lines', '\u001b[5A\u001b[2Jgone', 'gone'],
    ['window titles', '\u001b]0;rm -rf /\u0007a', 'a'],
    ['clipboard access', '\u001b]52;c;cm0gLXJmIC8=\u001b\\a', 'a'],
    ['links', '\u001b]8;;https://evil.test\u0007here\u001b]8;;\u0007', 'here'],
    ['shell integration marks', '\u001b]633;E;rm -rf /;nonce\u0007a', 'a'],
    ['queries that the terminal answers', '\u001b[6n\u001b[c\u001bP$q"p\u001b\\a', 'a'],
    ['switches to the alternate screen', '\u001b[?1049ha\u001b[?1049l', 'a'],
    ['hidden text', '\u001b[8msecret\u001b[28m', 'secret\u001b[28m'],
    ['bells or backspaces', 'a\u0007\u0008\u0008b', 'ab'],
  ];
  for (const [what, written, wanted] of hostile) {
    it(`contains no ${what}, wherever it is split`, () => {
      assert.equal(shown(written), wanted);
      assert.equal(shown(...Array.from(written, (one) => one)), wanted);
      for (let at = 1; at < written.length; at++) assert.equal(shown(written.slice(0, at), written.slice(at)), wanted);
    });
  }

  it('marks invisible characters', () => {
    assert.equal(shown('a\u202eb\u009bc'), 'a⟨U+202E⟩b⟨U+009B⟩c');
  });

  it('does not wait forever for an unterminated sequence', () => {
    const text = `\u001b]0;${'x'.repeat(400)}`;
    assert.match(shown(text), /x/);
  });
});
