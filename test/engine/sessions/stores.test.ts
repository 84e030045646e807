import assert from 'node:assert/strict';
import { access, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  EngineError,
  type SessionEntry,
  type SessionMetadata,
} from '../../../src/engine';
import {
  guardedStore,
  memorySessions,
  newMetadata,
  type ProgramStore,
  type SessionsOf,
} from '../../../src/engine/library';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { call, resultsIn } from '../agents/team/teamStory';

const MAPS = join(tmpdir(), `cairn-maps-${process.pid}`);

/** The minimal store of a program: two maps, and a folder for long content. */
function mapSessions(): SessionsOf {
  const all = new Map<string, { metadata: SessionMetadata; entries: SessionEntry[] }>();
  const held = new Set<string>();
  const at = (id: string) => all.get(id) ?? assert.fail(`no session ${id}`);
  return guardedStore(({ clock, files, paths }): ProgramStore => {
    const folder = (id: string) => paths.resolve(MAPS, id);
    return {
      create: (session) => {
        const metadata = newMetadata(session, clock.now());
        all.set(metadata.id, { metadata, entries: [] });
        return Promise.resolve(metadata);
      },
      open: (id) => {
        const { metadata, entries } = at(id);
        return Promise.resolve({ metadata, entries: structuredClone(entries), problems: [] });
      },
      append: (id, entry) => Promise.resolve(void at(id).entries.push(entry)),
      changeMetadata: (id, changes, isStill = () => true) => {
        const one = at(id);
        if (isStill(one.metadata)) one.metadata = { ...one.metadata, modifiedAt: clock.now(), ...changes };
        return Promise.resolve(one.metadata);
      },
      hold: (id) => {
        if (held.has(id)) return Promise.resolve(null);
        held.add(id);
        return Promise.resolve({ changed: true, release: () => Promise.resolve(void held.delete(id)) });
      },
      list: () => Promise.resolve([...all.values()].map(({ metadata }) => metadata)),
      remove: (id) => Promise.resolve(void all.delete(id)),
      folder,
      copyFile: async (from, to, name) => {
        await files.writeFile(join(folder(to), name), await files.readFile(join(folder(from), name)));
      },
    };
  });
}

const STORES: readonly (readonly [string, () => Pick<WorldOptions, 'sessions'>])[] = [
  ['on disk', () => ({})],
  ['in memory', () => ({ sessions: memorySessions() })],
  ['in a program’s store', () => ({ sessions: mapSessions() })],
];

const wordsOf = async (world: EngineWorld, id = world.sessionId) =>
  (await world.engine.sessions.open(id)).messages.flatMap((message) =>
    message.role === 'tool' ? [] : message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );

