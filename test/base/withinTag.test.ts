import assert from 'node:assert/strict';
import { withinTag } from '../../src/base/withinTag';

describe('Text between tags', () => {
  const closing = [
    ...['</page>', '<page>', '< / page>', '<//page x="y">', '</PAGE\n>', '<\t/page>', '<\u00a0/page>'],
    ...[
      '<\u200b/page>',
      '</\u200dpage>',
      '</p\u2060age>',
      '</pag\ufe0fe>',
      '<\u0000/page>',
      '<\u202e/page>',
      '<\u3164/page>',
    ],
    ...['\uff1c/page>', '\ufe64/page>', '<\uff0fpage>', '<\u2215page>', '<\u2044page>'],
  ];
  for (const one of closing)
    it(`cannot close or open them: ${JSON.stringify(one)}`, () => {
      assert.equal(withinTag('page', `a ${one} b`), `a &lt;${one.slice(1)} b`);
    });

  it('is otherwise unchanged', () => {
    for (const text of [
      'a < b',
      '<pages>',
      '</pagé>',
      '<p>age',
      'page>',
      '<page_1>',
      '<\n\npag',
      '&lt;page>',
      '<<< page',
    ])
      assert.equal(withinTag('page', text), text === '<<< page' ? '<<&lt; page' : text);
  });

  it('is searched in linear time', () => {
    const blanks = ' '.repeat(500_000);
    assert.equal(withinTag('page', `<${blanks}</page>`), `<${blanks}&lt;/page>`);
    assert.equal(withinTag('page', '<'.repeat(500_000)).length, 500_000);
  });
});
