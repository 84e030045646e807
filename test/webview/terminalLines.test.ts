import assert from 'node:assert/strict';
import { terminalLines } from '../../webview/transcript/tools/terminalLines';

const plain = (raw: string) =>
  terminalLines(raw)
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');

describe('terminalLines', () => {
  it('separates colors and weights from text', () => {
    assert.deepEqual(terminalLines('\u001b[32m✔\u001b[0m ok \u001b[1;91mno\u001b[39m!'), [
      [
        { text: '✔', look: 'ansi-green' },
        { text: ' ok ', look: '' },
        { text: 'no', look: 'ansi-bright-red ansi-bold' },
        { text: '!', look: 'ansi-bold' },
      ],
    ]);
  });

  it('keeps a color across lines', () => {
    assert.deepEqual(terminalLines('\u001b[31ma\nb'), [
      [{ text: 'a', look: 'ansi-red' }],
      [{ text: 'b', look: 'ansi-red' }],
    ]);
  });

  it('removes codes that move the cursor, set the title or use non-theme colors', () => {
    assert.equal(plain('\u001b[2K\u001b[1Ga\u001b]0;title\u0007b\u001b[38;5;200mc\u001b[48;2;1;2;3md\u001b(B'), 'abcd');
    assert.deepEqual(terminalLines('\u001b[38;2;9;9;9mx'), [[{ text: 'x', look: '' }]]);
  });

  it('shows only the last state of an overwritten line', () => {
    assert.equal(plain('10 %\r50 %\r\u001b[32m100 %\r\ndone\r\n'), '100 %\ndone\n');
  });

  it('removes a code that is cut off at the end, and at the start of a tail', () => {
    assert.equal(plain('a\u001b[3'), 'a');
    assert.equal(plain('a\u001b'), 'a');
    assert.equal(plain(`2mgreen${'x'.repeat(8_000)}`).slice(0, 6), 'greenx');
    assert.equal(plain('2m is no code in a whole text'), '2m is no code in a whole text');
  });
});