for (const [where, store] of STORES) {
  describe(`A session ${where}`, () => {
    after(() => rm(MAPS, { recursive: true, force: true }));

    it('is available to a later engine, which continues in it', () =>
      withWorld({ ...store(), story: [{ say: 'Nice to meet you.' }, { say: 'You are Ada.' }] }, async (world) => {
        await world.play('I am Ada.');
        const again = await world.restart();
        assert.deepEqual(await wordsOf(again), ['I am Ada.', 'Nice to meet you.']);
        await again.play('Who am I?');
        const said = world.server.requests[1]?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text);
        assert.deepEqual(said, ['I am Ada.', 'Nice to meet you.', 'Who am I?']);
      }));

    it('is listed, found by name, renamed and deleted', () =>
      withWorld({ ...store(), story: [{ say: 'Done.' }] }, async (world) => {
        const { sessions } = world.engine;
        const fresh = { workspace: world.folder, model: null, approvalMode: 'nothing' } as const;
        const both = await Promise.all([sessions.openNamed('birds', fresh), sessions.openNamed('birds', fresh)]);
        assert.equal(both[0].id, both[1].id);
        await sessions.rename(both[0].id, 'Herons');
        assert.equal((await sessions.find('birds', world.folder))?.title, 'Herons');
        assert.equal((await sessions.list()).length, 2);
        await world.engine.deleteSession(both[0].id);
        assert.deepEqual(
          (await sessions.list()).map(({ id }) => id),
          [world.sessionId],
        );
      }));

    it('stays complete when another one is deleted, and is not in use', () =>
      withWorld({ ...store(), story: [{ say: 'Kept.' }] }, async (world) => {
        await world.play('keep this');
        const { sessions } = world.engine;
        const other = await sessions.create({ workspace: '/', model: null, approvalMode: 'nothing', name: null });
        await world.engine.deleteSession(other.id);
        await assert.rejects((await world.restart()).engine.sessions.open(other.id));
        const again = await world.restart();
        assert.deepEqual(await wordsOf(again), ['keep this', 'Kept.']);
        assert.equal(await again.engine.sessions.heldElsewhere(world.sessionId), false);
      }));

    it('has what another engine added, before the next run', () =>
      withWorld({ ...store(), story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }] }, async (world) => {
        await world.play('first');
        await (await world.restart()).play('second');
        await world.play('third');
        const asked = world.server.requests.at(-1)?.messages.filter(({ role }) => role !== 'system');
        assert.deepEqual(
          asked?.map(({ text }) => text),
          ['first', 'One.', 'second', 'Two.', 'third'],
        );
      }));

    it('lets the user allow something always', () => {
      let asked = 0;
      const approve = ({ offers }: ApprovalRequest): ApprovalAnswer => {
        asked++;
        const offer = offers.find(({ scope }) => scope === 'workspace') ?? assert.fail();
        return { kind: 'always', offer };
      };
      const run = call('execute_command', { command: 'echo one' });
      const story = [run, { say: 'Once.' }, run, { say: 'Twice.' }];
      return withWorld({ ...store(), approvalMode: 'edits-and-commands', approve, story }, async (world) => {
        await world.play('run it');
        await (await world.restart()).play('run it again');
        assert.equal(asked, 1);
      });
    });

    it('is branched with the copies of its earlier files', () =>
      withWorld(
        {
          ...store(),
          files: { 'a.txt': 'before\n' },
          story: [
            { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
            call('fs_write', { path: 'a.txt', contents: 'after\n' }),
            { say: 'Done.' },
            { say: 'Again.' },
          ],
        },
        async (world) => {
          await world.play('one');
          await world.play('two');
          const { messages } = await world.engine.sessions.open(world.sessionId);
          const two = messages.filter(({ role }) => role === 'user').at(-1)?.id ?? assert.fail();
          const branch = await world.engine.sessions.branch(world.sessionId, two);
          assert.deepEqual(await wordsOf(await world.restart(), branch.id), ['one', 'Done.']);
          assert.ok(branch.history.some((entry) => entry.type === 'file-changed' && entry.before !== null));
        },
      ));

    it('continues after an interrupted run, and tells the model what had started', () =>
      withWorld(
        { ...store(), story: [call('execute_command', { command: 'sleep 30' }), { say: 'It was cut off.' }] },
        async (world) => {
          const run = world.run('go');
          await new Promise<void>((resolve) => {
            run.subscribe(({ type }) => type === 'tool-started' && resolve());
          });
          await world.engine.shutDown();
          const again = await world.restart();
          assert.equal((await again.engine.sessions.open(world.sessionId)).interrupted, true);
          assert.equal((await again.play('go on')).outcome.kind, 'completed');
          assert.match(resultsIn(world.server.requests.at(-1) ?? assert.fail()).join(), /interrupted/);
        },
      ));

    it('is used by one engine at a time', () =>
      withWorld({ ...store(), story: [{ say: 'First.', hold: 'first' }, { say: 'Second.' }] }, async (world) => {
        const first = world.run('one');
        await world.server.untilRequests(1);
        const second = (await world.restart()).run('two');
        const waits = new Promise<void>((resolve) => {
          second.subscribe((event) => {
            if (event.type === 'state-changed' && event.state === 'waiting-for-session') resolve();
          });
        });
        await Promise.race([waits, second.outcome]);
        assert.equal(world.server.requests.length, 1);
        world.server.release('first');
        assert.equal((await first.outcome).kind, 'completed');
        assert.equal((await second.outcome).kind, 'completed');
        assert.deepEqual(await wordsOf(await world.restart()), ['one', 'First.', 'two', 'Second.']);
      }));

    it('stores long outputs that the model can read', () =>
      withWorld(
        {
          ...store(),
          story: [
            call('execute_command', { command: 'seq 1 30000' }),
            (request) => {
              const [, path = ''] = /(\/\S+\/outputs\/\S+\.txt)/.exec(resultsIn(request).join()) ?? [];
              return call('fs_read', { path, offset: 15_000, limit: 1 });
            },
            (request) => ({ say: resultsIn(request).join() }),
          ],
        },
        async (world) => {
          const { outcome } = await world.play('count');
          assert.match(outcome.kind === 'completed' ? outcome.answer : outcome.kind, /15000/);
        },
      ));

    it('contains no known secret', () =>
      withWorld({ ...store(), key: 'sk-secret-1234567890', story: [{ say: 'ok' }] }, async (world) => {
        await world.play('My key is sk-secret-1234567890.');
        const session = await (await world.restart()).engine.sessions.open(world.sessionId);
        assert.doesNotMatch(JSON.stringify([session.history, session.metadata]), /sk-secret/);
      }));
  });
}

