import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../../src/base/async';
import { type AgentSession, filesBefore, restoreFiles } from '../../../src/engine';
import type { PluginTool } from '../../../src/engine/tools/plugin/pluginTool';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { nodePaths } from '../../../src/node/nodePaths';
import { type EngineWorld, type Played, withWorld, type WorldOptions } from '../../support/engineWorld';
import type { StoryStep } from '../../support/modelServer/story';

const ports = { files: nodeFileSystem(), paths: nodePaths() };
const edit = (path: string, old: string, now: string) => ({
  name: 'fs_edit',
  arguments: { path, old_string: old, new_string: now },
});
const remove = (path: string) => ({ name: 'fs_rm', arguments: { path, recursive: true } });
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));

async function beforeAll({ engine, sessionId }: EngineWorld) {
  const session: AgentSession = await engine.sessions.open(sessionId);
  const [first] = session.messages;
  assert.ok(first);
  return filesBefore(session, first.id, ports);
}

/** A third-party tool that changes two files of the workspace as `change` does. */
function twoFiles({ folder }: EngineWorld, change: PluginTool['run']): PluginTool {
  return {
    name: 'acme_change',
    description: 'Changes a.txt and b.txt.',
    category: 'write',
    inputSchema: { type: 'object', properties: {} },
    touches: () => Promise.resolve([join(folder, 'a.txt'), join(folder, 'b.txt')]),
    run: change,
  };
}

const callsChange = { call: [{ name: 'acme_change', arguments: {} }] };

describe('A file that several agents change at once', () => {
  it('contains every edit that was reported as done', () => {
    const names = Array.from({ length: 12 }, (_, at) => `line${at}`);
    const step: StoryStep = ({ messages, lastText }) => {
      const asked = messages.find(({ role }) => role === 'user')?.text ?? '';
      return messages.some(({ role }) => role === 'tool')
        ? { say: lastText }
        : { call: [edit('a.txt', `${asked}\n`, `${asked} done\n`)] };
    };
    const story = names.flatMap(() => [step, step]);
    const files = { 'a.txt': names.map((name) => `${name}\n`).join('') };
    return withWorld({ story, files }, async (world) => {
      const told = await Promise.all(
        names.map(async (name) => {
          const fresh = { workspace: world.folder, model: 'openai:test-model', name: null };
          const { id } = await world.engine.sessions.create({ ...fresh, approvalMode: 'nothing' });
          const [result] = results(await world.play(name, { sessionId: id }));
          return { name, isDone: result?.status === 'ok', text: result?.text ?? '' };
        }),
      );
      const text = await world.read('a.txt');
      const wrong = told.filter(({ name, isDone }) => isDone !== text.includes(`${name} done\n`));
      assert.deepEqual(wrong, []);
      assert.ok(told.some(({ isDone }) => isDone));
      for (const { isDone, text: said } of told)
        if (!isDone) assert.match(said, /changed in the meantime; nothing was written/);
    });
  });

  it('is changed by one agent at a time, also with contributed tools, however its path is written', () =>
    withWorld(
      { story: [callsChange, { say: 'One.' }, { say: 'Two.' }], files: { 'a.txt': 'old\n' } },
      async (world) => {
        await symlink('a.txt', join(world.folder, 'link.txt'));
        const begun = new Deferred<void>();
        const gate = new Deferred<void>();
        const change = async () => {
          begun.resolve();
          await gate.promise;
          return 'Changed.';
        };
        world.engine.registerTool(twoFiles(world, change));
        const playing = world.play('go');
        await begun.promise;
        const order: string[] = [];
        const { signal } = new AbortController();
        const waiting = ports.files.inTurn(
          [join(world.folder, 'link.txt')],
          () => Promise.resolve(order.push('other')),
          signal,
        );
        await ports.files.inTurn(
          [join(world.folder, 'elsewhere', 'x')],
          () => Promise.resolve(order.push('beside')),
          signal,
        );
        gate.resolve();
        await waiting;
        await playing;
        assert.deepEqual(order, ['beside', 'other']);
      },
    ));
});

describe('Edits of one file in one reply', () => {
  it('run one after the other, however the path is written', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'one\ntwo\nthree\n' },
        story: [
          { call: [edit('a.txt', 'one', '1'), edit('./a.txt', 'two', '2'), edit('link.txt', 'three', '3')] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await symlink('a.txt', join(world.folder, 'link.txt'));
        const done = results(await world.play('go'));
        assert.deepEqual(
          done.map(({ status, text }) => `${status}: ${text}`),
          ['ok: Wrote a.txt (+1 -1).', 'ok: Wrote a.txt (+1 -1).', 'ok: Wrote link.txt (+1 -1).'],
        );
        assert.equal(await world.read('a.txt'), '1\n2\n3\n');
      },
    ));
});

