import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import { callArguments } from '../../../../src/engine/messages/callArguments';
import { toolCallsOf } from '../../../../src/engine/messages/message';
import { startModelServer } from '../../../support/modelServer/modelServer';
import { seededRandom } from '../../../support/seededRandom';
import { variedCalls } from '../../../support/variedCalls';
import { addressOf, answeringServer } from './answeringServer';
import { NEVER, request, user } from '../support';
import { type Protocol, PROTOCOLS } from './protocols';

const ANSWERS = 200;
/** Cuts per answer, at the same positions each time; half of them are in its last third, where the calls end. */
const CUTS = 4;
const AT_ONCE = 8;
const CALLS = variedCalls(2 * ANSWERS, 23);
const HEADER = { agent: 'coder', model: 'p:m', time: 0 };

const wantedOf = (answer: number) => CALLS.slice(2 * answer, 2 * answer + 2);

/** Records every byte of each answer as it is sent. */
async function record(protocol: Protocol): Promise<Uint8Array[]> {
  const answers = Array.from({ length: ANSWERS }, (_, at) => ({
    say: `Answer ${at}: 👋`,
    call: wantedOf(at),
    chunk: 16,
  }));
  const model = await startModelServer(answers);
  const recorded: Uint8Array[] = [];
  const recorder = await answeringServer(async (url, body, response) => {
    const headers = { authorization: 'Bearer test-key', 'anthropic-version': '2023-06-01' };
    const answer = await fetch(model.url.replace('/v1', url), { method: 'POST', headers, body });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    recorded.push(bytes);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
  });
  const client = protocol.client(`${addressOf(recorder)}/v1`);
  for (let at = 0; at < ANSWERS; at++) {
    await collectReply(client.stream(request([user('Go')]), NEVER), HEADER, () => undefined);
  }
  recorder.close();
  await model.close();
  return recorded;
}

for (const protocol of PROTOCOLS) {
  describe(`A truncated answer from ${protocol.label}`, function () {
    this.timeout(120_000);

    it(`has only complete calls, in ${ANSWERS} recorded answers`, async () => {
      const recorded = await record(protocol);
      const random = seededRandom(5);
      const places = recorded.flatMap(({ length }, answer) =>
        Array.from({ length: CUTS }, (_, cut) => {
          const from = cut % 2 === 0 ? 0 : Math.floor((length * 2) / 3);
          return { answer, end: from + Math.floor(random() * (length - from + 1)) };
        }),
      );
      const server = await answeringServer((url, _, response) => {
        const [, answer = '', end = '', broken = ''] = /^\/(\d+)\/(\d+)\/(\w+)\//.exec(url) ?? [];
        const piece = recorded[Number(answer)]?.subarray(0, Number(end)) ?? new Uint8Array();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        if (broken === 'ended') response.end(piece);
        else response.write(piece, () => response.socket?.end());
      });
      let next = 0;
      const work = async () => {
        for (let place = places[next++]; place; place = places[next++]) {
          const how = place.end % 2 === 0 ? 'ended' : 'broken';
          const client = protocol.client(`${addressOf(server)}/${place.answer}/${place.end}/${how}/v1`);
          const stream = client.stream(request([user('Go')]), new AbortController().signal);
          const { message, failure } = await collectReply(stream, HEADER, () => undefined);
          const calls = toolCallsOf(message).map((call) => ({ name: call.name, read: callArguments(call) }));
          const wanted = wantedOf(place.answer).map(({ name, arguments: value }) => ({
            name,
            read: { ok: true, value },
          }));
          assert.deepEqual(calls, failure ? [] : wanted, `answer ${place.answer}, cut after ${place.end} bytes`);
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  });
}
