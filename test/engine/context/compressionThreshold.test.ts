import assert from 'node:assert/strict';
import { textOf, toolCallsOf } from '../../../src/engine';
import { withWorld, type WorldOptions } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { WhenStep } from '../../support/modelServer/story';
import { call } from '../agents/team/teamStory';

const MARKDOWN = { '.cairn/agents/brief.md': '---\ndescription: x\ncompression_threshold: 400\n---\nYou are brief.' };
const BRIEF = { agent: 'brief' };
/** About 280 tokens. */
const long = (what: string) => `${what} ${'word '.repeat(200)}`;

const sumsUp: WhenStep = { when: isSummingUp, step: { say: 'NOTES: it is blue.' } };
const summaries = (requests: readonly ModelRequest[]) => requests.filter(isSummingUp).length;
const usersOf = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'user').map(({ text }) => text);

function asBrief(options: WorldOptions, use: Parameters<typeof withWorld>[1]): Promise<void> {
  return withWorld({ files: MARKDOWN, ...options }, use);
}

describe('The compression_threshold of an agent', () => {
  it('triggers a summary before the model is full, with the task and last exchange kept whole', () =>
    asBrief({ story: [sumsUp, { say: long('Blue.') }, { say: 'Two.' }, { say: 'Three.' }] }, async (world) => {
      await world.play(long('Paint it in RAL 5010.'), BRIEF);
      assert.equal(summaries(world.server.requests), 0, 'the first request has nothing older');
      const { outcome, events } = await world.play('And then?', BRIEF);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Two.' });
      assert.equal(events.filter(({ type }) => type === 'session-compressed').length, 1);
      const said = usersOf(world.server.requests.at(-1) ?? assert.fail());
      assert.match(said[0] ?? '', /NOTES: it is blue\.[^]*RAL 5010/);
      assert.deepEqual(said.slice(1), ['And then?']);
    }));

  it('also applies from config.yaml, and not to other agents', () =>
    asBrief(
      {
        files: {
          '.cairn/agents/brief/config.yaml':
            'description: x\ncompression_threshold: 400\ninstructions: You are brief.\n',
          '.cairn/agents/ample/config.yaml': 'description: x\ncompression_threshold: 0\ninstructions: You are ample.\n',
        },
        story: [sumsUp, { when: () => true, step: { say: long('Blue.') } }],
      },
      async (world) => {
        for (const agent of ['ample', 'ample', 'coder', 'brief'])
          assert.equal((await world.play(long('Go.'), { agent })).outcome.kind, 'completed', agent);
        assert.equal(summaries(world.server.requests), 1);
        assert.ok(isSummingUp(world.server.requests.at(-2) ?? assert.fail()), 'the last run asked for it');
        assert.deepEqual(await world.engine.agents.problems(), []);
      },
    ));

  it('does not trigger repeated summaries when the last exchange alone exceeds it', () =>
    asBrief(
      {
        files: { ...MARKDOWN, 'a.txt': long('A.'), 'b.txt': long('B.') },
        story: [
          sumsUp,
          { say: 'One.' },
          call('fs_cat', { path: 'a.txt' }),
          call('fs_cat', { path: 'b.txt' }),
          { say: 'Read.' },
          { say: 'More.' },
        ],
      },
      async (world) => {
        await world.play('First.', BRIEF);
        const { outcome } = await world.play(long('Second.').repeat(2), BRIEF);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Read.' });
        assert.equal(summaries(world.server.requests), 1);
        const { messages } = world.server.requests.at(-1) ?? assert.fail();
        assert.match(JSON.stringify(messages), /A\. word[^]*B\. word/, 'the exchange is whole');
        await world.play('Third.', BRIEF);
        assert.equal(summaries(world.server.requests), 2, 'what came since is summed up with the next exchange');
      },
    ));

  it('lets the agent continue when the summary fails, which is requested only once', () =>
    asBrief(
      {
        story: [
          { when: isSummingUp, step: { fail: { status: 400 } } },
          { say: long('One.') },
          call('fs_ls'),
          call('fs_ls', { path: '.' }),
          { say: 'Listed.' },
        ],
      },
      async (world) => {
        await world.play(long('First.'), BRIEF);
        const { outcome } = await world.play('Second.', BRIEF);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Listed.' });
        assert.equal(summaries(world.server.requests), 1);
        const { context } = await world.engine.sessions.open(world.sessionId);
        assert.ok(context[0]?.role === 'user' && textOf(context[0]).startsWith('First.'));
        const called = context.flatMap((one) => (one.role === 'assistant' ? toolCallsOf(one) : []));
        assert.equal(called.length, 2);
      },
    ));
});
