import assert from 'node:assert/strict';
import type { WhenStep } from '../../../support/modelServer/story';
import { withWorld, type Played } from '../../../support/engineWorld';
import { isSummingUp } from '../../../support/isSummingUp';
import { LEAD, leadFile, ofType } from './leadWorld';
import { agentFile, calls, callsThenSays, collectAll, LEAD_AND_WORKER, says, spawn } from './teamStory';

/** Costs 0.2 USD per million input tokens. */
const CHEAP = 'openai:gpt-5.6-luna';
/** Costs 2.5 USD per million input tokens. */
const DEAR = 'openai:gpt-5.4';
const UNPRICED = 'openai:nobody-knows';
/** Costs 25 cents with the `DEAR` model and two cents with the `CHEAP` one. */
const MUCH = { input: 100_000, output: 0 };
const COST = { kind: 'limit-reached', limit: 'cost' };
const limits = { costUsd: 0.2 };

const sumsUp: WhenStep = {
  when: ({ messages }) => /^Shorten the report/.test(messages[0]?.text ?? ''),
  step: { say: 'In short.', usage: MUCH },
};

function unknownPrices(played: Played): { text: string; path: string }[] {
  return ofType(played, 'notice')
    .filter(({ level, text }) => level === 'warning' && /costs is not known/.test(text))
    .map(({ text, agentPath }) => ({ text, path: agentPath.join('/') }));
}

describe('The cost of a run with a limit', () => {
  it('includes a subagent at the prices of its own model', () =>
    withWorld(
      {
        files: { ...LEAD_AND_WORKER, ...agentFile('worker', `model: ${DEAR}`) },
        story: [says('worker', { say: 'Yes.', usage: MUCH }), calls(spawn('worker', 'x')), collectAll, { say: 'No.' }],
      },
      async (world) => {
        const played = await world.play('go', { ...LEAD, model: CHEAP, limits });
        assert.deepEqual(played.outcome, COST);
        assert.deepEqual(unknownPrices(played), []);
      },
    ));

  it('includes the summary of a long answer at the prices of the model that wrote it', () =>
    withWorld(
      {
        files: {
          ...LEAD_AND_WORKER,
          ...leadFile(`summarization_threshold: 10\nsummarization_model: ${DEAR}`),
        },
        story: [
          sumsUp,
          says('worker', { say: 'A long answer, that is to say.' }),
          calls(spawn('worker', 'x')),
          collectAll,
          { say: 'No.' },
        ],
      },
      async (world) => {
        const played = await world.play('go', { ...LEAD, model: CHEAP, limits });
        assert.deepEqual(played.outcome, COST);
      },
    ));

  it('includes the compaction of a conversation, also for the ancestors of its agent', () => {
    const tooLong = {
      fail: { status: 400, body: { error: { message: 'Too long.', code: 'context_length_exceeded' } } },
    };
    let asked = 0;
    return withWorld(
      {
        files: LEAD_AND_WORKER,
        story: [
          { when: isSummingUp, step: { say: 'NOTES', usage: MUCH } },
          says('worker', ({ lastText }) =>
            lastText === 'two' && ++asked === 1 ? tooLong : { say: 'Done.', usage: { input: 10, output: 0 } },
          ),
          calls(spawn('worker', 'one')),
          collectAll,
          (request) => {
            const id = /"session_id": "([^"]+)"/.exec(JSON.stringify(request.messages).replaceAll('\\"', '"'))?.[1];
            return calls(['agent__spawn', { agent: 'worker', prompt: 'two', session_id: id }]);
          },
          collectAll,
          { say: 'No.' },
        ],
      },
      async (world) => {
        const played = await world.play('go', { ...LEAD, model: DEAR, limits });
        assert.deepEqual(played.outcome, COST);
        const last = ofType(played, 'agent-finished').at(-1);
        assert.ok(last && last.costUsd >= 0.25, String(last?.costUsd));
      },
    );
  });

  it('includes what a program asks the model outside its conversation', () =>
    withWorld({ story: [{ say: 'Maybe.', usage: MUCH }] }, async (world) => {
      world.engine.registerAgent({
        name: 'own',
        description: 'A program',
        loop: async (run) => {
          await run.askOnce({ system: 'Say yes.', text: 'Well?' });
          return (await run.askModel()).text;
        },
      });
      assert.deepEqual((await world.play('go', { agent: 'own', model: DEAR, limits })).outcome, COST);
    }));
});

describe('A cost limit with a model of unknown prices', () => {
  it('is reported once as ineffective, by the agent it was set for', () =>
    withWorld(
      {
        files: { ...LEAD_AND_WORKER, ...agentFile('worker', `model: ${UNPRICED}`) },
        story: [
          callsThenSays('worker', calls(['fs_ls', {}]), 'Yes.'),
          calls(spawn('worker', 'x'), spawn('worker', 'y')),
          collectAll,
          { say: 'Both.' },
        ],
      },
      async (world) => {
        const played = await world.play('go', { ...LEAD, model: CHEAP, limits });
        assert.equal(played.outcome.kind, 'completed');
        const said = unknownPrices(played);
        assert.deepEqual(
          said.map(({ path }) => path),
          ['lead'],
        );
        assert.match(
          said[0]?.text ?? '',
          new RegExp(`What ${UNPRICED} costs .* does not hold for it\\. Set a limit of`),
        );
      },
    ));

  it('is reported before that model is asked for a summary', () =>
    withWorld(
      {
        files: {
          ...LEAD_AND_WORKER,
          ...leadFile(`summarization_threshold: 3\nsummarization_model: ${UNPRICED}`),
        },
        story: [sumsUp, says('worker', { say: 'Long.' }), calls(spawn('worker', 'x')), collectAll, { say: 'Fine.' }],
      },
      async (world) => {
        const played = await world.play('go', { ...LEAD, model: CHEAP, limits });
        assert.equal(unknownPrices(played).length, 1);
      },
    ));

  it("is reported at the start of a run with that model when the limit is the agent's own", () =>
    withWorld(
      { files: agentFile('thrifty', 'description: x\nmax_cost: 1'), story: [{ say: 'One.' }, { say: 'Two.' }] },
      async (world) => {
        const played = await world.play('go', { agent: 'thrifty', model: UNPRICED });
        assert.equal(unknownPrices(played).length, 1);
        const order = played.events.map(({ type }) => type);
        assert.ok(order.indexOf('notice') < order.indexOf('text-delta'));
        assert.deepEqual(unknownPrices(await world.play('go', { model: UNPRICED })), [], 'without a limit');
      },
    ));
});
