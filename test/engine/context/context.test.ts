import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseKeptFrom } from '../../../src/engine/context/compaction';
import { estimateRequest, TokenGauge } from '../../../src/engine/context/estimateTokens';
import { unlistedModel } from '../../../src/engine/llm/model';
import { type Message, userMessage } from '../../../src/engine/messages/message';
import { contextBudget } from '../../../src/engine/run/fitting/conversationRoom';
import { withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step } from '../../support/modelServer/story';

const tooLong: Step = {
  fail: {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 1000 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        param: 'messages',
      },
    },
  },
};

describe('A conversation that is too long for the model', () => {
  it('is summarized once and sent again, with the task and to-dos verbatim', () =>
    withWorld(
      {
        files: { '.cairn/agents/plain.md': '---\ndescription: Does not go on by itself\n---\nYou paint.' },
        story: [
          { call: [{ name: 'todo__init', arguments: { todos: ['paint it blue'] } }] },
          { say: 'Planned.' },
          tooLong,
          { say: 'NOTES: a plan was made.' },
          { say: 'On we go.' },
        ],
      },
      async (world) => {
        await world.play('Paint the shed, exactly in RAL 5010.', { agent: 'plain' });
        const { outcome, events } = await world.play('go on', { agent: 'plain' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'On we go.' });
        const told = events.map(({ type }) => type).filter((type) => type.startsWith('session-compress'));
        assert.deepEqual(told, ['session-compressing', 'session-compressed']);
        const summing = world.server.requests[3];
        assert.ok(summing && isSummingUp(summing));
        assert.deepEqual(summing.tools, world.server.requests[2]?.tools, 'with the same tools, for the cache');
        const said =
          world.server.requests[4]?.messages.filter(({ role }) => role === 'user').map(({ text }) => text) ?? [];
        assert.match(said[0] ?? '', /NOTES: a plan was made\..*exactly in RAL 5010\..*\[ \] 1\. paint it blue/s);
        assert.equal(said.at(-1), 'go on');
      },
    ));

  it('stays complete on disk, and is still summarized for the model after a restart', () =>
    withWorld(
      { story: [{ say: 'One.' }, tooLong, { say: 'NOTES' }, { say: 'Two.' }, { say: 'Three.' }] },
      async (world) => {
        await world.play('first');
        await world.play('second');
        const again = await world.restart();
        await again.play('third');
        const said = world.server.requests[4]?.messages.map(({ text }) => text).join('\n') ?? '';
        assert.match(said, /NOTES/);
        assert.doesNotMatch(said, /One\./);
        const history = await readFile(join(world.sessionsFolder, world.sessionId, 'history.jsonl'), 'utf8');
        for (const text of ['first', 'One.', 'second', 'Two.', 'third', 'Three.'])
          assert.ok(history.includes(text), text);
      },
    ));

  it('fails with an error when there is nothing to summarize', () =>
    withWorld({ story: [tooLong] }, async (world) => {
      const { outcome } = await world.play('one enormous message');
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'context-overflow', JSON.stringify(outcome));
    }));

  it('continues unchanged when the summary fails', () =>
    withWorld({ story: [{ say: 'One.' }, tooLong, { fail: { status: 400 } }] }, async (world) => {
      await world.play('first');
      const { outcome } = await world.play('second');
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'context-overflow', JSON.stringify(outcome));
      const { context } = await world.engine.sessions.open(world.sessionId);
      assert.equal(
        context[0]?.role === 'user' && context[0].parts[0]?.type === 'text' && context[0].parts[0].text,
        'first',
      );
    }));

  it('drops its old large results first, and keeps the latest', () =>
    withWorld(
      {
        files: Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `f${at}.txt`,
            `marker-${at}\n${`${'word '.repeat(15)}\n`.repeat(550)}`,
          ]),
        ),
        story: [
          ...Array.from({ length: 12 }, (_, at) => (request: ModelRequest) => ({
            call: [{ name: 'fs_read', arguments: { path: `f${at}.txt` } }],
            usage: { input: Math.ceil(JSON.stringify(request.body).length / 4), output: 5 },
          })),
          { say: 'Read.' },
        ],
      },
      async (world) => {
        const { outcome } = await world.play('read them all');
        assert.equal(outcome.kind, 'completed');
        const results = world.server.requests.at(-1)?.messages.flatMap((message) => message.results) ?? [];
        assert.equal(results.length, 12);
        assert.match(results[0]?.text ?? '', /taken out to save room/);
        assert.match(results[11]?.text ?? '', /marker-11/);
        assert.equal(world.server.requests.length, 13, 'no summary was needed');
      },
    ));
});

describe('Context fitting', () => {
  const call = { id: 'c', name: 'fs_ls', arguments: '{}' };
  const asks: Message = {
    role: 'assistant',
    id: 'a',
    time: 0,
    agent: 'coder',
    model: 'm',
    parts: [{ type: 'tool-call', call }],
    finish: 'tool-calls',
  };
  const result = { callId: 'c', name: 'fs_ls', status: 'ok' as const, text: 'x', detail: null, durationMs: 0 };
  const gives: Message = { role: 'tool', id: 't', time: 0, results: [result] };
  const first = userMessage('first', 0, false);
  const second = userMessage('second', 0, false);

  it('never separates a call from its result', () => {
    for (const tokens of [0, 5, 10, 20, 50, 1000]) {
      const kept = chooseKeptFrom([first, asks, gives, second, asks, gives], tokens);
      assert.ok(kept && kept.role !== 'tool', `at ${tokens}`);
    }
    assert.equal(chooseKeptFrom([first, asks, gives, second], 0), second);
    assert.equal(chooseKeptFrom([first, asks, gives, second, asks, gives], 0), second, 'a short exchange stays whole');
    assert.equal(chooseKeptFrom([first], 0), undefined);
  });

  it('can split a run between two rounds when the kept part fits', () => {
    const rounds = Array.from({ length: 20 }, (_, at): Message[] => [
      { ...asks, id: `a${at}` },
      { ...gives, id: `t${at}`, results: [{ ...result, text: 'x'.repeat(3600) }] },
    ]);
    const kept = chooseKeptFrom([first, ...rounds.flat()], 5100);
    assert.equal(kept?.id, 'a15');
    assert.equal(chooseKeptFrom([first, ...rounds.flat()], 0)?.id, 'a19', 'the last round is always kept');
  });

  it('adjusts to the token counts of the provider', () => {
    const gauge = new TokenGauge();
    for (let times = 0; times < 10; times++) gauge.report(1000, 1500);
    assert.ok(Math.abs(gauge.correct(1000) - 1500) < 10);
    gauge.report(1000, 1_000_000);
    assert.ok(gauge.correct(1000) <= 3000, 'one odd report does not throw it');
  });

  it('leaves room for the answer, even for an unknown model', () => {
    const model = (contextWindow: number | null, maxOutputTokens: number | null) =>
      contextBudget({ ...unlistedModel('p:m'), contextWindow, maxOutputTokens });
    assert.ok(model(200_000, 64_000).limit < 200_000 - 50_000);
    assert.ok(model(8_000, 8_000).limit > 4_000, 'an output limit as large as the window leaves most of it');
    assert.ok(model(null, null).limit > 50_000);
  });

  it('estimates the size of a request', () => {
    const small = estimateRequest('', [], [first]);
    assert.ok(estimateRequest('x'.repeat(3600), [], [first]) >= small + 1000);
  });
});
