import assert from 'node:assert/strict';
import { ripgrepPattern } from '../../src/node/ripgrep';

describe('ripgrepPattern', () => {
  const cases: [string, string | null][] = [
    ['foo+bar', 'foo+bar'],
    ['.', '(?:.|(?-u:[\\x80-\\xff]{1,3}))'],
    ['[^x]', '(?:[^x]|(?-u:[\\x80-\\xff]{1,3}))'],
    ['\\d\\w', '[0-9][0-9A-Za-z_]'],
    ['[\\d\\]-]', '[0-9\\]-]'],
    ['\\bx', '(?-u:\\b)x'],
    ['a{2,3}b{', 'a{2,3}b\\{'],
    ['x\\/y\\-z\\<', 'x/y-z<'],
    ['(?:a|b)', '(?:a|b)'],
    ['(?=a)', null],
    ['(?<name>a)', null],
    ['(a)\\1', null],
    ['\\u0041', null],
    ['\\x41', null],
    ['[[:alpha:]]', null],
    ['[a&&b]', null],
    ['[\\b]', null],
    ['[]a', null],
    ['[^]', null],
    ['\u{1F600}', null],
    ['a\\nb', null],
  ];
  for (const [source, expected] of cases) {
    it(`converts ${source} to ${expected ?? 'nothing'}`, () => assert.equal(ripgrepPattern(source), expected));
  }
});
