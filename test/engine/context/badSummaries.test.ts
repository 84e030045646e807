import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step } from '../../support/modelServer/story';

const ROUNDS = 60;
const WINDOW = 40_000;
const TEXT = `${'some words of a file '.repeat(47)}\n`.repeat(20);
const WISH = 'Paint it in RAL 5010.';
const tokensOf = ({ body }: ModelRequest) => Math.ceil(JSON.stringify(body).length / 4);

/** A model with a small window that reads one file after the other, and answers requests for a summary with `summary`. */
function reader(summary: Step) {
  let round = 0;
  let summaries = 0;
  const step = (request: ModelRequest): Step => {
    const input = tokensOf(request);
    if (input > WINDOW) {
      const error = {
        message: `This model's maximum context length is ${WINDOW} tokens.`,
        code: 'context_length_exceeded',
      };
      return { fail: { status: 400, body: { error } } };
    }
    const usage = { input, output: 50 };
    if (isSummingUp(request)) {
      summaries++;
      return { ...summary, chunk: 50_000, usage };
    }
    round++;
    if (round > ROUNDS) return { say: 'Painted.', usage };
    return { call: [{ name: 'fs_read', arguments: { path: 'a.txt', offset: (round % 20) + 1 } }], usage };
  };
  return { step, summaries: () => summaries };
}

describe('A run whose model is bad at summaries', function () {
  this.timeout(120_000);

  for (const [what, summary] of [
    ['longer than what they replace', { say: 'many words '.repeat(12_000) }],
    ['as long as half of what it can read', { say: 'many words '.repeat(7_000) }],
    ['empty', { say: '' }],
    ['thoughts alone', { think: 'Hm.' }],
    ['refusals', { refuse: 'No.' }],
    ['cut off', { say: 'Half a', finish: 'length' }],
    ['calls', { call: [{ name: 'fs_ls', arguments: {} }] }],
    ['failures', { fail: { status: 400 } }],
  ] satisfies [string, Step][]) {
    it(`comes to its end, without asking again and again: ${what}`, () => {
      const { step, summaries } = reader(summary);
      const story = [{ when: () => true, step }];
      return withWorld({ story, files: { 'a.txt': TEXT } }, async (world) => {
        const { outcome } = await world.play(WISH, { limits: { turns: 3 * ROUNDS } });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Painted.' });
        assert.ok(summaries() <= 8, `${summaries()} summaries`);
        assert.ok(JSON.stringify(world.server.requests.at(-1)?.body).includes(WISH));
      });
    });
  }
});
