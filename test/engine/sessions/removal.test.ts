import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBefore, restoreFiles } from '../../../src/engine';
import { nodePorts } from '../../../src/node/nodePorts';
import { chatsOf } from '../../support/chatsOf';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { processIn } from '../../support/processIn';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log: quiet });

describe('A deleted or renamed session', () => {
  it('ends its run and background commands on deletion, and leaves no folder', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'echo $$ > pid; sleep 600', background: true } }] },
          { say: 'A long answer', hold: 'forever' },
        ],
      },
      async (world) => {
        const handle = world.run('go');
        for await (const event of handle.events()) if (event.type === 'text-delta') break;
        const pid = await processIn(() => world.read('pid'));
        await world.engine.deleteSession(world.sessionId);
        assert.equal((await handle.outcome).kind, 'cancelled');
        assert.throws(() => process.kill(pid, 0), /ESRCH/);
        assert.equal(existsSync(join(world.sessionsFolder, world.sessionId)), false);
        assert.deepEqual(await world.engine.sessions.list(), []);
      },
    ));

  it('leaves its branch intact on deletion, whose files can still be restored', () =>
    withWorld(
      {
        files: { 'a.txt': 'mine\n' },
        story: [
          { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'agent\n' } }] },
          { say: 'Done.' },
          { say: 'More.' },
        ],
      },
      async (world) => {
        await world.play('change it');
        await world.play('and now');
        const { sessions } = world.engine;
        const users = (await sessions.open(world.sessionId)).messages.filter(({ role }) => role === 'user');
        const branch = await sessions.branch(world.sessionId, users[1]?.id ?? '');
        await world.engine.deleteSession(world.sessionId);
        await restoreFiles(await filesBefore(branch, users[0]?.id ?? '', ports), ports.files);
        assert.equal(await world.read('a.txt'), 'mine\n');
      },
    ));

  it('keeps its place in the list and its opening message on renaming', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      await world.play('Is the sundial right?');
      const [before] = await world.engine.sessions.list();
      await (await world.engine.sessions.open(world.sessionId)).rename('Clocks');
      const [after] = await world.engine.sessions.list();
      assert.deepEqual([after?.title, after?.opening], ['Clocks', 'Is the sundial right?']);
      assert.equal(after?.modifiedAt, before?.modifiedAt);
    }));
});

describe('A command stopped on its own', () => {
  it('ends with its output so far, and the run continues', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'echo begun; sleep 600' }, id: 'call-1' }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const handle = world.run('go');
        let answer = '';
        let status = '';
        for await (const event of handle.events()) {
          if (event.type === 'tool-progress' && event.chunk.includes('begun')) assert.ok(handle.stopCall(event.callId));
          if (event.type === 'tool-finished') status = event.result.status;
          if (event.type === 'text-delta') answer += event.text;
        }
        assert.equal(status, 'cancelled');
        assert.match(answer, /The user stopped this command[\s\S]*begun/);
        assert.equal((await handle.outcome).kind, 'completed');
        assert.equal(handle.stopCall('call-1'), false);
      },
    ));
});

describe('A session folder that something else wrote', () => {
  const NEW_ID = '11111111-1111-4111-8111-111111111111';
  const metadataOf = ({ sessionsFolder }: EngineWorld, id: string) => join(sessionsFolder, id, 'metadata.json');

  it('is a session of its own, even if it is a copy of another', () =>
    withWorld({}, async (world) => {
      await cp(join(world.sessionsFolder, world.sessionId), join(world.sessionsFolder, NEW_ID), { recursive: true });
      const { engine } = await world.restart();
      assert.deepEqual((await engine.sessions.list()).map(({ id }) => id).sort(), [world.sessionId, NEW_ID].sort());
      await engine.sessions.rename(NEW_ID, 'The copy');
      const titles = (await engine.sessions.list()).map(({ id, title }) => [id, title]).sort();
      assert.deepEqual(
        titles,
        [
          [world.sessionId, ''],
          [NEW_ID, 'The copy'],
        ].sort(),
      );
      assert.deepEqual(await engine.deleteSession(NEW_ID), [NEW_ID]);
      assert.ok(existsSync(metadataOf(world, world.sessionId)));
    }));

  it('is listed, notified and deleted even if it is its own ancestor', () =>
    withWorld({}, async (world) => {
      const fresh = { workspace: world.folder, model: null, approvalMode: 'nothing', name: null } as const;
      const { id: other } = await world.engine.sessions.create(fresh);
      const ids = [world.sessionId, other].sort();
      for (const [id, above] of [
        [world.sessionId, other],
        [other, world.sessionId],
      ] as const) {
        const metadata = { ...(JSON.parse(await readFile(metadataOf(world, id), 'utf8')) as object), title: id };
        await writeFile(
          metadataOf(world, id),
          JSON.stringify({ ...metadata, parent: { sessionId: above, callId: null } }),
        );
      }
      const again = await world.restart();
      const chats = chatsOf(again);
      assert.deepEqual((await chats.list()).map(({ sessionId }) => sessionId).sort(), ids);
      const chat = await chats.open(world.sessionId);
      await chats.tell(world.sessionId, { type: 'title-changed', title: 'Told' });
      assert.equal(chat.state.title, 'Told');
      chats.dispose();
      assert.deepEqual(await again.engine.sessions.below(other), []);
      for (const id of ids) await again.engine.deleteSession(id);
      assert.deepEqual(await again.engine.sessions.list(), []);
    }));
});
