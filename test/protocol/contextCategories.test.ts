import assert from 'node:assert/strict';
import { readContextQuery } from '../../src/protocol/contextCategories';

describe('what is typed after @', () => {
  it('is narrowed by the name of a category before a colon', () => {
    assert.deepEqual(readContextQuery('file:'), { only: 'file', words: '' });
    assert.deepEqual(readContextQuery('Symbol:parse'), { only: 'symbol', words: 'parse' });
  });

  it('is searched for as it stands where no category is meant', () => {
    for (const query of ['', 'file', 'files:a', 'tides:ti', 'file:///work/a.ts', 'https://a.b'])
      assert.deepEqual(readContextQuery(query), { only: null, words: query });
  });
});
