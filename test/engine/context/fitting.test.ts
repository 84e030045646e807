import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SessionsOf } from '../../../src/engine/library';
import { type Message, userMessage } from '../../../src/engine/messages/message';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { temporaryFolder } from '../../node/temporaryFolder';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step, StoryStep, WhenStep } from '../../support/modelServer/story';
import { call } from '../agents/team/teamStory';

const tooLong: Step = {
  fail: { status: 400, body: { error: { message: 'x', code: 'context_length_exceeded' } } },
};
const COMPACTS = { compacts: true } as const;
/** The context size assumed for an unknown model, in characters. */
const ROOM = 120_000 * 3.6;
const MARKER = /^marker-(\d+) /;

/** Returns an answer that reads something, and the result. */
function round(at: number, length: number): Message[] {
  const asked = { id: `c${at}`, name: 'fs_read', arguments: '{}' };
  const text = `marker-${at} ${'x'.repeat(length)}`;
  const result = { callId: asked.id, name: asked.name, status: 'ok' as const, text, detail: null, durationMs: 0 };
  return [
    {
      ...{ role: 'assistant', id: `a${at}`, time: 0, agent: 'coder', model: 'm', finish: 'tool-calls' },
      parts: [{ type: 'tool-call', call: asked }],
    },
    { role: 'tool', id: `t${at}`, time: 0, results: [result] },
  ];
}

async function holding(world: EngineWorld, messages: readonly Message[]): Promise<void> {
  const session = await world.engine.sessions.open(world.sessionId);
  for (const message of messages) await session.add(message);
}

const rounds = (count: number, length: number) => Array.from({ length: count }, (_, at) => round(at, length)).flat();
const conversation = ({ messages }: ModelRequest) => messages.filter(({ role }) => role !== 'system');
const charactersIn = ({ messages }: ModelRequest) => messages.map(({ text }) => text).join('').length;
const markersIn = (request: ModelRequest) =>
  request.messages.flatMap(({ results }) => results.flatMap(({ text }) => Number(MARKER.exec(text)?.[1] ?? NaN)));
const summaries = ({ server }: EngineWorld) => server.requests.filter(isSummingUp);
const notices = (events: readonly { type: string; level?: string; text?: string }[]) =>
  events.flatMap(({ type, level, text }) => (type === 'notice' ? [[level, text]] : []));

/** Answers each summary request with the next step, and everything else with `Fine.`. */
function summing(...steps: Step[]): { story: (StoryStep | WhenStep)[] } {
  const left = [...steps];
  return {
    story: [{ when: isSummingUp, step: () => left.shift() ?? { say: 'NOTES' } }, { say: 'Fine.' }, { say: 'Fine.' }],
  };
}

describe('The input of a summary', () => {
  it('shrinks until the model can read it: the first message and the last rounds, each whole', () =>
    withWorld(summing(tooLong, tooLong), async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(330, 1400), userMessage('go on', 0, false)]);
      const { outcome } = await world.play(undefined, COMPACTS);
      assert.deepEqual(outcome, { kind: 'completed', answer: '' });
      const asked = summaries(world);
      assert.equal(asked.length, 3);
      for (const [index, share] of [0.9, 0.45, 0.2].entries()) {
        const request = asked[index] ?? assert.fail();
        const [task, ...rest] = conversation(request);
        assert.equal(task?.text, 'the task');
        assert.deepEqual(
          rest.slice(0, 2).map(({ role }) => role),
          ['assistant', 'tool'],
        );
        const markers = markersIn(request);
        assert.deepEqual(
          markers,
          Array.from({ length: markers.length }, (_, at) => 330 - markers.length + at),
          'the last of them, in order',
        );
        const size = charactersIn(request);
        assert.ok(size <= ROOM * share && size > ROOM * share * 0.7, `${size} characters at ${share}`);
      }
    }));

  it('is reduced to what is summarized, verbatim, when the model can read no more', () =>
    withWorld(summing(tooLong), async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(3, 5000), userMessage('go on', 0, false)]);
      await world.play(undefined, COMPACTS);
      const [whole, older] = summaries(world);
      assert.ok(whole && older);
      assert.deepEqual(
        [markersIn(whole), markersIn(older)],
        [
          [0, 1, 2],
          [0, 1, 2],
        ],
      );
      const said = (request: ModelRequest) => conversation(request).map(({ text }) => text);
      assert.ok(said(whole).includes('go on') && !said(older).includes('go on'));
    }));

  it('has long messages shortened to their start and end when the model cannot read them all', () =>
    withWorld(summing(tooLong, tooLong), async (world) => {
      const said = Array.from({ length: 5 }, (_, at) => userMessage(`begin-${at} ${'y'.repeat(90_000)} end`, 0, false));
      await holding(world, [...said, userMessage('go on', 0, false)]);
      await world.play(undefined, COMPACTS);
      const [first, second, third] = summaries(world).map((request) => conversation(request).map(({ text }) => text));
      assert.ok(first?.slice(0, 5).every((text) => text.length > 90_000));
      const lengths = [second, third].map((texts) => texts?.slice(0, 5).map(({ length }) => length));
      assert.ok(
        lengths[0]?.every((length) => length > 48_000 && length < 49_000),
        String(lengths[0]),
      );
      assert.ok(
        lengths[1]?.every((length) => length > 21_500 && length < 22_000),
        String(lengths[1]),
      );
      assert.match(third?.[4] ?? '', /^begin-4 y+\n\.\.\. \d+ characters left out \.\.\.\ny+ end$/);
    }));

  it('is not reduced when the model fails for another reason', () =>
    withWorld(summing({ fail: { status: 400 } }), async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(2, 10), userMessage('go on', 0, false)]);
      const { outcome, events } = await world.play(undefined, COMPACTS);
      assert.deepEqual(outcome, { kind: 'completed', answer: '' });
      assert.equal(summaries(world).length, 1);
      assert.deepEqual(notices(events), [
        [
          'warning',
          'The model returned no summary, so the conversation is unchanged. Try again, or choose another model.',
        ],
      ]);
    }));

  for (const [how, step] of [
    ['returns nothing', { say: ' ' }],
    ['refuses', { say: 'I will not.', refuse: 'I will not.' }],
  ] as const) {
    it(`is reduced when the model ${how}, and that response is not used as the summary`, () =>
      withWorld(summing(step), async (world) => {
        await holding(world, [userMessage('the task', 0, false), ...rounds(2, 10), userMessage('go on', 0, false)]);
        await world.play(undefined, COMPACTS);
        assert.equal(summaries(world).length, 2);
        const { context } = await world.engine.sessions.open(world.sessionId);
        assert.match(JSON.stringify(context[0]), /NOTES/);
        assert.doesNotMatch(JSON.stringify(context), /I will not/);
      }));
  }
});

