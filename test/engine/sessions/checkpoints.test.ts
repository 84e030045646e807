import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBefore, restoreFiles } from '../../../src/engine';
import { userMessage } from '../../../src/engine/messages/message';
import { planCheckpoint, withCheckpoint } from '../../../src/engine/sessions/fileCheckpoints';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { nodePaths } from '../../../src/node/nodePaths';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import type { Story } from '../../support/modelServer/story';

const ports = { files: nodeFileSystem(), paths: nodePaths() };
const write = (path: string, contents: string) => ({ name: 'fs_write', arguments: { path, contents } });
const story: Story = [
  { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
  { call: [write('a.txt', 'first change\n')] },
  { say: 'Done.' },
  { call: [write('a.txt', 'second change\n'), write('new.txt', 'new\n')] },
  { say: 'Done again.' },
];

async function questionOf(world: EngineWorld, text: string): Promise<string> {
  const { messages } = await world.engine.sessions.open(world.sessionId);
  const found = messages.find(
    (message) => message.role === 'user' && message.parts.some((part) => part.type === 'text' && part.text === text),
  );
  assert.ok(found);
  return found.id;
}

describe('The files of a turn', () => {
  it('can be restored to their state before its message, also after a restart', () =>
    withWorld({ files: { 'a.txt': '\uFEFForiginal\r\n' }, story }, async (world) => {
      await world.play('one');
      await world.play('two');
      const again = await world.restart();
      const session = await again.engine.sessions.open(world.sessionId);
      const two = await filesBefore(session, await questionOf(again, 'two'), ports);
      assert.deepEqual(
        two.map(({ changedSince }) => changedSince),
        [false, false],
      );
      await restoreFiles(two, ports.files);
      assert.match(await world.read('a.txt'), /first change/);
      await assert.rejects(world.read('new.txt'), 'a file that was not there before is gone again');
      await restoreFiles(await filesBefore(session, await questionOf(again, 'one'), ports), ports.files);
      assert.equal(await world.read('a.txt'), '\uFEFForiginal\r\n');
    }));

  it('go to the trash if they are new, and the rest is restored whatever fails', () =>
    withWorld({ files: { 'a.txt': 'original\n' }, story }, async (world) => {
      await world.play('one');
      await world.play('two');
      const session = await world.engine.sessions.open(world.sessionId);
      const before = (await filesBefore(session, await questionOf(world, 'one'), ports)).reverse();
      const created = join(world.folder, 'new.txt');
      const trash = (path: string) => Promise.reject(new Error(`The trash does not take ${path}.`));
      assert.deepEqual(
        before.map(({ path, bytes }) => [path, bytes === null]),
        [
          [created, true],
          [join(world.folder, 'a.txt'), false],
        ],
      );
      await assert.rejects(restoreFiles(before, { ...ports.files, trash }), {
        name: 'EngineError',
        message: `The trash does not take ${created}.`,
      });
      assert.equal(await world.read('a.txt'), 'original\n');
      const trashed: string[] = [];
      const files = { ...ports.files, trash: (path: string) => Promise.resolve(void trashed.push(path)) };
      await restoreFiles(before, files);
      assert.deepEqual(trashed, [created]);
      await ports.files.remove(created);
      await restoreFiles(before, files);
      assert.deepEqual(trashed, [created], 'what is gone already needs no trash');
    }));

  for (const [what, between, isChanged] of [
    ['marked as changed if someone else modified them between two changes of the turn', 'mine\n', true],
    ['not marked as changed if only the turn modified them, twice', undefined, false],
  ] as const)
    it(`are ${what}`, () => {
      const look = { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] };
      const file = { path: '' };
      const second = () => {
        if (between !== undefined) writeFileSync(file.path, between);
        return look;
      };
      const twice: Story = [
        look,
        { call: [write('a.txt', 'first\n')] },
        second,
        { call: [write('a.txt', 'second\n')] },
        { say: 'Done.' },
      ];
      return withWorld({ files: { 'a.txt': 'original\n' }, story: twice }, async (world) => {
        file.path = join(world.folder, 'a.txt');
        await world.play('one');
        assert.equal(await world.read('a.txt'), 'second\n');
        const session = await world.engine.sessions.open(world.sessionId);
        const [found] = await filesBefore(session, await questionOf(world, 'one'), ports);
        assert.equal(found?.changedSince, isChanged);
        assert.equal(new TextDecoder().decode(found.bytes ?? undefined), 'original\n');
      });
    });

  it('exclude changes cut off before they had an effect, and include the others', () =>
    withWorld({ files: { 'a.txt': 'original\n' }, story }, async (world) => {
      await world.play('one');
      const history = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      const lines = (await readFile(history, 'utf8')).split('\n');
      const isEnd = (line: string) => line.includes('"file-changed"') && line.includes('"after"');
      await writeFile(history, lines.filter((line) => !isEnd(line)).join('\n'));
      const again = await world.restart();
      const session = await again.engine.sessions.open(world.sessionId);
      const one = await questionOf(again, 'one');
      const [found] = await filesBefore(session, one, ports);
      assert.deepEqual([found?.path, found?.changedSince], [join(world.folder, 'a.txt'), true]);
      await writeFile(join(world.folder, 'a.txt'), 'original\n');
      assert.deepEqual(await filesBefore(session, one, ports), []);
    }));

  it('are skipped if modified during the user’s confirmation, and the others are restored', () =>
    withWorld({ files: { 'a.txt': 'original\n' }, story }, async (world) => {
      await world.play('one');
      await world.play('two');
      const session = await world.engine.sessions.open(world.sessionId);
      const before = await filesBefore(session, await questionOf(world, 'one'), ports);
      await writeFile(join(world.folder, 'new.txt'), 'mine by now\n');
      await assert.rejects(
        restoreFiles(before, ports.files),
        /new\.txt was changed in the meantime and is left as it is\./,
      );
      assert.equal(await world.read('new.txt'), 'mine by now\n');
      assert.equal(await world.read('a.txt'), 'original\n');
      await restoreFiles(await filesBefore(session, await questionOf(world, 'one'), ports), ports.files);
      await assert.rejects(world.read('new.txt'));
    }));

  it('are reported when they were modified since', () =>
    withWorld({ files: { 'a.txt': 'original\n' }, story }, async (world) => {
      await world.play('one');
      await writeFile(join(world.folder, 'a.txt'), 'by hand\n');
      const session = await world.engine.sessions.open(world.sessionId);
      const [before] = await filesBefore(session, await questionOf(world, 'one'), ports);
      assert.equal(before?.changedSince, true);
    }));

  it('are reported and left unchanged when they were too large to copy', () =>
    withWorld({ files: { 'large.txt': 'x'.repeat(20_000_001), 'small.txt': 'small\n' } }, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      const message = userMessage('change both', 0, false);
      await session.add(message);
      const [large, small] = [join(world.folder, 'large.txt'), join(world.folder, 'small.txt')];
      await withCheckpoint(session, await planCheckpoint([large, small], ports.files), ports, async () => {
        await writeFile(large, 'changed\n');
        await writeFile(small, 'changed\n');
      });
      const again = await (await world.restart()).engine.sessions.open(world.sessionId);
      const before = await filesBefore(again, message.id, ports);
      assert.deepEqual(
        before.filter(({ notKept }) => notKept).map(({ path }) => path),
        [large],
      );
      await restoreFiles(before, ports.files);
      assert.deepEqual([await world.read('large.txt'), await world.read('small.txt')], ['changed\n', 'small\n']);
    }));

  it('are none for a message that changed nothing, or an unknown one', () =>
    withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      await world.play('hi');
      const session = await world.engine.sessions.open(world.sessionId);
      assert.deepEqual(await filesBefore(session, await questionOf(world, 'hi'), ports), []);
      assert.deepEqual(await filesBefore(session, 'no such message', ports), []);
    }));
});

