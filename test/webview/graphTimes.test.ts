import assert from 'node:assert/strict';
import type { VisitView } from '../../src/protocol/graphPage';
import { timeParts, timeSums } from '../../webview/graphs/timeParts';
import { latestVisits, visitFacts } from '../../webview/graphs/visitWords';

function visit(parts: Partial<VisitView>): VisitView {
  const base = {
    node: 'a',
    step: 0,
    state: 'done',
    waitedFrom: 0,
    beganAt: 0,
    endedAt: 0,
    asks: [],
    tries: 1,
  } as const;
  return {
    ...base,
    items: 0,
    itemsAround: 0,
    branches: [],
    tokens: 0,
    costUsd: 0,
    targets: [],
    message: null,
    sessionId: null,
    ...parts,
  };
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

describe('The time of a run', () => {
  const time = { start: 1000, end: 2000 };

  it('is divided into waiting, running and asking', () => {
    const one = visit({ waitedFrom: 1100, beganAt: 1200, endedAt: 1800, asks: [{ from: 1300, to: 1500 }] });
    assert.deepEqual(
      timeParts(one, time).map(({ kind, from, length }) => [kind, rounded(from), rounded(length)]),
      [
        ['waited', 0.1, 0.1],
        ['ran', 0.2, 0.1],
        ['asked', 0.3, 0.2],
        ['ran', 0.5, 0.3],
      ],
    );
    assert.deepEqual(timeSums([one], time.end), { waited: 100, ran: 400, asked: 200 });
  });

  it('lasts until now for what has no end, and is zero for what was interrupted', () => {
    const asking = visit({
      state: 'asking',
      waitedFrom: 1500,
      beganAt: 1500,
      endedAt: null,
      asks: [{ from: 1600, to: null }],
    });
    assert.deepEqual(timeSums([asking], 2000), { waited: 0, ran: 100, asked: 400 });
    const cut = visit({
      state: 'stopped',
      waitedFrom: 1500,
      beganAt: 1500,
      endedAt: null,
      asks: [{ from: 1600, to: null }],
    });
    assert.deepEqual(timeSums([cut], 2000), { waited: 0, ran: 0, asked: 0 });
    assert.deepEqual(timeParts(cut, time), []);
  });

  it('stays within the run if clocks were wrong', () => {
    const odd = visit({ waitedFrom: -5, beganAt: 3000, endedAt: 10, asks: [{ from: 9000, to: 1 }] });
    assert.deepEqual(
      timeParts(odd, time).map(({ kind, from, length }) => [kind, from, length]),
      [['waited', 0, 1]],
    );
    assert.equal(timeSums([odd], 2000).ran, 0);
  });
});

describe('The summary of a finished node', () => {
  it('shows its time, items and usage; for a running one, up to now', () => {
    assert.deepEqual(visitFacts(visit({ beganAt: 0, endedAt: 2000, tokens: 840, costUsd: 0.02, tries: 2 }), 9e9), [
      '2 s',
      '840 tokens',
      '$0.02',
      'try 2',
    ]);
    assert.deepEqual(visitFacts(visit({ state: 'running', endedAt: null, items: 3, itemsAround: 1 }), 5000), [
      '3 items done',
      '1 by fallback',
      '5 s',
    ]);
    assert.deepEqual(visitFacts(visit({ state: 'stopped', endedAt: null }), 5000), []);
    assert.deepEqual(visitFacts(visit({ endedAt: 1000, items: 1, tokens: 1 }), 9e9), ['1 item done', '1 s', '1 token']);
  });

  it('counts how often it ran, not how often it was restarted', () => {
    const all = [visit({ step: 0 }), visit({ step: 2, state: 'stopped' }), visit({ step: 2, beganAt: 7 })];
    assert.deepEqual(latestVisits(all).get('a'), { last: all[2], count: 2 });
  });
});