describe('A change in progress', () => {
  it('is finished before a cancelled run ends, and reported as done', () =>
    withWorld({ story: [callsChange], files: { 'a.txt': 'old\n' } }, async (world) => {
      const begun = new Deferred<void>();
      const gate = new Deferred<void>();
      const change = async () => {
        begun.resolve();
        await gate.promise;
        await writeFile(join(world.folder, 'a.txt'), 'new\n');
        return 'Changed.';
      };
      world.engine.registerTool(twoFiles(world, change));
      const handle = world.run('go');
      let atEnd = '';
      const ended = handle.outcome.then(async (outcome) => {
        atEnd = await world.read('a.txt');
        return outcome;
      });
      await begun.promise;
      handle.cancel();
      setImmediate(() => gate.resolve());
      assert.equal((await ended).kind, 'cancelled');
      assert.equal(atEnd, 'new\n');
      const { messages } = await world.engine.sessions.open(world.sessionId);
      const last = messages.at(-1);
      assert.deepEqual(last?.role === 'tool' && last.results.map(({ status, text }) => [status, text]), [
        ['ok', 'Changed.'],
      ]);
      assert.equal((await beforeAll(world)).length, 1);
    }));

  it('can be undone when it fails halfway, without affecting files it did not change', () =>
    withWorld(
      { story: [callsChange, { say: 'It failed.' }], files: { 'a.txt': 'old a\n', 'b.txt': 'old b\n' } },
      async (world) => {
        const change = async () => {
          await writeFile(join(world.folder, 'a.txt'), 'half\n');
          throw new Error('The disk is on fire.');
        };
        world.engine.registerTool(twoFiles(world, change));
        await world.play('go');
        await writeFile(join(world.folder, 'b.txt'), 'by hand\n');
        const before = await beforeAll(world);
        assert.deepEqual(
          before.map(({ path, changedSince }) => [path, changedSince]),
          [[join(world.folder, 'a.txt'), false]],
        );
        await restoreFiles(before, ports.files);
        assert.equal(await world.read('a.txt'), 'old a\n');
        assert.equal(await world.read('b.txt'), 'by hand\n');
      },
    ));

  it('can be undone when the process dies in the middle of it', () =>
    withWorld({ story: [callsChange], files: { 'a.txt': 'old a\n', 'b.txt': 'old b\n' } }, async (world) => {
      const begun = new Deferred<void>();
      const gate = new Deferred<void>();
      const change = async () => {
        await writeFile(join(world.folder, 'a.txt'), 'half\n');
        begun.resolve();
        await gate.promise;
        return 'Changed.';
      };
      world.engine.registerTool(twoFiles(world, change));
      const handle = world.run('go');
      await begun.promise;
      const before = await beforeAll(await world.restart());
      assert.deepEqual(
        before.map(({ path }) => path),
        [join(world.folder, 'a.txt')],
      );
      await writeFile(join(world.folder, 'a.txt'), new TextDecoder().decode(before[0]?.bytes ?? new Uint8Array()));
      assert.equal(await world.read('a.txt'), 'old a\n');
      gate.resolve();
      handle.cancel();
      await handle.outcome;
    }));
});