describe('Sessions in memory', () => {
  it('leave nothing on the disk: no history, lock, output, copy or record', () =>
    withWorld(
      {
        sessions: memorySessions(),
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'before\n' },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
          call('fs_write', { path: 'a.txt', contents: 'after\n' }),
          call('execute_command', { command: 'seq 1 30000' }),
          { say: 'Done.' },
          { say: 'Later.', hold: 'it' },
        ],
      },
      async (world) => {
        await world.play('go');
        const run = world.run('again');
        await world.server.untilRequests(5);
        const root = dirname(world.folder);
        assert.deepEqual((await readdir(root)).sort(), ['workspace']);
        assert.deepEqual(await readdir(world.folder), ['a.txt']);
        const { folder } = await world.engine.sessions.open(world.sessionId);
        await assert.rejects(access(folder));
        await assert.rejects(access(dirname(dirname(folder))));
        world.server.release('it');
        await run.outcome;
      },
    ));
});

describe('A custom session store', () => {
  it('is rejected with the session and the invalid entry', async () => {
    const fresh = { workspace: '/', model: null, approvalMode: 'nothing', name: null } as const;
    const entries = [z.custom<SessionEntry>().parse({ type: 'message' })];
    const metadata = newMetadata(fresh, 0);
    const sessions: SessionsOf = (ports) => {
      const store = mapSessions()(ports);
      const open = () => Promise.resolve({ metadata, entries, problems: [] });
      return guardedStore(() => ({ ...store, open }))(ports);
    };
    await withWorld({ sessions }, ({ engine, warnings }) =>
      assert.rejects(
        engine.sessions.open(metadata.id),
        /Entry 1 of session \S+, as the store gave it, is not valid/,
        warnings.join(),
      ),
    );
  });

  it('is rejected if it is incomplete, with what it lacks', async () => {
    const misfits: [unknown, RegExp][] = [
      [undefined, /session store cannot be used: expected object/],
      [{ create: () => undefined }, /“open”: expected a function.*“append”: expected a function/],
      [Promise.resolve({}), /it is a promise; pass the store itself/],
    ];
    for (const [misfit, names] of misfits) {
      const sessions = guardedStore(() => z.custom<ProgramStore>(() => true).parse(misfit));
      await assert.rejects(
        withWorld({ sessions }, () => Promise.resolve()),
        (error) => EngineError.is(error, 'invalid-input') && names.test(error.message),
      );
    }
  });

  for (const [how, fail] of [
    ['rejects', () => Promise.reject(new Error('the table is locked.'))],
    [
      'throws',
      () => {
        throw new Error('the table is locked.');
      },
    ],
  ] as const) {
    it(`fails the run with the name of the method that ${how}`, () => {
      let isBroken = false;
      const sessions: SessionsOf = (ports) => {
        const store = mapSessions()(ports);
        const append: ProgramStore['append'] = (id, entry) => (isBroken ? fail() : store.append(id, entry));
        return guardedStore(() => ({ ...store, append }))(ports);
      };
      return withWorld({ sessions, story: [{ say: 'Hello.' }] }, async (world) => {
        isBroken = true;
        const { outcome } = await world.play('go');
        const message = 'The session store of the program failed in “append”: the table is locked.';
        assert.deepEqual(outcome, { kind: 'failed', reason: 'session', message });
      });
    });
  }
});
