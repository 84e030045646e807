import assert from 'node:assert/strict';
import { parsePanelEnvelope, parseRequestEnvelope } from '../../src/protocol/envelope';
import { seededRandom } from '../support/seededRandom';
import { fuzzSize } from '../support/fuzzSize';

const request = { kind: 'request', id: 1, method: 'run/start', params: { sessionId: 's', text: 'x' } };
const events = { kind: 'events', sessionId: 's', firstSeq: 1, events: [{ type: 'title-changed', title: 'T' }] };
const response = { kind: 'response', id: 1, ok: true, result: null };

describe('The wire message guard', () => {
  it('accepts its own messages', () => {
    assert.deepEqual(parseRequestEnvelope(request), request);
    for (const message of [events, response]) assert.deepEqual(parsePanelEnvelope(message), message);
  });

  it('never throws and rejects everything else, whatever is posted', () => {
    const random = seededRandom(11);
    const values: unknown[] = [
      null,
      undefined,
      0,
      -1,
      1.5,
      NaN,
      '',
      'x',
      true,
      [],
      {},
      [null],
      { type: 'x' },
      () => 0,
      Symbol('s'),
    ];
    const pick = () => values[Math.floor(random() * values.length)];
    const bases: Record<string, unknown>[] = [request, events, response];
    for (let round = 0; round < fuzzSize(20_000); round++) {
      const base = bases[Math.floor(random() * bases.length)] ?? {};
      const keys = Object.keys(base);
      const key = keys[Math.floor(random() * keys.length)] ?? 'kind';
      const changed = random() < 0.5 ? { ...base, [key]: pick() } : pick();
      const asRequest = parseRequestEnvelope(changed);
      if (asRequest) assert.ok(Number.isInteger(asRequest.id));
      const asPanel = parsePanelEnvelope(changed);
      if (asPanel?.kind === 'events') assert.ok(Array.isArray(asPanel.events) && Number.isInteger(asPanel.firstSeq));
    }
  });
});
