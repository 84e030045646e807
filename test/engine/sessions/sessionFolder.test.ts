import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EngineError, type FileSystem } from '../../../src/engine';
import { userMessage } from '../../../src/engine/messages/message';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import type { SessionEntry } from '../../../src/engine/sessions/sessionEntry';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const warnings: string[] = [];
const log = { info: () => undefined, warn: (text: string) => void warnings.push(text), error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const NOW = 1_700_000_000_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const ran = (runId: string, time = 0): SessionEntry => {
  return { id: runId, type: 'run-started', time, runId, model: `m:${runId}`, workspace: `/${runId}` };
};
const said = (text: string, time: number): SessionEntry => {
  return { id: text, type: 'message', message: userMessage(text, time, false) };
};
const idsOf = (entries: readonly SessionEntry[] | null | undefined) => entries?.map(({ id }) => id);

describe('The session folder', () => {
  let folder: TemporaryFolder;
  let root: string;
  let store: FileSessionStore;
  let id: string;

  const fresh = () => ({ workspace: folder.path, model: null, approvalMode: 'nothing', name: null }) as const;
  const at = (name: string, session = id) => join(root, session, name);
  const another = (files: Partial<FileSystem> = {}, now = NOW) => {
    const clock = { ...ports.clock, now: () => now };
    return new FileSessionStore(root, { ...ports, log, clock, files: { ...ports.files, ...files } });
  };
  const writeHistory = (entries: readonly SessionEntry[]) =>
    writeFile(at('history.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  /** Asserts that another engine can run in the session. */
  const assertFree = async () => {
    const hold = await another().hold(id);
    assert.ok(hold);
    await hold.release();
  };

  beforeEach(async () => {
    warnings.length = 0;
    folder = await temporaryFolder();
    root = join(folder.path, 'sessions');
    store = another();
    ({ id } = await store.create(fresh()));
  });
  afterEach(() => folder.remove());

  describe('without metadata', () => {
    beforeEach(() => rm(at('metadata.json')));

    it('is identified by its first message and last run, or by the time if there are none', async () => {
      const go: SessionEntry = { type: 'message', message: { ...userMessage('Go on.', 5, false), automatic: true } };
      await writeHistory([
        go,
        said('Mend the clock\nplease', 10),
        ran('a', 11),
        said('And the sundial', 20),
        ran('b', 21),
      ]);
      const [whole] = await another().list();
      assert.deepEqual(
        [whole?.title, whole?.opening, whole?.createdAt, whole?.modifiedAt, whole?.workspace, whole?.model],
        ['Mend the clock', 'Mend the clock\nplease\nAnd the sundial', 10, 21, '/b', 'm:b'],
      );
      await rm(at('metadata.json'));
      await writeHistory([{ id: 't', type: 'tool-started', time: 3, callId: 'c' }]);
      const [bare] = await another().list();
      assert.deepEqual(
        [bare?.title, bare?.opening, bare?.createdAt, bare?.modifiedAt, bare?.workspace, bare?.model],
        ['Recovered session', '', NOW, NOW, '', null],
      );
      assert.deepEqual(await another().list(), [bare], 'and the next look needs not to make it again');
      assert.equal(warnings.filter((text) => text.includes('rebuilt from the history')).length, 2);
    });

    it('gets no backup of the missing metadata', async () => {
      await writeHistory([ran('a')]);
      await store.list();
      assert.deepEqual(await readdir(join(root, id)), ['history.jsonl', 'metadata.json']);
    });

    it('is skipped with a log entry when it has no history either', async () => {
      assert.deepEqual(await store.list(), []);
      assert.deepEqual(warnings, [`There is no session ${id} in ${root}.`]);
      await assert.rejects(store.open(id), (error) => EngineError.is(error, 'not-found') && error.cause !== undefined);
    });

    it('reports why the metadata could not be recreated', async () => {
      await writeHistory([ran('a')]);
      const full = another({
        writeFile: (file) => Promise.reject(new EngineError('io', `${file}: the disk is full.`)),
      });
      const { problems } = await full.open(id);
      assert.equal(problems.length, 2);
      assert.match(problems[0] ?? '', /rebuilt from the history/);
      assert.match(problems[1] ?? '', /metadata\.json: the disk is full/);
    });
  });

  it('reports invalid metadata and keeps it next to the recreated file', async () => {
    for (const [text, wrong] of [
      ['{"version":', /metadata\.json is not JSON: /],
      ['{"version":1}', /metadata\.json does not describe a session: .*title/s],
    ] as const) {
      await writeHistory([ran('a')]);
      await writeFile(at('metadata.json'), text);
      const title = store.changeMetadata(id, { title: 'x' });
      await assert.rejects(title, (error) => EngineError.is(error, 'damaged') && wrong.test(error.message));
      const { problems } = await store.open(id);
      assert.match(problems.join(), wrong);
      assert.equal(await readFile(at('metadata.damaged.json'), 'utf8'), text);
      assert.deepEqual((await store.open(id)).problems, []);
    }
  });

  it('is listed by its last change, without folders that are not sessions', async () => {
    const { id: later } = await another({}, NOW + 2).create(fresh());
    const { id: between } = await another({}, NOW + 1).create(fresh());
    await mkdir(join(root, 'attic'));
    await writeFile(join(root, NOBODY), 'a file');
    assert.deepEqual(
      (await store.list()).map((one) => one.id),
      [later, between, id],
    );
    await another({}, NOW + 3).changeMetadata(id, { title: 'Clocks' });
    assert.deepEqual(
      (await store.list()).map((one) => [one.id, one.modifiedAt]),
      [
        [id, NOW + 3],
        [later, NOW + 2],
        [between, NOW + 1],
      ],
    );
    assert.deepEqual(warnings, []);
  });

  it('is not listed where there are no sessions yet, and a failed listing reports the reason', async () => {
    await rm(root, { recursive: true });
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.alone(() => Promise.resolve('first')), 'first', 'the first of all can be made');
    await rm(root, { recursive: true });
    await writeFile(root, 'a file');
    await assert.rejects(store.list(), EngineError);
  });

  it('is changed only while it matches the expected state', async () => {
    const later = another({}, NOW + 5);
    const kept = await later.changeMetadata(id, { title: 'Clocks' }, ({ title }) => title === 'Sundials');
    assert.deepEqual([kept.title, kept.modifiedAt], ['', NOW]);
    const changed = await later.changeMetadata(id, { title: 'Clocks' }, ({ title }) => title === '');
    assert.deepEqual([changed.title, changed.modifiedAt], ['Clocks', NOW + 5]);
    assert.deepEqual(await another().list(), [changed]);
    await assert.rejects(later.changeMetadata(NOBODY, { title: 'x' }), (error) => {
      return EngineError.is(error, 'not-found') && error.message.includes(at('metadata.json', NOBODY));
    });
    assert.deepEqual(await readdir(root), [id]);
  });

  it('that is new has no entries to load', async () => {
    assert.equal((await store.readAtRest(id))?.entries, null);
    const hold = await store.hold(id);
    assert.equal(hold?.changed, false);
    assert.equal(await store.readAtRest(id), null, 'while it is held');
    assert.equal(await store.hold(id), null, 'which nobody else can then');
    await hold.release();
    await store.append(id, ran('a'));
    assert.deepEqual(idsOf((await another().readAtRest(id))?.entries), ['a']);
    const again = await store.hold(id);
    assert.equal(again?.changed, true, 'something came while it was not held');
    await again.release();
    const last = await store.hold(id);
    assert.equal(last?.changed, false);
    await last.release();
  });

  it('that was changed elsewhere reports that once when locked', async () => {
    await store.open(id);
    await another().append(id, ran('a'));
    for (const isChanged of [true, false]) {
      const hold = await store.hold(id);
      assert.equal(hold?.changed, isChanged);
      await hold.release();
    }
    assert.equal((await store.readAtRest(id))?.entries, null);
  });

  it('gets pending entries once and in order, and reports an invalid line', async () => {
    await store.append(id, ran('a'));
    await store.keepWaiting(id, [said('b', 1), said('c', 2), said('d', 3)]);
    await appendFile(at('waiting.jsonl'), `garbage\n${JSON.stringify(ran('a'))}\n`);
    const hold = await store.hold(id);
    await hold?.release();
    assert.deepEqual(idsOf((await another().open(id)).entries), ['a', 'b', 'c', 'd']);
    assert.match(warnings.join(), /waiting\.jsonl:4: not JSON/);
    assert.ok(!existsSync(at('waiting.jsonl')));
  });

  it('loses no pending entry on a slow disk: each is in the history before the pending file is removed', async () => {
    const happened: string[] = [];
    const appendLine: FileSystem['appendLine'] = async (file, line) => {
      await setImmediate();
      await ports.files.appendLine(file, line);
      happened.push('kept');
    };
    const remove: FileSystem['remove'] = (file) => {
      happened.push('removed');
      return ports.files.remove(file);
    };
    await store.keepWaiting(id, [said('a', 1), said('b', 2)]);
    await another({ appendLine, remove }).open(id);
    assert.deepEqual(happened, ['kept', 'kept', 'removed']);
  });

  it('is repaired when opened, which leaves it unlocked, and when locked for a run', async () => {
    const cut = '{"type":"run-st';
    await store.append(id, ran('a'));
    await appendFile(at('history.jsonl'), cut);
    const { entries, problems } = await store.open(id);
    assert.deepEqual(idsOf(entries), ['a']);
    assert.match(problems.join(), /history\.jsonl:2: the last line was cut off/);
    await assertFree();
    assert.equal((await store.readAtRest(id))?.entries, null, 'what was mended is known');
    const hold = await store.hold(id);
    await appendFile(at('history.jsonl'), cut);
    await store.open(id);
    await store.append(id, ran('b'));
    assert.equal(await another().hold(id), null);
    await hold?.release();
    await assertFree();
    assert.deepEqual(idsOf((await store.open(id)).entries), ['a', 'b']);
    assert.deepEqual(warnings, []);
  });

  it('logs a failed repair, and is unlocked anyway', async () => {
    await store.append(id, ran('a'));
    await appendFile(at('history.jsonl'), '{"type":"run-st');
    const full = another({ writeFile: (file) => Promise.reject(new EngineError('io', `${file}: the disk is full.`)) });
    assert.deepEqual(idsOf((await full.open(id)).entries), ['a']);
    assert.match(warnings.join(), /The history of session \S+ could not be repaired: \S+: the disk is full/);
    await assertFree();
  });

  it('is unlocked after each write, even a failed one', async () => {
    await store.append(id, ran('a'));
    await assertFree();
    const full = another({ appendLine: (file) => Promise.reject(new EngineError('io', `${file}: the disk is full.`)) });
    await assert.rejects(full.append(id, ran('b')), /the disk is full/);
    await assertFree();
    await full.changeMetadata(id, { title: 'Clocks' });
    assert.deepEqual(idsOf((await full.open(id)).entries), ['a'], 'what failed stops nothing that follows');
  });

  it('is unlocked and contains pending entries as soon as that is reported, even on a slow disk', async () => {
    const slowly = async <T>(work: () => Promise<T>) => {
      for (let turns = 0; turns < 5; turns++) await setImmediate();
      return work();
    };
    const lock: FileSystem['lock'] = async (file) => {
      const taken = await ports.files.lock(file);
      return taken && { ...taken, release: () => slowly(() => taken.release()) };
    };
    const appendLine: FileSystem['appendLine'] = (file, line) => slowly(() => ports.files.appendLine(file, line));
    const slow = another({
      ...{ lock, appendLine },
      remove: (file) => slowly(() => ports.files.remove(file)),
    });
    await slow.append(id, ran('a'));
    await assertFree();
    await slow.keepWaiting(id, [said('b', 1), said('c', 2)]);
    const hold = await slow.hold(id);
    assert.ok(!existsSync(at('waiting.jsonl')));
    assert.equal((await readFile(at('history.jsonl'), 'utf8')).split('\n').length, 4);
    await hold?.release();
    await assertFree();
    await ports.files.appendFile(at('history.jsonl'), '{"type":"run-st');
    await slow.open(id);
    await assertFree();
    const refusing = another({ lock, remove: () => Promise.reject(new EngineError('io', 'It is in use.')) });
    await assert.rejects(refusing.remove(id), /It is in use/);
    await assertFree();
  });

  it('is unlocked when its history can no longer be inspected', async () => {
    const hold = { refuses: false };
    const stat: FileSystem['stat'] = (file) =>
      hold.refuses && file.endsWith('history.jsonl')
        ? Promise.reject(new EngineError('io', `${file} cannot be read.`))
        : ports.files.stat(file);
    const failing = another({ stat });
    const held = await failing.hold(id);
    hold.refuses = true;
    await assert.rejects(async () => held?.release(), /history\.jsonl cannot be read/);
    await assertFree();
  });

  it('is not created from an unreadable history', async () => {
    const readHistory: FileSystem['readFile'] = (file) =>
      file.endsWith('history.jsonl')
        ? Promise.reject(new EngineError('io', `${file} cannot be read.`))
        : ports.files.readFile(file);
    await assert.rejects(another({ readFile: readHistory }).open(id), /history\.jsonl cannot be read/);
    const lock: FileSystem['lock'] = (file) => Promise.reject(new EngineError('io', `${file} cannot be made.`));
    await assert.rejects(another({ lock }).hold(id), /run\.lock cannot be made/);
  });

  it('is reported as locked by another engine of this process', async () => {
    const other = another();
    assert.equal(await store.heldElsewhere(id), false);
    const hold = await other.hold(id);
    assert.deepEqual([await store.heldElsewhere(id), await other.heldElsewhere(id)], [true, false]);
    await hold?.release();
    assert.equal(await store.heldElsewhere(id), false);
  });

  describe('during deletion', () => {
    it('stays while a run is active in it, also in this process', async () => {
      const hold = await store.hold(id);
      await assert.rejects(store.remove(id), (error) => {
        return EngineError.is(error, 'invalid-state') && /is running\. Stop it first/.test(error.message);
      });
      await store.append(id, ran('a'));
      await hold?.release();
      await store.remove(id);
      assert.deepEqual(await readdir(root), []);
    });

    it('goes to the trash without its lock, and accepts no more entries', async () => {
      const found: string[][] = [];
      const trash = async (path: string) => void found.push(await readdir(path));
      const withTrash = another({ trash });
      await withTrash.append(id, ran('a'));
      await withTrash.remove(id);
      assert.deepEqual(found, [['history.jsonl', 'metadata.json']], 'where it can be put back from as it was');
      await assert.rejects(withTrash.append(id, ran('b')), /was deleted\. Start a new one/);
      await assert.rejects(withTrash.open(id), /was deleted/);
      assert.deepEqual(idsOf((await another().open(id)).entries), ['a']);
    });

    it('is unlocked when the disk refuses', async () => {
      const remove = (file: string) => Promise.reject(new EngineError('io', `${file} is in use.`));
      await assert.rejects(another({ remove }).remove(id), /history\.jsonl is in use/);
      await assertFree();
      await store.remove(id);
      await assert.rejects(store.remove(id), /was deleted/);
    });

    it('loses its history first', async () => {
      await store.append(id, ran('a'));
      const remove = (file: string) =>
        file === join(root, id)
          ? Promise.reject(new EngineError('io', `${file} is in use.`))
          : ports.files.remove(file);
      const failing = another({ remove });
      await assert.rejects(failing.remove(id), /is in use/);
      assert.deepEqual((await failing.readAtRest(id))?.entries, []);
    });
  });

  it('contains a copied file once the copy is reported', async () => {
    const { id: branch } = await store.create(fresh());
    await store.append(id, ran('a'));
    await store.copyFile(id, branch, 'history.jsonl');
    assert.equal(await readFile(at('history.jsonl', branch), 'utf8'), await readFile(at('history.jsonl'), 'utf8'));
    await assert.rejects(store.copyFile(id, branch, 'none.txt'), (error) => EngineError.is(error, 'not-found'));
  });

  it('is located in the folder of all sessions, under its id only', () => {
    assert.equal(store.folder(id), join(root, id));
    for (const no of ['', '../x', `${id}x`, `x${id}`, 'ABCDEF00-0000-4000-8000-000000000000']) {
      assert.throws(() => store.folder(no), new EngineError('invalid-input', `"${no}" is not the id of a session.`));
    }
  });
});