describe('A branch', () => {
  it('contains everything before the message, diverges, and leaves the original session unchanged', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Another two.' }] }, async (world) => {
      await world.play('first');
      await world.play('second');
      const branch = await world.engine.sessions.branch(world.sessionId, await questionOf(world, 'second'));
      await world.play('different', { sessionId: branch.id });
      const said = world.server.requests[2]?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text);
      assert.deepEqual(said, ['first', 'One.', 'different']);
      assert.equal((await world.engine.sessions.open(world.sessionId)).messages.length, 4);
    }));

  it('after a run contains that run and nothing later', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Another two.' }] }, async (world) => {
      const first = world.run('first');
      await first.outcome;
      const second = world.run('second');
      await second.outcome;
      const branch = await world.engine.sessions.branch(world.sessionId, { after: first.id });
      assert.equal(branch.interrupted, false);
      await world.play('different', { sessionId: branch.id });
      const said = world.server.requests[2]?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text);
      assert.deepEqual(said, ['first', 'One.', 'different']);
      const whole = await world.engine.sessions.branch(world.sessionId, { after: second.id });
      assert.equal(whole.messages.length, 4);
      await assert.rejects(world.engine.sessions.branch(world.sessionId, { after: 'x' }), /no end of a run x/);
    }));

  it('at the first message is an empty session', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      await world.play('first');
      const branch = await world.engine.sessions.branch(world.sessionId, await questionOf(world, 'first'));
      assert.deepEqual([branch.messages.length, branch.metadata.title, branch.interrupted], [0, '', false]);
    }));

  it('is refused for a message sent while the agent worked, which would lose its run', () =>
    withWorld(
      {
        files: { 'a.txt': 'x' },
        story: [{ hold: 'reading', call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] }, { say: 'Done.' }],
      },
      async (world) => {
        const handle = world.run('first');
        await world.server.untilRequests(1);
        handle.send('and hurry');
        world.server.release('reading');
        await handle.outcome;
        const branching = world.engine.sessions.branch(world.sessionId, await questionOf(world, 'and hurry'));
        await assert.rejects(branching, /A session cannot end in the middle of a run/);
      },
    ));

  it('after an interrupted run keeps its text, and does not resume it', () =>
    withWorld(
      { story: [{ say: 'Half an ans', hold: 'half', chunk: 4 }, { say: 'Two.' }, { say: 'Other.' }] },
      async (world) => {
        const handle = world.run('first');
        await world.server.untilRequests(1);
        await world.engine.shutDown();
        await handle.outcome;
        const later = await world.restart();
        await later.play('second');
        const branch = await later.engine.sessions.branch(world.sessionId, await questionOf(later, 'second'));
        assert.equal(branch.interrupted, false);
        await later.play('different', { sessionId: branch.id });
        const said = world.server.requests[2]?.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
        assert.deepEqual(said, ['first', 'different']);
      },
    ));

  it('is refused for an unknown message', () =>
    withWorld({}, (world) => assert.rejects(world.engine.sessions.branch(world.sessionId, 'x'), /no message x/)));

  it('brings back the files of a removed folder', () =>
    withWorld(
      {
        files: { 'old/a.txt': 'a', 'old/deep/b.txt': 'b' },
        story: [{ call: [{ name: 'fs_rm', arguments: { path: 'old', recursive: true } }] }, { say: 'Gone.' }],
      },
      async (world) => {
        await world.play('remove it');
        await assert.rejects(world.read('old/a.txt'));
        const session = await world.engine.sessions.open(world.sessionId);
        await restoreFiles(await filesBefore(session, await questionOf(world, 'remove it'), ports), ports.files);
        assert.equal(await world.read('old/a.txt'), 'a');
        assert.equal(await world.read('old/deep/b.txt'), 'b');
      },
    ));
});
