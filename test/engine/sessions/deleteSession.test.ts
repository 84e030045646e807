import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { processTable } from '../../../src/node/processes/endWithUs';
import { poll } from '../../node/poll';
import { withWorld } from '../../support/engineWorld';
import { otherWindow } from '../../support/otherWindow';

const userMessage = {
  role: 'user',
  id: 'm1',
  time: 0,
  steering: false,
  parts: [{ type: 'text', text: 'late' }],
} as const;

describe('Deleting a session', () => {
  it('removes it from the list and from the disk, and leaves the others', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      const { engine, sessionId, folder, sessionsFolder } = world;
      await world.play('first');
      const other = await engine.sessions.create({
        workspace: folder,
        model: null,
        approvalMode: 'nothing',
        name: null,
      });
      await engine.deleteSession(sessionId);
      assert.deepEqual(
        (await engine.sessions.list()).map(({ id }) => id),
        [other.id],
      );
      assert.deepEqual(await readdir(sessionsFolder), [other.id]);
      await assert.rejects(engine.sessions.open(sessionId), /was deleted\. Start a new one/);
      await engine.deleteSession(sessionId);
    }));

  it('ends its background commands', function () {
    if (process.platform === 'win32') this.skip();
    const command = 'sleep 600 & echo $! > child; wait';
    const call = { name: 'execute_command', arguments: { command, background: true } };
    return withWorld({ story: [{ call: [call] }, { say: 'It runs.' }] }, async (world) => {
      await world.play('start it');
      await poll('child', async () => /\d+\n/.test(await world.read('child').catch(() => '')));
      const pid = Number(await world.read('child'));
      await world.engine.deleteSession(world.sessionId);
      assert.equal(
        (await processTable()).some((row) => row.pid === pid),
        false,
      );
    });
  });

  it('is refused while another window works in it, and views are notified', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      const other = await otherWindow(world);
      assert.equal(await session.heldElsewhere(), true);
      await assert.rejects(world.engine.deleteSession(world.sessionId), /running in another window\. Stop it there/);
      assert.deepEqual(await readdir(world.sessionsFolder), [world.sessionId]);
      await other.end();
      assert.equal(await session.heldElsewhere(), false);
      await world.engine.deleteSession(world.sessionId);
      assert.deepEqual(await readdir(world.sessionsFolder), []);
    }));

  it('stops its run first', () =>
    withWorld(
      { story: [{ call: [{ name: 'execute_command', arguments: { command: 'sleep 600' } }] }] },
      async (world) => {
        const handle = world.run('wait');
        for await (const event of handle.events()) if (event.type === 'tool-started') break;
        await world.engine.deleteSession(world.sessionId);
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        assert.deepEqual(await readdir(world.sessionsFolder), []);
      },
    ));

  it('is not undone by a late write', () =>
    withWorld({}, async ({ engine, sessionId, sessionsFolder }) => {
      const session = await engine.sessions.open(sessionId);
      await engine.deleteSession(sessionId);
      await assert.rejects(session.add({ ...userMessage, parts: [...userMessage.parts] }), /was deleted/);
      assert.deepEqual(await readdir(sessionsFolder), []);
    }));
});

describe('Renaming a session', () => {
  it('keeps the new title on one line, also after a restart, without changing the history', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      await world.play('first');
      const before = (await world.engine.sessions.open(world.sessionId)).history.length;
      assert.equal(await world.engine.sessions.rename(world.sessionId, '  Dates\n  and times '), 'Dates and times');
      const again = await (await world.restart()).engine.sessions.open(world.sessionId);
      assert.equal(again.metadata.title, 'Dates and times');
      assert.equal(again.history.length, before);
    }));

  it('rejects an empty title', () =>
    withWorld({}, async ({ engine, sessionId }) => {
      await assert.rejects(engine.sessions.rename(sessionId, ' \n'), /needs a name/);
    }));
});