describe('A compaction requested by the user', () => {
  it('reports when there is nothing to summarize', () =>
    withWorld({}, async (world) => {
      await holding(world, [userMessage('the task', 0, false)]);
      const { outcome, events } = await world.play(undefined, COMPACTS);
      assert.deepEqual(outcome, { kind: 'completed', answer: '' });
      assert.deepEqual(notices(events), [['info', 'Nothing to compact yet: there is only the latest exchange.']]);
      assert.deepEqual(world.server.requests, []);
    }));

  it('can be cancelled and leaves the conversation unchanged', () =>
    withWorld({ story: [{ fail: 'hang' }] }, async (world) => {
      const before = [userMessage('the task', 0, false), ...rounds(2, 10), userMessage('go on', 0, false)];
      await holding(world, before);
      const handle = world.run(undefined, COMPACTS);
      const told: string[] = [];
      handle.subscribe(({ type }) => told.push(type));
      await world.server.untilRequests(1);
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.ok(!told.includes('notice') && !told.includes('session-compressed'), told.join());
      assert.deepEqual((await world.engine.sessions.open(world.sessionId)).context, before);
    }));

  it('stores its cost with the session, and the summary before reporting it', () =>
    withWorld({ story: [{ say: 'NOTES', usage: { input: 70, output: 7 } }] }, async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(2, 10), userMessage('go on', 0, false)]);
      const session = await world.engine.sessions.open(world.sessionId);
      const handle = world.run(undefined, COMPACTS);
      const last: (string | undefined)[] = [];
      handle.subscribe(({ type }) => type === 'session-compressed' && last.push(session.history.at(-1)?.type));
      await handle.outcome;
      assert.deepEqual(last, ['compacted']);
      const used = session.history.flatMap((entry) => (entry.type === 'used-aside' ? [entry.usage] : []));
      assert.deepEqual(used, [{ inputTokens: 70, outputTokens: 7 }]);
    }));

  it('keeps earlier user messages with the summary, but not those of the part that stays', () =>
    withWorld(summing(), async (world) => {
      const answer = (id: string): Message => ({
        ...{ role: 'assistant', id, time: 0, agent: 'coder', model: 'm', finish: 'stop' },
        parts: [{ type: 'text', text: `answer ${id}` }],
      });
      const exchanges = ['the task', 'the next', 'the last'].flatMap((said) => [
        userMessage(said, 0, false),
        answer(said),
      ]);
      await holding(world, exchanges);
      await world.play(undefined, COMPACTS);
      const { context } = await world.engine.sessions.open(world.sessionId);
      const texts = context.map((message) => JSON.stringify(message));
      assert.equal(texts.length, 3);
      assert.match(texts[0] ?? '', /NOTES.*the task.*the next/);
      assert.doesNotMatch(texts[0] ?? '', /the last/);
    }));

  it('counts an unreported request by estimate before it requests more', () =>
    withWorld({ story: [{ ...call('fs_ls'), usage: { input: 0, output: 0 } }] }, async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(2, 1400), userMessage('go on', 0, false)]);
      await world.play(undefined, { ...COMPACTS, limits: { tokens: 500 } });
      assert.equal(world.server.requests.length, 1);
    }));

  it('does not exceed a limit', () =>
    withWorld({}, async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(2, 10), userMessage('go on', 0, false)]);
      const { outcome, events } = await world.play(undefined, { ...COMPACTS, limits: { tokens: 0 } });
      assert.deepEqual(world.server.requests, []);
      assert.equal(outcome.kind, 'completed');
      assert.match(notices(events).flat().join(), /returned no summary/);
    }));
});

