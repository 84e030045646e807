import assert from 'node:assert/strict';
import { plainOutput } from '../../../../src/engine/tools/shell/commandOutput';

describe('plainOutput', () => {
  const cases: [string, string, string][] = [
    ['colors', '\x1b[1;31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m', 'red and blue'],
    ['cursor movement', 'a\x1b[2K\x1b[1Gb\x1b[?25l', 'ab'],
    ['window titles and links', '\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'xlink'],
    ['character sets and lone escapes', '\x1b(Bx\x1b=y\x1b', 'xy'],
    ['Windows line endings', 'a\r\nb\r\n', 'a\nb\n'],
    ['overwritten lines', ' 10%\r 50%\r100%\ndone\r\n', '100%\ndone\n'],
    ['other control characters', 'a\x00b\x08c\x7f\td', 'abc\td'],
    ['text that only resembles an escape sequence', '[31m ü → [K', '[31m ü → [K'],
  ];
  for (const [what, raw, plain] of cases) it(`handles ${what}`, () => assert.equal(plainOutput(raw), plain));

  it('terminates on long lines', () => {
    assert.equal(plainOutput('x'.repeat(5_000_000)).length, 5_000_000);
    assert.equal(plainOutput('ab\r'.repeat(1_000_000)).length, 2);
    plainOutput('\x1b]'.repeat(500_000));
  });
});
