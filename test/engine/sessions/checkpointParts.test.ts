import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Deferred } from '../../../src/base/async';
import { EngineError, filesBefore, type FileSystem, restoreFiles } from '../../../src/engine';
import { userMessage } from '../../../src/engine/messages/message';
import { AgentSession } from '../../../src/engine/sessions/agentSession';
import { planCheckpoint, withCheckpoint } from '../../../src/engine/sessions/fileCheckpoints';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { type TemporaryFolder, temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

/** A file system with files of these sizes; any other file does not exist. */
function filesOf(sizes: Readonly<Record<string, number | 'pipe'>>): FileSystem {
  const stat: FileSystem['stat'] = (file) => {
    const size = sizes[file];
    if (size === undefined) return Promise.reject(new EngineError('not-found', `There is no ${file}.`));
    return Promise.resolve(
      size === 'pipe' ? { kind: 'other', size: 0, modifiedAt: 0 } : { kind: 'file', size, modifiedAt: 0 },
    );
  };
  return { ...ports.files, stat };
}

describe('The copies of changed files', () => {
  it('are limited to 20 MB per file', async () => {
    const files = filesOf({ '/large': 20_000_001, '/most': 20_000_000, '/pipe': 'pipe' });
    assert.deepEqual(await planCheckpoint(['/large', '/most', '/pipe', '/new'], files), {
      kept: ['/most', '/new'],
      notKept: ['/large', '/pipe'],
    });
  });

  it('are limited to 100 MB per call', async () => {
    const names = ['/1', '/2', '/3', '/4', '/5'];
    const sizes = Object.fromEntries(names.map((name) => [name, 20_000_000]));
    const files = filesOf({ ...sizes, '/6': 1, '/empty': 0 });
    assert.deepEqual(await planCheckpoint([...names, '/6', '/empty', '/new'], files), {
      kept: [...names, '/empty', '/new'],
      notKept: ['/6'],
    });
  });

  it('are limited to a thousand files per call', async () => {
    const names = Array.from({ length: 1002 }, (_, at) => `/new-${at}`);
    const { kept, notKept } = await planCheckpoint(names, filesOf({}));
    assert.deepEqual([kept, notKept], [names.slice(0, 1000), names.slice(1000)]);
  });

  it('are not planned where a file cannot be inspected', async () => {
    const stat: FileSystem['stat'] = (file) => Promise.reject(new EngineError('io', `${file} cannot be read.`));
    await assert.rejects(planCheckpoint(['/a.txt'], { ...ports.files, stat }), /\/a\.txt cannot be read/);
  });
});

describe('The files of a message', () => {
  const asked = userMessage('change them', 0, false);
  let folder: TemporaryFolder;
  let session: AgentSession;
  let id: string;

  const storeOn = (files: FileSystem) => new FileSessionStore(join(folder.path, 'sessions'), { ...ports, files });
  const opened = async (files: FileSystem) => {
    const store = storeOn(files);
    return new AgentSession(await store.open(id), store, ports.clock);
  };
  const at = (name: string) => join(folder.path, name);
  const changing = (names: readonly string[], change: () => Promise<void>, notKept: readonly string[] = []) =>
    withCheckpoint(session, { kept: names.map(at), notKept: notKept.map(at) }, ports, change);
  const writes = (name: string, contents: string) => () => writeFile(at(name), contents);
  const byPath = (a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path);
  // Concurrent backups are recorded in any order.
  const before = async () => (await filesBefore(session, asked.id, ports)).sort(byPath);
  const changes = () => session.history.flatMap((entry) => (entry.type === 'file-changed' ? [entry] : []));
  const begun = () =>
    changes()
      .filter(({ after }) => after === undefined)
      .sort(byPath);
  const ended = () =>
    changes()
      .filter(({ after }) => after !== undefined)
      .sort(byPath);

  beforeEach(async () => {
    folder = await temporaryFolder();
    await folder.write({ 'a.txt': 'original\n' });
    const fresh = { workspace: folder.path, model: null, approvalMode: 'nothing', name: null } as const;
    ({ id } = await storeOn(ports.files).create(fresh));
    session = await opened(ports.files);
    await session.add(asked);
  });
  afterEach(() => folder.remove());

  it('are saved as they were before any is changed, and as they are after the change', async () => {
    await changing(['a.txt', 'new.txt'], async () => {
      assert.deepEqual(
        begun().map(({ path }) => path),
        [at('a.txt'), at('new.txt')],
      );
      const [copy, none] = begun().map(({ before: name }) => name);
      assert.deepEqual([await readdir(join(session.folder, 'checkpoints')), none], [[copy], null]);
      await writes('a.txt', 'changed\n')();
      await writes('new.txt', 'new\n')();
    });
    const digests = ['changed\n', 'new\n'].map((text) => createHash('sha256').update(text).digest('hex'));
    assert.deepEqual(
      ended().map(({ after }) => after),
      digests,
      'which other versions of Cairn can compare',
    );
    assert.deepEqual(
      (await before()).map(({ bytes, now, changedSince, notKept }) => ({ is: !!bytes, now, changedSince, notKept })),
      digests.map((now, index) => ({ is: index === 0, now, changedSince: false, notKept: false })),
    );
  });

  it('are copied before they are recorded, and all recorded before any is changed, even on a slow disk', async () => {
    const happened: string[] = [];
    const slowly = async (what: string, work: () => Promise<void>) => {
      for (let turns = 0; turns < 5; turns++) await setImmediate();
      await work();
      happened.push(what);
    };
    const writeFile: FileSystem['writeFile'] = (file, bytes) =>
      slowly('copied', () => ports.files.writeFile(file, bytes));
    const appendLine: FileSystem['appendLine'] = (file, line) =>
      slowly('said', () => ports.files.appendLine(file, line));
    session = await opened({ ...ports.files, appendLine });
    const slow = { ...ports, files: { ...ports.files, writeFile } };
    const change = async () => void happened.push('changed');
    for (const name of ['new.txt', 'a.txt']) {
      await withCheckpoint(session, { kept: [at(name)], notKept: [] }, slow, change);
    }
    assert.deepEqual(happened, ['said', 'changed', 'said', 'copied', 'said', 'changed', 'said']);
    happened.length = 0;
    await withCheckpoint(session, { kept: [], notKept: [at('large.txt')] }, slow, change);
    assert.deepEqual(happened, ['said', 'changed']);
  });

  it('are all included when there are many', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `${index + 10}.txt`);
    await folder.write(Object.fromEntries(names.map((name) => [name, `${name} before`])));
    await changing(names, async () => {
      assert.equal(begun().length, 45);
      await folder.write(Object.fromEntries(names.map((name) => [name, 'after'])));
    });
    assert.equal(ended().length, 45);
    const found = await before();
    assert.deepEqual(
      found.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes ?? undefined)]),
      names.map((name) => [at(name), `${name} before`]),
    );
  });

  it('include those that a failed change left half done, with its error', async () => {
    const failing = changing(['a.txt'], async () => {
      await writes('a.txt', 'half')();
      throw new Error('The tool broke down.');
    });
    await assert.rejects(failing, /The tool broke down/);
    assert.deepEqual([ended().length, (await before())[0]?.changedSince], [1, false]);
    const lost = changing(['a.txt'], async () => {
      await rm(session.folder, { recursive: true });
      throw new Error('The tool broke down again.');
    });
    await assert.rejects(lost, /The tool broke down again/);
  });

  it('exclude those that were not changed, whatever happened to them since', async () => {
    await changing(['a.txt', 'never.txt'], () => Promise.resolve());
    assert.deepEqual(await before(), []);
    await folder.write({ 'a.txt': 'by hand\n', 'never.txt': 'by hand\n' });
    assert.deepEqual(await before(), []);
    await changing(['a.txt'], writes('a.txt', 'changed\n'));
    const [found] = await before();
    assert.deepEqual([new TextDecoder().decode(found?.bytes ?? undefined), found?.changedSince], ['by hand\n', false]);
  });

  it('include a change whose end was not recorded', async () => {
    await session.fileChanged({ path: at('new.txt'), before: null });
    assert.deepEqual(await before(), [], 'it was cut off before it did anything');
    await folder.write({ 'new.txt': 'half' });
    assert.deepEqual(
      (await before()).map(({ bytes, changedSince }) => [bytes, changedSince]),
      [[null, true]],
      'nobody knows who wrote it',
    );
    await changing(['a.txt'], writes('a.txt', 'changed\n'));
    const copy = changes().at(-1)?.before ?? assert.fail('there is no copy');
    await session.fileChanged({ path: at('gone.txt'), before: copy });
    const gone = (await before()).find(({ path }) => path === at('gone.txt'));
    assert.deepEqual([gone?.changedSince, gone?.now], [false, null], 'nothing is lost when it comes back');
  });

  it('are reported when one was removed by hand between two turns that created it', async () => {
    // As written by versions that recorded only the end of a change.
    const made = async (contents: string) => {
      await writes('new.txt', contents)();
      const after = createHash('sha256').update(contents).digest('hex');
      await session.fileChanged({ path: at('new.txt'), before: null, after });
    };
    await made('first\n');
    assert.deepEqual(
      (await before()).map(({ changedSince }) => changedSince),
      [false],
    );
    await made('second\n');
    assert.deepEqual(
      (await before()).map(({ changedSince }) => changedSince),
      [true],
    );
  });

  it('that were not copied are listed with nothing to restore', async () => {
    const change = () => {
      assert.deepEqual(
        changes().map(({ path }) => path),
        [at('a.txt'), at('large.txt')],
        'which is said before they are changed',
      );
      return writes('a.txt', 'changed\n')();
    };
    await changing(['a.txt'], change, ['large.txt']);
    assert.deepEqual(
      (await before()).filter(({ notKept }) => notKept),
      [{ path: at('large.txt'), real: at('large.txt'), bytes: null, changedSince: false, now: null, notKept: true }],
    );
  });

  it('are refused when a copy is no longer a regular file, whose content might never end', async () => {
    await changing(['a.txt'], writes('a.txt', 'changed\n'));
    const [copy = ''] = await readdir(join(session.folder, 'checkpoints'));
    await rm(join(session.folder, 'checkpoints', copy));
    execFileSync('mkfifo', [join(session.folder, 'checkpoints', copy)]);
    await assert.rejects(before(), /is not a regular file, so it was not read/);
  });

  /** Replaces a folder of the workspace by a link to another folder, with these files. */
  const leadAway = async (name: string, there: Readonly<Record<string, string>>) => {
    await rename(at(name), at(`${name}-before`));
    await folder.write(there);
    await symlink(at('elsewhere'), at(name));
  };
  const changedOf = {
    'changed a file': { was: { 'sub/a.txt': 'mine\n' }, change: writes('sub/a.txt', 'changed\n') },
    'created a file': { was: { 'sub/b.txt': '' }, change: writes('sub/a.txt', 'changed\n') },
    'removed a file': { was: { 'sub/a.txt': 'mine\n' }, change: () => rm(at('sub/a.txt')) },
  };
  for (const [what, { was, change }] of Object.entries(changedOf)) {
    it(`are left alone where a path leads elsewhere since a tool ${what}`, async () => {
      await folder.write(was);
      await changing(['sub/a.txt'], change);
      const there = { 'elsewhere/.keep': '', ...(what !== 'removed a file' && { 'elsewhere/a.txt': 'changed\n' }) };
      const found = await before();
      await leadAway('sub', there);
      const why = `${at('sub/a.txt')} now leads to ${at('elsewhere/a.txt')} and is left as it is. Remove the link, then restore again.`;
      for (const files of [found, await before()]) {
        await assert.rejects(
          restoreFiles(files, ports.files),
          (error) => EngineError.is(error, 'io') && error.message === why,
        );
        for (const [name, text] of Object.entries(there)) assert.equal(await readFile(at(name), 'utf8'), text);
        assert.deepEqual((await readdir(at('elsewhere'))).length, Object.keys(there).length);
      }
      await rm(at('sub'));
      await rename(at('sub-before'), at('sub'));
      await restoreFiles(await before(), ports.files);
      const now = await readFile(at('sub/a.txt'), 'utf8').catch(() => null);
      assert.equal(now, what === 'created a file' ? null : 'mine\n', 'once the link is gone');
    });
  }

  it('are left alone where the file itself was replaced by a link', async () => {
    await changing(['a.txt'], writes('a.txt', 'changed\n'));
    await folder.write({ 'other.txt': 'changed\n' });
    await rm(at('a.txt'));
    await symlink('other.txt', at('a.txt'));
    await assert.rejects(
      restoreFiles(await before(), ports.files),
      /a\.txt now leads to .*other\.txt and is left as it is/,
    );
    assert.equal(await readFile(at('other.txt'), 'utf8'), 'changed\n');
  });

  it('are restored through links that were there when they were changed', async () => {
    await folder.write({ 'real/a.txt': 'mine\n' });
    await symlink('real', at('linked'));
    await symlink('real/a.txt', at('file'));
    await changing(['linked/a.txt', 'linked/new.txt'], () =>
      folder.write({ 'linked/a.txt': 'changed\n', 'linked/new.txt': 'new\n' }),
    );
    await restoreFiles(await before(), ports.files);
    assert.deepEqual([await readFile(at('real/a.txt'), 'utf8'), await readdir(at('real'))], ['mine\n', ['a.txt']]);
    await changing(['file'], writes('file', 'changed again\n'));
    await restoreFiles(await before(), ports.files);
    assert.equal(await readFile(at('real/a.txt'), 'utf8'), 'mine\n');
    await changing(['file'], () => rm(at('file')));
    await restoreFiles(await before(), ports.files);
    assert.deepEqual(
      [await readFile(at('file'), 'utf8'), (await lstat(at('file'))).isFile()],
      ['mine\n', true],
      'a removed link comes back as a file',
    );
  });

  it('recorded by older versions are restored only within the workspace, or without links', async () => {
    const outside = await temporaryFolder();
    try {
      await folder.write({ 'real/a.txt': 'changed\n' });
      await outside.write({ 'b.txt': 'changed\n', 'c.txt': 'changed\n' });
      await symlink('real', at('linked'));
      await symlink(outside.path, at('out'));
      const after = createHash('sha256').update('changed\n').digest('hex');
      await changing(['a.txt'], writes('a.txt', 'changed\n'));
      const copy = changes().at(-1)?.before ?? assert.fail('there is no copy');
      for (const path of [at('linked/a.txt'), at('out/b.txt'), join(outside.path, 'c.txt')])
        await session.fileChanged({ path, before: copy, after });
      await assert.rejects(
        restoreFiles(await before(), ports.files),
        (error) =>
          EngineError.is(error, 'io') &&
          error.message.startsWith(`${at('out/b.txt')} now leads to ${join(outside.path, 'b.txt')}`) &&
          !error.message.includes('\n'),
      );
      const texts = [at('real/a.txt'), join(outside.path, 'b.txt'), join(outside.path, 'c.txt')];
      assert.deepEqual(await Promise.all(texts.map((path) => readFile(path, 'utf8'))), [
        'original\n',
        'changed\n',
        'original\n',
      ]);
    } finally {
      await outside.remove();
    }
  });

  it('are reported one per line when they could not be restored', async () => {
    await folder.write({ 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const names = ['a.txt', 'b.txt', 'c.txt'];
    await changing(names, () => folder.write({ 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' }));
    const found = await before();
    await folder.write({ 'a.txt': 'mine', 'b.txt': 'mine' });
    const why = 'was changed in the meantime and is left as it is. Look at it, then restore again.';
    await assert.rejects(
      restoreFiles(found, ports.files),
      (error) =>
        EngineError.is(error, 'io') &&
        error.message === `${at('a.txt')} ${why}\n${at('b.txt')} ${why}` &&
        error.cause instanceof EngineError &&
        error.cause.message === `${at('a.txt')} ${why}`,
    );
    assert.equal(new TextDecoder().decode(await ports.files.readFile(at('c.txt'))), 'c\n');
  });

  it('are restored in turn, so that a change in progress is not lost', async () => {
    await changing(['a.txt'], writes('a.txt', 'changed\n'));
    const found = await before();
    const [hasBegun, goesOn] = [new Deferred<void>(), new Deferred<void>()];
    const again = async () => {
      hasBegun.resolve();
      await goesOn.promise;
      await writes('a.txt', 'again\n')();
    };
    const change = ports.files.inTurn([at('a.txt')], again, new AbortController().signal);
    await hasBegun.promise;
    const restored = assert.rejects(restoreFiles(found, ports.files), /a\.txt was changed in the meantime/);
    for (let turns = 0; turns < 200; turns++) await setImmediate();
    goesOn.resolve();
    await Promise.all([change, restored]);
    assert.equal(new TextDecoder().decode(await ports.files.readFile(at('a.txt'))), 'again\n');
  });

  it('are refused when one cannot be read', async () => {
    const readFile: FileSystem['readFile'] = (file) => Promise.reject(new EngineError('io', `${file} is locked.`));
    const locked = { ...ports, files: { ...ports.files, readFile } };
    const plan = { kept: [at('a.txt')], notKept: [] };
    await assert.rejects(
      withCheckpoint(session, plan, locked, () => assert.fail('it was changed without a copy')),
      /a\.txt is locked/,
    );
    assert.deepEqual(changes(), []);
  });
});
