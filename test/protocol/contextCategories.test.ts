import assert from 'node:assert/strict';
import { readContextQuery } from '../../src/protocol/contextCategories';

describe('A query after @', () => {
  it('is limited to a category by its name before a colon', () => {
    assert.deepEqual(readContextQuery('file:'), { only: 'file', words: '' });
    assert.deepEqual(readContextQuery('Symbol:parse'), { only: 'symbol', words: 'parse' });
  });

  it('is used unchanged if it names no category', () => {
    for (const query of ['', 'file', 'files:a', 'tides:ti', 'file:///work/a.ts', 'https://a.b'])
      assert.deepEqual(readContextQuery(query), { only: null, words: query });
  });
});
