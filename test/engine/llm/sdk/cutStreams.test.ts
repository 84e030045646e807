import assert from 'node:assert/strict';
import type { LlmEvent } from '../../../../src/engine/llm/llmClient';
import { startModelServer } from '../../../support/modelServer/modelServer';
import { callsIn, eventsOf, request, textIn, user } from '../support';
import { addressOf, answeringServer } from './answeringServer';
import { VENDORS } from './vendors';
import { fuzzSize } from '../../../support/fuzzSize';

const QUESTION = request([user('Hello')]);
const SAID = 'Grüße 👋';
const ARGUMENTS = { path: 'ä.txt', contents: 'x\ny' };
const AT_ONCE = 16;

/** Records every byte of an answer as the vendor sends it. */
async function recorded(vendor: (typeof VENDORS)[number]): Promise<Uint8Array> {
  const call = [{ name: 'fs_write', arguments: ARGUMENTS, id: 'call_1' }];
  const model = await startModelServer([{ say: SAID, call, chunk: 24, usage: { input: 9, output: 9 } }]);
  let bytes: Uint8Array = new Uint8Array();
  const recorder = await answeringServer(async (url, body, response) => {
    const headers = { authorization: 'Bearer test-key', 'anthropic-version': '2023-06-01' };
    const answer = await fetch(model.url.replace('/v1', url), { method: 'POST', headers, body });
    bytes = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
  });
  await eventsOf(vendor.client(`${addressOf(recorder)}/v1`), QUESTION);
  recorder.close();
  await model.close();
  return bytes;
}

function check(events: readonly LlmEvent[], where: string): void {
  const endings = events.filter(({ type }) => type === 'finished' || type === 'failed');
  const last = events.at(-1);
  assert.deepEqual(endings, [last], where);
  assert.ok(SAID.startsWith(textIn(events)), `${where}: ${textIn(events)}`);
  for (const call of callsIn(events)) assert.deepEqual(JSON.parse(call.arguments), ARGUMENTS, where);
  if (last?.type === 'finished') {
    assert.deepEqual([last.reason, textIn(events), callsIn(events).length], ['tool-calls', SAID, 1], where);
  }
  if (last?.type === 'failed') {
    assert.equal(last.failure.reason, 'cut-stream', `${where}: ${last.failure.message}`);
    assert.match(last.failure.message, /[A-Z].*\./, where);
  }
}

for (const vendor of VENDORS) {
  describe(`A stream from ${vendor.label} (${vendor.speaks})`, function () {
    this.timeout(120_000);
    for (const [cut, full] of [
      ['broken', 1],
      ['ended', 5],
    ] as const) {
      // Not a multiple of the length of a character or an event, so that every part of them is cut somewhere.
      const step = fuzzSize(10) === 10 ? full : 7 * full;
      it(`${cut} at any byte yields what was complete, no partial call, and reports the cut`, async () => {
        const bytes = await recorded(vendor);
        assert.ok(bytes.length > 500);
        const lengths = Array.from<number>({ length: AT_ONCE });
        const server = await answeringServer(async (url, _, response) => {
          const piece = bytes.subarray(0, lengths[Number(/\/worker\/(\d+)\//.exec(url)?.[1])]);
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.flushHeaders();
          if (cut === 'ended') response.end(piece);
          else response.write(piece, () => response.socket?.end());
        });
        let next = 0;
        const seen = { finished: 0, failed: 0 };
        const work = async (worker: number) => {
          const client = vendor.client(`${addressOf(server)}/v1`.replace('/v1', `/worker/${worker}/v1`));
          while (next <= bytes.length) {
            const length = next;
            next += step;
            lengths[worker] = length;
            const events = await eventsOf(client, QUESTION, new AbortController().signal);
            check(events, `cut after ${length} of ${bytes.length} bytes`);
            seen[events.at(-1)?.type === 'finished' ? 'finished' : 'failed']++;
          }
        };
        try {
          await Promise.all(lengths.map((_, worker) => work(worker)));
        } finally {
          server.closeAllConnections();
          server.close();
        }
        assert.equal(seen.finished + seen.failed, Math.floor(bytes.length / step) + 1);
        assert.ok(seen.failed > bytes.length / step / 2 && (seen.finished > 0 || step > 1), JSON.stringify(seen));
      });
    }
  });
}
