import assert from 'node:assert/strict';
import { readDotEnv } from '../../src/base/dotEnv';
import { firstCodeBlock } from '../../src/base/firstCodeBlock';
import { wellFormedJson } from '../../src/base/wellFormedJson';

describe('A .env file', () => {
  it('is parsed with comments, quotes and export', () => {
    const text = [
      '# all of them',
      'PLAIN = a b # c',
      'export TOKEN="line\\nnext # no comment"',
      "SINGLE='as $it \\n is'",
      'HASH=a#b',
      'EMPTY=',
      'no line',
      '1BAD=x',
    ].join('\r\n');
    assert.deepEqual(Object.fromEntries(readDotEnv(text)), {
      PLAIN: 'a b',
      TOKEN: 'line\nnext # no comment',
      SINGLE: 'as $it \\n is',
      HASH: 'a#b',
      EMPTY: '',
    });
  });
});

describe('The first code block', () => {
  for (const [what, markdown, code] of [
    ['is found among text and other blocks', 'So:\n```sh\nls\n```\nor\n```\ndir\n```', 'ls'],
    ['may contain shorter fences', '````md\n```js\na\n```\n````', '```js\na\n```'],
    ['is the whole text if there is no block', ' ls -la \n', 'ls -la'],
    ['may have no language and Windows line endings', '```\r\na\r\nb\r\n```\r\n', 'a\nb'],
  ] as const) {
    it(what, () => assert.equal(firstCodeBlock(markdown), code));
  }
});

describe('Halves of a character in JSON', () => {
  for (const [what, json, mended] of [
    ['are kept as a pair', '{"a":"\\ud83d\\ude00"}', '{"a":"\\ud83d\\ude00"}'],
    ['are replaced if the second is missing', '{"a":"\\ud83d!"}', '{"a":"\\ufffd!"}'],
    ['are replaced if the first is missing', '{"a":"\\uDE00!"}', '{"a":"\\ufffd!"}'],
    ['are replaced one by one if two firsts follow each other', '"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['are text behind an escaped backslash', '"\\\\ud83d \\ud83d"', '"\\\\ud83d \\ufffd"'],
  ] as const) {
    it(what, () => assert.equal(wellFormedJson(json), mended));
  }
});
