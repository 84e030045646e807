import assert from 'node:assert/strict';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineWorld } from '../../support/engineWorld';
import { withWorld } from '../../support/engineWorld';
import { neverAnswered } from '../../support/neverAnswered';
import { withoutItsLock } from '../../support/withoutItsLock';

const historyOf = (world: EngineWorld) => join(world.sessionsFolder, world.sessionId, 'history.jsonl');
const metadataOf = (world: EngineWorld) => join(world.sessionsFolder, world.sessionId, 'metadata.json');
const textsOf = async (world: EngineWorld) =>
  (await world.engine.sessions.open(world.sessionId)).messages.flatMap((message) =>
    message.role === 'tool' ? [] : message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );

describe('A session on disk', () => {
  it('is complete after a restart, and is sent to the model in full with the next message', () =>
    withWorld({ story: [{ say: 'Nice to meet you.' }, { say: 'You are Ada.' }] }, async (world) => {
      await world.play('I am Ada.');
      const again = await world.restart();
      assert.deepEqual(await textsOf(again), ['I am Ada.', 'Nice to meet you.']);
      await again.play('Who am I?');
      const said = world.server.requests[1]?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text);
      assert.deepEqual(said, ['I am Ada.', 'Nice to meet you.', 'Who am I?']);
    }));

  it('only ever grows', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first');
      const before = await readFile(historyOf(world), 'utf8');
      await world.play('second');
      assert.ok((await readFile(historyOf(world), 'utf8')).startsWith(before));
    }));

  it('loses only a line truncated during writing, and continues', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first');
      const whole = await readFile(historyOf(world), 'utf8');
      await appendFile(historyOf(world), '{"type":"message","mess');
      const again = await world.restart();
      assert.deepEqual(await textsOf(again), ['first', 'One.']);
      assert.match(again.warnings.join(), /history\.jsonl:\d+: the last line was cut off/);
      assert.equal(await readFile(historyOf(world), 'utf8'), whole);
      assert.equal((await again.play('second')).outcome.kind, 'completed');
    }));

  it('loses no complete line wherever the file is truncated', () =>
    withWorld({ story: [{ say: 'An answer.' }] }, async (world) => {
      await world.play('a question');
      const whole = await readFile(historyOf(world), 'utf8');
      const lines = whole.split('\n').length - 1;
      for (let length = 0; length <= whole.length; length += 7) {
        await writeFile(historyOf(world), whole.slice(0, length));
        const again = await world.restart();
        const { history } = await again.engine.sessions.open(world.sessionId);
        const written = whole.slice(0, length).split('\n').length - 1;
        assert.ok(history.length >= written && history.length <= lines, `cut at ${length}`);
      }
    }));

  it('skips a broken line in the middle, reports its location, and leaves it in the file', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      await world.play('first');
      const lines = (await readFile(historyOf(world), 'utf8')).split('\n');
      lines.splice(1, 0, 'garbage', '{"type":"unheard-of"}');
      await writeFile(historyOf(world), lines.join('\n'));
      const again = await world.restart();
      assert.deepEqual(await textsOf(again), ['first', 'One.']);
      assert.match(again.warnings.join('\n'), /history\.jsonl:2: not JSON/);
      assert.match(again.warnings.join('\n'), /history\.jsonl:3: not a session entry/);
      assert.match(await readFile(historyOf(world), 'utf8'), /garbage/);
    }));

  it('recreates missing or broken metadata from the history', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      await world.play('first');
      await writeFile(metadataOf(world), '{"version":');
      const again = await world.restart();
      assert.deepEqual(await textsOf(again), ['first', 'One.']);
      assert.match(again.warnings.join(), /metadata\.json.*rebuilt/);
      await rm(metadataOf(world));
      assert.deepEqual(await textsOf(await world.restart()), ['first', 'One.']);
    }));

  it('asks before edits and commands when recreated, whatever it allowed before', () =>
    withWorld({ story: [{ say: 'One.' }], approvalMode: 'nothing' }, async (world) => {
      await world.play('first');
      await rm(metadataOf(world));
      const { metadata } = await (await world.restart()).engine.sessions.open(world.sessionId);
      assert.equal(metadata.approvalMode, 'edits-and-commands');
    }));

  it('is listed in its workspace with a title and a log entry when its metadata is broken', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      await world.play('Mend the parser');
      const [before] = await world.engine.sessions.list();
      await writeFile(metadataOf(world), '{"version":');
      const again = await world.restart();
      const [after] = await again.engine.sessions.list();
      assert.equal(after?.workspace, before?.workspace);
      assert.equal(after?.title, 'Mend the parser');
      assert.equal(after.opening, 'Mend the parser');
      assert.match(again.warnings.join(), /metadata\.json.*rebuilt/);
      const kept = join(world.sessionsFolder, world.sessionId, 'metadata.damaged.json');
      assert.equal(await readFile(kept, 'utf8'), '{"version":');
    }));

  it('is sent to the model in compacted form, at once and after a restart', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first');
      await world.play('second');
      const session = await world.engine.sessions.open(world.sessionId);
      const second = session.messages.filter(({ role }) => role === 'user')[1];
      assert.ok(second);
      await session.compact({ text: 'They greeted each other.', keptFrom: second.id, time: 0 });
      for (const { context } of [session, await (await world.restart()).engine.sessions.open(world.sessionId)]) {
        const texts = context.flatMap((message) =>
          message.role === 'tool' ? [] : message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
        );
        assert.deepEqual(texts, ['They greeted each other.', 'second', 'Two.']);
      }
    }));

  it('reports which session does not exist', () =>
    withWorld({}, async (world) => {
      const id = '00000000-0000-4000-8000-000000000000';
      await assert.rejects(world.engine.sessions.open(id), /no session 00000000/);
      await assert.rejects(async () => world.engine.sessions.open('../../etc'), /not the id of a session/);
    }));

  it('keeps the entries of a hundred writers separate', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          session.add({
            role: 'user',
            id: `m${index}`,
            time: 0,
            steering: false,
            parts: [{ type: 'text', text: `${index}` }],
          }),
        ),
      );
      const again = await world.restart();
      assert.deepEqual(
        await textsOf(again),
        Array.from({ length: 100 }, (_, index) => `${index}`),
      );
    }));
});

