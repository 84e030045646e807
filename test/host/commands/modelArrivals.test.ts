import assert from 'node:assert/strict';
import { ModelArrivals } from '../../../src/host/commands/modelRows';

describe('The models of an open list', () => {
  const listing = (id: string, ready = true) => ({ model: { id }, ready });
  const ids = (rows: readonly { model: { id: string } }[]) => rows.map(({ model }) => model.id);

  it('are in the preferred order until they are shown', () => {
    const arrivals = new ModelArrivals();
    arrivals.add([listing('needs a key')], false);
    arrivals.add([listing('ready'), listing('needs a key')], false);
    assert.deepEqual(ids(arrivals.rows().early), ['ready', 'needs a key']);
    assert.deepEqual(arrivals.rows().late, []);
  });

  it('never move once shown: later ones are added at the end', () => {
    const arrivals = new ModelArrivals<ReturnType<typeof listing>>();
    arrivals.add([listing('b', false), listing('tour')], false);
    arrivals.add([listing('a'), listing('b'), listing('tour')], true);
    arrivals.add([listing('a'), listing('b'), listing('c'), listing('tour')], true);
    const { early, late } = arrivals.rows();
    assert.deepEqual(ids(early), ['b', 'tour']);
    assert.deepEqual(ids(late), ['a', 'c']);
    assert.equal(early[0]?.ready, true, 'what is said of one is brought up to date in its place');
  });
});
