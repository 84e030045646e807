import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { Deferred } from '../../../../src/base/async';
import { retryBrokenStream } from '../../../../src/engine/llm/middleware/retryBrokenStream';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { freePort } from '../../../support/everythingServer';
import { type ModelServer, startModelServer } from '../../../support/modelServer/modelServer';
import type { StepFailure } from '../../../support/modelServer/story';
import { instantClock } from '../instantClock';
import { eventsOf, failureIn, request, textIn, user } from '../support';
import { VENDORS } from './vendors';

const QUESTION = request([user('Hello')]);

/** Each request gets its own server, because an address that answered is known to the process. */
async function played(
  story: readonly StepFailure[],
  ask: (server: ModelServer, clock: ReturnType<typeof instantClock>) => Promise<void>,
): Promise<void> {
  const server = await startModelServer([...story.map((fail) => ({ fail })), { say: 'Yes.' }]);
  try {
    await ask(server, instantClock());
  } finally {
    await server.close();
  }
}

const refused = (status: number, headers: Readonly<Record<string, string>> = {}, body?: unknown): StepFailure => ({
  status,
  headers,
  ...(body !== undefined && { body }),
});

const saying = (message: string, type = 'error', code: string | null = null) => ({
  type: 'error',
  error: { message, type, code },
});

const inAMinute = (from: number) => new Date(from + 59_000).toUTCString();

/** Headers, and the wait in milliseconds that they ask for. */
const WAITS: [string, Record<string, string>, number][] = [
  ['milliseconds', { 'retry-after-ms': '12000' }, 12_000],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '40' }, 1500],
  ['seconds', { 'retry-after': '12' }, 12_000],
  ['seconds that were sent twice', { 'retry-after': '12, 12' }, 12_000],
  [
    "a date by the server's own clock",
    { 'retry-after': inAMinute(1_000_000_000_000), date: new Date(1_000_000_000_000).toUTCString() },
    59_000,
  ],
];

