import assert from 'node:assert/strict';
import { mappedStream } from '../../../src/base/streams/mappedStream';

interface Word {
  text: string;
}

/** A stream that splits each item into its letters, with a record of how often the source was opened and whether it ended. */
function lettersOf(items: readonly string[], fail?: Error) {
  const seen = { opened: 0, ended: false };
  const source = async function* () {
    seen.opened++;
    try {
      for (const item of items) yield await Promise.resolve(item);
      if (fail) throw fail;
    } finally {
      seen.ended = true;
    }
  };
  const each = (item: string): Word[] => {
    if (item === '!') throw new Error('Not a word.');
    return Array.from(item, (text) => ({ text }));
  };
  return { stream: mappedStream(source, each, () => [{ text: '.' }]), seen };
}

async function read(stream: AsyncIterable<Word>, most = Infinity): Promise<string> {
  let text = '';
  for await (const word of stream) {
    text += word.text;
    if (text.length >= most) break;
  }
  return text;
}

describe('A mapped stream', () => {
  it('yields the results for each item in order, then what remains at the end', async () => {
    assert.equal(await read(lettersOf(['ab', '', '', 'c', '']).stream), 'abc.');
    assert.equal(await read(lettersOf([]).stream), '.');
  });

  it('skips any number of items that yield nothing', async () => {
    const many = Array.from({ length: 100_000 }, () => '');
    assert.equal(await read(lettersOf([...many, 'a']).stream), 'a.');
  });

  it('opens its source once, on the first read', async () => {
    const { stream, seen } = lettersOf(['ab', 'c']);
    assert.equal(seen.opened, 0);
    await read(stream);
    assert.equal(seen.opened, 1);
  });

  it('ends its source when it is left early, even in the middle of an item', async () => {
    const { stream, seen } = lettersOf(['abc', 'd']);
    assert.equal(await read(stream, 2), 'ab');
    assert.equal(seen.ended, true);
  });

  it('rejects with an error of the source or mapper, after the items before it', async () => {
    const broken = lettersOf(['a'], new Error('Cut off.'));
    await assert.rejects(read(broken.stream), /Cut off/);
    const odd = lettersOf(['a', '!', 'b']);
    await assert.rejects(read(odd.stream), /Not a word/);
    assert.equal(odd.seen.ended, true);
    const closed = mappedStream<string, Word>(
      () => {
        throw new Error('Closed.');
      },
      (text) => [{ text }],
    );
    await assert.rejects(read(closed), /Closed/);
  });
});
