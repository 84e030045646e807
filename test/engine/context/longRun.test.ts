import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step, StepCall } from '../../support/modelServer/story';
import { commonPrefix, sentParts } from '../../support/sentParts';

const ROUNDS = 300;
/** A safety net for a run that would never end. */
const LIMITS = { turns: 2 * ROUNDS };
const WISH = 'Paint it in RAL 5010, and never in any other blue.';
const LATER = 'The door stays white.';
const SAID_AT = 140;

const TEXT = `${'some words of a file '.repeat(47)}\n`.repeat(20);
const tokensOf = ({ body }: ModelRequest) => Math.ceil(JSON.stringify(body).length / 4);

/** Returns the calls of a round: in turn, write a file, read it, and read it line by line in a single reply. */
function callsOf(round: number): StepCall[] {
  const path = `f${Math.floor(round / 3)}.txt`;
  if (round % 3 === 0) return [{ name: 'fs_write', arguments: { path, contents: TEXT } }];
  if (round % 3 === 1) return [{ name: 'fs_read', arguments: { path: round === 1 ? 'first.txt' : path } }];
  return Array.from({ length: 20 }, (_, at) => ({
    name: 'fs_read',
    arguments: { path: round === 2 ? 'first.txt' : path, offset: at + 1, limit: 1 },
  }));
}

/** A model that rejects requests of more than `window` tokens. */
function worker(window: number) {
  let round = 0;
  let summaries = 0;
  let refused = 0;
  const step = (request: ModelRequest): Step => {
    const input = tokensOf(request);
    if (input > window) {
      refused++;
      return { fail: { status: 400, body: overflowOf(request.dialect, input, window) } };
    }
    const usage = { input, output: 50 };
    if (isSummingUp(request)) {
      summaries++;
      return { say: `NOTES ${summaries}`, usage };
    }
    round++;
    if (round > ROUNDS) return { say: 'Painted.', usage };
    return { call: callsOf(round), chunk: 50_000, usage };
  };
  return { step, seen: () => ({ round, summaries, refused }) };
}

function overflowOf(dialect: ModelRequest['dialect'], tokens: number, window: number): object {
  return dialect === 'messages'
    ? {
        type: 'error',
        error: { type: 'invalid_request_error', message: `prompt is too long: ${tokens} tokens > ${window} maximum` },
      }
    : {
        error: {
          message: `This model's maximum context length is ${window} tokens.`,
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages',
        },
      };
}

const PROTOCOLS = [
  { speaks: 'Chat Completions', model: 'openai:test-model', openai: {} },
  { speaks: 'Responses', model: 'openai:test-model', openai: { api: 'responses' as const } },
  { speaks: 'Messages', model: 'anthropic:test-model', openai: {} },
];

describe('A run of 300 rounds of 20 kB after one message', function () {
  this.timeout(240_000);

  for (const { speaks, model, openai } of PROTOCOLS) {
    it(`completes over ${speaks} with cache hits throughout and the user's wishes in every request`, () => {
      const { step, seen } = worker(128_000);
      return withWorld(
        { story: [{ when: () => true, step }], files: { 'first.txt': TEXT }, settings: { openai } },
        async (world) => {
          const handle = world.run(WISH, { model, limits: LIMITS });
          let rounds = 0;
          handle.subscribe((event) => {
            if (event.type === 'reply-finished' && ++rounds === SAID_AT) handle.send(LATER);
          });
          assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Painted.' });
          const { requests } = world.server;
          const { round, summaries, refused } = seen();
          assert.equal(round, ROUNDS + 1);
          assert.ok(summaries > 0, 'it was summed up');
          assert.equal(refused, 0, 'nothing was sent that is too long');
          let broken = 0;
          let before: string[] = [];
          for (const [index, request] of requests.entries()) {
            const parts = sentParts(request);
            if (!commonPrefix(before, parts).whole) broken++;
            before = parts;
            const said = parts.join('\n');
            assert.ok(said.includes(WISH), `the wish is in request ${index}`);
            if (said.includes(LATER)) continue;
            assert.ok(index < SAID_AT + summaries + 1, `what was said later is in request ${index}`);
          }
          assert.ok(broken <= requests.length / 10, `${broken} of ${requests.length} requests break the prefix`);
        },
      );
    });
  }

  it('completes when the context window is far smaller than expected', () => {
    const { step, seen } = worker(40_000);
    return withWorld({ story: [{ when: () => true, step }], files: { 'first.txt': TEXT } }, async (world) => {
      const { outcome } = await world.play(WISH, { limits: LIMITS });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Painted.' });
      const { round, refused } = seen();
      assert.equal(round, ROUNDS + 1);
      assert.ok(refused <= 3, `${refused} requests were too long: what the model refused is remembered`);
      for (const request of world.server.requests) assert.ok(JSON.stringify(request.body).includes(WISH));
    });
  });
});