describe('An interrupted run', () => {
  const call = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'x' } };

  it('while waiting for approval asks again after a restart', () => {
    let asked = 0;
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (_, signal) => (++asked === 1 ? neverAnswered(signal) : { kind: 'once' }),
        story: [{ call: [call] }, { say: 'Written.' }],
      },
      async (world) => {
        const handle = world.run('write');
        for await (const event of handle.events()) if (event.type === 'approval-requested') break;
        await withoutItsLock(world);
        const again = await world.restart();
        const session = await again.engine.sessions.open(world.sessionId);
        assert.equal(session.interrupted, true);
        const { outcome } = await again.play(undefined);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Written.' });
        assert.equal(await world.read('a.txt'), 'x');
        assert.equal(session.interrupted, false);
      },
    );
  });

  it('while waiting for an answer to a question asks again after a restart', () => {
    const asked: string[] = [];
    const question = { question: 'Which tide?', options: ['high', 'low'] };
    return withWorld(
      {
        answer: ({ question: text }, signal) =>
          asked.push(text) === 1 ? neverAnswered(signal) : { kind: 'answered', texts: ['low'] },
        story: [{ call: [{ name: 'user__ask', arguments: question }] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const handle = world.run('ask');
        for await (const event of handle.events()) if (event.type === 'question-asked') break;
        await withoutItsLock(world);
        const again = await world.restart();
        const { outcome } = await again.play(undefined);
        assert.deepEqual(asked, ['Which tide?', 'Which tide?']);
        assert.ok(outcome.kind === 'completed' && /low/.test(outcome.answer), JSON.stringify(outcome));
      },
    );
  });

  it('also asks again after a normal shutdown', () => {
    let asked = 0;
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (_, signal) => (++asked === 1 ? neverAnswered(signal) : { kind: 'once' }),
        story: [{ call: [call] }, { say: 'Written.' }],
      },
      async (world) => {
        const handle = world.run('write');
        for await (const event of handle.events()) if (event.type === 'approval-requested') break;
        await world.engine.shutDown();
        const again = await world.restart();
        assert.deepEqual((await again.play(undefined)).outcome, { kind: 'completed', answer: 'Written.' });
        assert.equal(await world.read('a.txt'), 'x');
      },
    );
  });

  it('during a command does not run it again, and tells the model', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'echo ran >> log.txt; sleep 600' } }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const handle = world.run('run it');
        for await (const event of handle.events()) if (event.type === 'tool-started') break;
        await withoutItsLock(world);
        const again = await world.restart();
        const { outcome } = await again.play(undefined);
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /may have had an effect/);
        handle.cancel();
        await handle.outcome;
      },
    ));

  it('in the middle of an answer resumes with a note and the partial answer for the model', () =>
    withWorld({ story: [{ say: 'The first half', hold: 'forever' }, { say: 'and the second.' }] }, async (world) => {
      const handle = world.run('tell me');
      for await (const event of handle.events()) if (event.type === 'text-delta') break;
      handle.cancel();
      await handle.outcome;
      const again = await world.restart();
      assert.deepEqual((await again.play(undefined)).outcome, { kind: 'completed', answer: 'and the second.' });
      const [, asked] = world.server.requests;
      const said = asked?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text) ?? [];
      assert.deepEqual([said[0], said.at(-1)], ['tell me', 'Continue where you were cut off.']);
      assert.match(said[1] ?? '', /^The/);
    }));

  it('can be left alone: a new message continues, with the open call reported as interrupted', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (_, signal) => neverAnswered(signal),
        story: [{ call: [call] }, { say: 'As you like.' }],
      },
      async (world) => {
        const handle = world.run('write');
        for await (const event of handle.events()) if (event.type === 'approval-requested') break;
        await withoutItsLock(world);
        const again = await world.restart();
        assert.equal((await again.play('something else')).outcome.kind, 'completed');
        const results = world.server.requests[1]?.messages.flatMap((message) => message.results) ?? [];
        assert.match(results[0]?.text ?? '', /interrupted/);
      },
    ));
});
