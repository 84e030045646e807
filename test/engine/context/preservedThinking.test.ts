import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step } from '../../support/modelServer/story';
import { commonPrefix, sentParts } from '../../support/sentParts';

const ROUNDS = 60;
const WINDOW = 60_000;
const TEXT = `${'some words of a file '.repeat(47)}\n`.repeat(20);

const signatureOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('\n')).digest('hex');
const errorOf = (message: string): Step => ({
  fail: { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } },
});

/** Returns the signature of a thinking block; undefined for other parts. */
function signatureIn(part: string): string | undefined {
  return /"type":"thinking"/.test(part) ? /"signature":"([0-9a-f]+)"/.exec(part)?.[1] : undefined;
}

/**
 * A model that thinks before every answer and takes its thinking back only behind the very prefix that led to it, as Claude does
 * since its versions 5.1 and 5.5.
 */
function thinker() {
  let round = 0;
  const refusals: number[] = [];
  const step = (request: ModelRequest): Step => {
    const parts = sentParts(request);
    const input = Math.ceil(JSON.stringify(request.body).length / 4);
    if (input > WINDOW) return errorOf(`prompt is too long: ${input} tokens > ${WINDOW} maximum`);
    const isStale = parts.some((part, at) => {
      const signature = signatureIn(part);
      return signature !== undefined && signature !== signatureOf(parts.slice(0, at));
    });
    if (isStale) {
      refusals.push(round);
      return errorOf('The thinking block was produced after a prefix that has changed.');
    }
    const thought = { think: `Thought ${round}.`, signature: signatureOf(parts), usage: { input, output: 50 } };
    if (isSummingUp(request)) return { ...thought, say: 'NOTES' };
    round++;
    if (round > ROUNDS) return { ...thought, say: 'Done.' };
    return { ...thought, call: [{ name: 'fs_read', arguments: { path: `f${round % 7}.txt` } }] };
  };
  return { step, refusals };
}

describe('Thinking that a vendor ties to the conversation', function () {
  this.timeout(60_000);

  it('is refused at most once for each time that something was removed, and sent back in between', async () => {
    const { step, refusals } = thinker();
    const files = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`f${at}.txt`, TEXT]));
    await withWorld({ story: [{ when: () => true, step }], files }, async (world) => {
      const limits = { turns: 2 * ROUNDS };
      const { outcome } = await world.play('Read all of it.', { model: 'anthropic:claude-thinker-5', limits });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Done.' });
      const sent = world.server.requests.map((request) => sentParts(request));
      const removals = sent.filter((parts, at) => at > 0 && !commonPrefix(sent[at - 1] ?? [], parts).whole).length;
      assert.ok(refusals.length > 0, 'something was removed');
      assert.equal(new Set(refusals).size, refusals.length, 'no answer needed two tries without thinking');
      assert.ok(2 * refusals.length <= removals, `${refusals.length} refusals, ${removals} changes`);
      const thoughts = sent.map((parts) => parts.filter((part) => signatureIn(part) !== undefined).length);
      assert.ok(thoughts.filter((count) => count > 1).length > ROUNDS / 2, `thoughts sent back: ${thoughts.join(' ')}`);
    });
  });
});