describe('Undoing changes', () => {
  it('reports a file as changed since if it was modified between or after the agent’s changes', () => {
    const story = [
      { call: [edit('a.txt', 'one', '1')] },
      { say: 'One.' },
      { call: [edit('a.txt', 'two', '2')] },
      { say: 'Two.' },
    ];
    return withWorld({ story, files: { 'a.txt': 'one\ntwo\n' } }, async (world) => {
      const isChanged = async () => (await beforeAll(world)).map(({ changedSince }) => changedSince);
      await world.play('first');
      assert.deepEqual(await isChanged(), [false]);
      await writeFile(join(world.folder, 'a.txt'), '1\nby hand\ntwo\n');
      await world.play('second');
      assert.deepEqual(await isChanged(), [true]);
    });
  });

  it('reports a file as changed since if it was modified after the second of two changes', () => {
    const story = [{ call: [edit('a.txt', 'one', '1')] }, { call: [edit('a.txt', 'two', '2')] }, { say: 'Both.' }];
    return withWorld({ story, files: { 'a.txt': 'one\ntwo\n' } }, async (world) => {
      await world.play('first');
      assert.deepEqual(
        (await beforeAll(world)).map(({ changedSince }) => changedSince),
        [false],
      );
      await writeFile(join(world.folder, 'a.txt'), '1\ntwo\n');
      assert.deepEqual(
        (await beforeAll(world)).map(({ changedSince }) => changedSince),
        [true],
        'what the first change left is not what the last one left',
      );
    });
  });

  it('skips a file that was too large to keep, whose removal is reported', () =>
    withWorld(
      { story: [{ call: [remove('build')] }, { say: 'Gone.' }], files: { 'build/a.txt': 'a' } },
      async (world) => {
        await writeFile(join(world.folder, 'build', 'big.bin'), '');
        await truncate(join(world.folder, 'build', 'big.bin'), 3 * 1024 ** 3);
        const played = await world.play('go');
        assert.deepEqual(
          results(played).map(({ status }) => status),
          ['ok'],
        );
        await assert.rejects(stat(join(world.folder, 'build')));
        const notices = played.events.flatMap((one) => (one.type === 'notice' ? [one.text] : []));
        assert.match(notices.join(), /build\/big\.bin.*cannot bring/);
        const before = await beforeAll(world);
        assert.deepEqual(before.map(({ path, notKept }) => [path, notKept]).sort(), [
          [join(world.folder, 'build', 'a.txt'), false],
          [join(world.folder, 'build', 'big.bin'), true],
        ]);
        await restoreFiles(before, ports.files);
        assert.deepEqual(await readdir(join(world.folder, 'build')), ['a.txt']);
      },
    ));

  it('reports one more file when two were too large', () =>
    withWorld(
      { story: [{ call: [remove('build')] }, { say: 'Gone.' }], files: { 'build/a.txt': 'a' } },
      async (world) => {
        for (const name of ['big.bin', 'bigger.bin']) {
          await writeFile(join(world.folder, 'build', name), '');
          await truncate(join(world.folder, 'build', name), 3 * 1024 ** 3);
        }
        const notices = (await world.play('go')).events.flatMap((one) => (one.type === 'notice' ? [one.text] : []));
        assert.match(notices.join(), /build\/big\w*\.bin and at least 1 more/);
        assert.doesNotMatch(notices.join(), /trash/, 'where there is none');
      },
    ));

  it('reports how much of a very large folder cannot be undone', () => {
    const files = Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`build/${1000 + at}.txt`, 'x']));
    return withWorld({ story: [{ call: [remove('build')] }, { say: 'Gone.' }], files }, async (world) => {
      const notices = (await world.play('go')).events.flatMap((one) => (one.type === 'notice' ? [one.text] : []));
      assert.match(notices.join(), /build\/\d+\.txt and at least 99 more/);
      assert.equal((await beforeAll(world)).filter(({ notKept }) => notKept).length, 100);
    });
  });
});

describe('A folder replaced with a link during approval', () => {
  const swap = async ({ folder }: EngineWorld) => {
    await mkdir(join(folder, '..', 'elsewhere'));
    await writeFile(join(folder, '..', 'elsewhere', 'a.txt'), 'theirs\n');
    await rename(join(folder, 'src'), join(folder, 'moved'));
    await symlink(join('..', 'elsewhere'), join(folder, 'src'));
  };
  const calls = {
    'an edit': edit('src/a.txt', 'ours', 'mine'),
    'a new file': { name: 'fs_write', arguments: { path: 'src/new.txt', contents: 'new' } },
    'a removal': remove('src/a.txt'),
    'a reading': { name: 'fs_read', arguments: { path: 'src/a.txt' } },
    'a command': { name: 'execute_command', arguments: { command: 'echo mine > src/a.txt' } },
  };
  for (const [what, called] of Object.entries(calls)) {
    it(`is not followed by ${what}`, async () => {
      const swapped: { do?: () => Promise<void> } = {};
      const approve: WorldOptions['approve'] = async () => {
        await swapped.do?.();
        return { kind: 'once' };
      };
      const options: WorldOptions = { approvalMode: 'everything', approve, files: { 'src/a.txt': 'ours\n' } };
      await withWorld({ ...options, story: [{ call: [called] }, { say: 'Done.' }] }, async (world) => {
        swapped.do = () => swap(world);
        const played = await world.play('go');
        const [result] = results(played);
        assert.equal(result?.status, 'error');
        assert.match(result.text, /elsewhere.*nothing was done/);
        const isStarted = played.events.some(({ type }) => type === 'tool-started');
        assert.equal(isStarted, what === 'a reading', 'what would change something is not told as begun');
        assert.equal(await readFile(join(world.folder, '..', 'elsewhere', 'a.txt'), 'utf8'), 'theirs\n');
        assert.deepEqual(await readdir(join(world.folder, '..', 'elsewhere')), ['a.txt']);
      });
    });
  }

  it('does not affect a command whose file is unknown beforehand', () => {
    const command = 'OUT=src/b.txt; echo mine > "$OUT"';
    const story = [{ call: [{ name: 'execute_command', arguments: { command } }] }, { say: 'Done.' }];
    return withWorld({ approvalMode: 'everything', files: { 'src/a.txt': 'ours\n' }, story }, async (world) => {
      const [result] = results(await world.play('go'));
      assert.equal(result?.status, 'ok', result?.text);
      assert.equal(await world.read('src/b.txt'), 'mine\n');
    });
  });
});