describe('A conversation that the model rejects as too long', () => {
  it('loses large old calls first, without a summary', () =>
    withWorld({ story: [tooLong, { say: 'Fine.' }] }, async (world) => {
      await holding(world, [userMessage('the task', 0, false), ...rounds(16, 20_000)]);
      const { outcome } = await world.play('go on');
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Fine.' });
      const [, again, ...more] = world.server.requests;
      assert.deepEqual(more, []);
      const left = markersIn(again ?? assert.fail());
      assert.ok(Number.isNaN(left[0]) && left.at(-1) === 15, left.join());
    }));

  it('is pruned before it is sent, however slow the disk is', async () => {
    const folder = await temporaryFolder();
    const sessions: SessionsOf = (ports) => {
      const appendLine: typeof ports.files.appendLine = async (file, line) => {
        for (let turns = 0; turns < 5; turns++) await setImmediate();
        await ports.files.appendLine(file, line);
      };
      return new FileSessionStore(folder.path, { ...ports, files: { ...ports.files, appendLine } });
    };
    try {
      await withWorld({ sessions, story: [{ say: 'Fine.' }] }, async (world) => {
        await holding(world, [userMessage('the task', 0, false), ...rounds(16, 40_000)]);
        assert.equal((await world.play('go on')).outcome.kind, 'completed');
        const left = markersIn(world.server.requests[0] ?? assert.fail());
        assert.ok(Number.isNaN(left[0]) && left.at(-1) === 15, left.join());
      });
    } finally {
      await folder.remove();
    }
  });

  it('loses even the last result when nothing else is left', () =>
    withWorld(
      {
        files: { 'a.txt': `${'word '.repeat(15)}\n`.repeat(400) },
        story: [call('fs_read', { path: 'a.txt' }), tooLong, { say: 'Fine.' }],
      },
      async (world) => {
        const { outcome } = await world.play('read it');
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Fine.' });
        assert.equal(world.server.requests.length, 3);
        assert.match(world.server.requests[2]?.lastText ?? '', /was taken out to save room/);
      },
    ));

  it('is sent again with the current prompt after a summary', () =>
    withWorld(
      {
        files: { 'AGENTS.md': 'Use tabs.' },
        story: [{ say: 'One.' }, { say: 'Two.' }, tooLong, { say: 'NOTES' }, { say: 'Three.' }],
      },
      async (world) => {
        await world.play('first');
        await world.play('second');
        await writeFile(join(world.folder, 'AGENTS.md'), 'Use spaces.');
        assert.equal((await world.play('third')).outcome.kind, 'completed');
        const [, , refused, , again] = world.server.requests.map(({ messages }) => messages[0]?.text ?? '');
        assert.match(refused ?? '', /Use tabs\./);
        assert.match(again ?? '', /Use spaces\./);
      },
    ));

  it('loses all but the last two large messages before it is sent when there is no summary', () =>
    withWorld(
      { story: [{ when: isSummingUp, step: { fail: { status: 400 } } }, { say: 'Fine.' }, { say: 'Fine again.' }] },
      async (world) => {
        await holding(world, [userMessage('the task', 0, false), ...rounds(3, 200_000)]);
        const { outcome } = await world.play(undefined);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Fine.' });
        assert.equal(summaries(world).length, 1);
        assert.deepEqual(markersIn(world.server.requests.at(-1) ?? assert.fail()).filter(Number.isFinite), [2]);
      },
    ));
});

describe('A conversation that the agent wants short', () => {
  it('has a current prompt after a summary', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/brief.md': '---\ndescription: x\ncompression_threshold: 400\n---\nYou are brief.',
          'AGENTS.md': 'Use tabs.',
        },
        story: [{ when: isSummingUp, step: { say: 'NOTES' } }, { say: `One. ${'word '.repeat(300)}` }, { say: 'Two.' }],
      },
      async (world) => {
        await world.play(`First. ${'word '.repeat(200)}`, { agent: 'brief' });
        await writeFile(join(world.folder, 'AGENTS.md'), 'Use spaces.');
        await world.play('Second.', { agent: 'brief' });
        assert.equal(summaries(world).length, 1);
        const system = world.server.requests.at(-1)?.messages[0]?.text ?? '';
        assert.match(system, /Use spaces\./);
        assert.doesNotMatch(system, /Use tabs\./);
      },
    ));

  it('is not summarized when the part to keep is longer than that', () =>
    withWorld(
      {
        files: { '.cairn/agents/brief.md': '---\ndescription: x\ncompression_threshold: 400\n---\nYou are brief.' },
        story: [{ when: isSummingUp, step: { say: 'NOTES' } }, { say: 'One.' }, { say: 'Two.' }],
      },
      async (world) => {
        await world.play(`First. ${'word '.repeat(200)}`, { agent: 'brief' });
        await world.play(`Second. ${'word '.repeat(400)}`, { agent: 'brief' });
        assert.equal(summaries(world).length, 0);
      },
    ));
});