/** Headers that ask for no wait that makes sense. */
const NONSENSE: Record<string, string>[] = [
  { 'retry-after': '0' },
  { 'retry-after': '-5' },
  { 'retry-after': '' },
  { 'retry-after': 'soon' },
  { 'retry-after': 'NaN' },
  { 'retry-after': '0x20' },
  { 'retry-after': '1 2 3' },
  { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
  { 'retry-after-ms': '-1' },
  { 'retry-after-ms': 'later' },
];

const TOO_LONG: Record<string, string>[] = [
  { 'retry-after': '61' },
  { 'retry-after': '9'.repeat(400) },
  { 'retry-after-ms': '3600000' },
  { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
];

/** Status and body of refusals that no wait cures. */
const HOPELESS: [number, object][] = [
  [429, saying('You exceeded your current quota, please check your plan.', 'insufficient_quota', 'insufficient_quota')],
  [400, saying('Your credit balance is too low to access the Anthropic API.', 'invalid_request_error')],
  [429, saying('Your account is not active.', 'billing_not_active', 'billing_not_active')],
  [429, saying('Request too large for gpt-x on tokens per min (TPM): Limit 10000, Requested 15000.', 'tokens')],
  [429, saying('Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more.')],
  [402, saying('Insufficient credits.')],
  [400, saying('Bad.', 'invalid_request_error')],
  [401, saying('Who are you?', 'authentication_error')],
  [403, saying('Not for you.', 'permission_error')],
  [413, saying('Too much.', 'request_too_large')],
  [501, saying('Not here.')],
];

for (const vendor of VENDORS) {
  describe(`Retries of requests to ${vendor.label} (${vendor.speaks})`, () => {
    const client = (server: Pick<ModelServer, 'url'>, clock: ReturnType<typeof instantClock>, random = 0) =>
      retryBrokenStream(clock, () => random)(vendor.client(server.url), unlistedModel(vendor.modelId));

    for (const status of [408, 409, 429, 500, 502, 503, 504, 529]) {
      it(`follow status ${status}`, () =>
        played([refused(status)], async (server, clock) => {
          assert.equal(textIn(await eventsOf(client(server, clock), QUESTION)), 'Yes.');
          assert.equal(server.requests.length, 2);
          assert.deepEqual(clock.waits, [[429, 503, 529].includes(status) ? 2000 : 500]);
        }));
    }

    it('end after two for errors of the server, and after three while it is busy', async () => {
      for (const [status, waits] of [
        [500, [500, 2000]],
        [429, [2000, 8000, 32_000]],
      ] as const) {
        await played(Array<StepFailure>(6).fill(refused(status)), async (server, clock) => {
          assert.equal(failureIn(await eventsOf(client(server, clock), QUESTION)).status, status);
          assert.equal(server.requests.length, waits.length + 1);
          assert.deepEqual(clock.waits, waits);
        });
      }
    });

    for (const [what, headers, wait] of WAITS) {
      it(`wait as long as the vendor says in ${what}, and a little more`, () =>
        played([refused(429, headers)], async (server, clock) => {
          const events = await eventsOf(client(server, clock, 1), QUESTION);
          assert.equal(textIn(events), 'Yes.');
          assert.deepEqual(clock.waits, [Math.round(wait * 1.1)]);
        }));
    }

    it('wait as long as the vendor says in words, if nothing else says it', async () => {
      for (const [words, wait] of [
        ['Rate limit reached for gpt-x. Please try again in 20s.', 20_000],
        ['Please try again in 1.2s. Visit https://example.test', 1200],
        ['Limit 3, Used 3. Please try again in 850ms.', 850],
        ['You exceeded the limit of requests. Please retry in 34.07s.', 34_070],
        ['Slow down and retry after 7 seconds.', 7000],
        [
          'Limit: 3 / min. Please try again in 20s. Add a payment method at https://example.test/account/billing',
          20_000,
        ],
      ] as const) {
        await played([refused(429, {}, saying(words))], async (server, clock) => {
          await eventsOf(client(server, clock), QUESTION);
          assert.deepEqual([words, ...clock.waits], [words, wait]);
        });
      }
    });

    it('wait as usual where the header makes no sense', async () => {
      for (const headers of NONSENSE) {
        await played([refused(429, headers)], async (server, clock) => {
          await eventsOf(client(server, clock), QUESTION);
          assert.deepEqual([headers, ...clock.waits], [headers, 2000]);
        });
      }
    });

    it('do not follow a wait of more than a minute', async () => {
      const words = saying('Please try again in 6m0s.');
      for (const refusal of [...TOO_LONG.map((headers) => refused(429, headers)), refused(429, {}, words)]) {
        await played([refusal], async (server, clock) => {
          const { message } = failureIn(await eventsOf(client(server, clock), QUESTION));
          assert.match(message, /Try again in (about \d+ (minutes|hours)|some days), or/);
          assert.deepEqual([refusal, server.requests.length, ...clock.waits], [refusal, 1]);
        });
      }
    });

    it('do not follow what no wait cures', async () => {
      for (const [status, body] of HOPELESS) {
        await played([refused(status, { 'retry-after': '1' }, body)], async (server, clock) => {
          failureIn(await eventsOf(client(server, clock), QUESTION));
          assert.deepEqual([body, server.requests.length], [body, 1]);
        });
      }
    });

    it('are as the vendor wants them', async () => {
      const asked = (status: number, again: string) => refused(status, { 'x-should-retry': again });
      for (const [refusal, count] of [
        [asked(500, 'false'), 1],
        [asked(429, 'false'), 1],
        [asked(422, 'true'), 2],
        [asked(500, 'perhaps'), 2],
      ] as const) {
        await played([refusal], async (server, clock) => {
          await eventsOf(client(server, clock), QUESTION);
          assert.deepEqual([refusal, server.requests.length], [refusal, count]);
        });
      }
    });

    it('follow a web page that a proxy sends with such a status', async () => {
      for (const status of [429, 502]) {
        const page = refused(status, { 'content-type': 'text/html' }, '<html>Slow down</html>');
        await played([page], async (server, clock) => {
          assert.equal(textIn(await eventsOf(client(server, clock), QUESTION)), 'Yes.');
        });
      }
    });

    it('follow a connection that is closed before the answer', async () => {
      let asked = 0;
      const server = createServer((incoming) => {
        asked++;
        incoming.socket.destroy();
      });
      const clock = instantClock();
      const url = await listening(server);
      try {
        assert.equal(failureIn(await eventsOf(client({ url }, clock), QUESTION)).reason, 'unreachable');
        assert.equal(asked, 3);
        assert.deepEqual(clock.waits, [500, 2000]);
      } finally {
        server.close();
      }
    });

    it('follow a refused connection only where something answered before', async () => {
      const clock = instantClock();
      const nobody = { url: `http://127.0.0.1:${await freePort()}/v1` };
      assert.equal(failureIn(await eventsOf(client(nobody, clock), QUESTION)).reason, 'unreachable');
      assert.deepEqual(clock.waits, []);
      await played([], async (server) => {
        const { url } = server;
        await eventsOf(client({ url }, clock), QUESTION);
        await server.close();
        assert.equal(failureIn(await eventsOf(client({ url }, clock), QUESTION)).reason, 'unreachable');
        assert.deepEqual(clock.waits, [500, 2000]);
      });
    });

    it('of a refused request cost nothing', () =>
      played([refused(429), refused(500)], async (server, clock) => {
        const last = (await eventsOf(client(server, clock), QUESTION)).at(-1);
        assert.deepEqual(last, { type: 'finished', reason: 'stop' });
      }));
  });
}

async function listening(server: Server): Promise<string> {
  const ready = new Deferred<void>();
  server.listen(0, '127.0.0.1', () => ready.resolve());
  await ready.promise;
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}/v1`;
}
