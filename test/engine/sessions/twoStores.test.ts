import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Deferred } from '../../../src/base/async';
import type { FileSystem } from '../../../src/engine';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import type { SessionEntry } from '../../../src/engine/sessions/sessionEntry';
import { nodePorts } from '../../../src/node/nodePorts';
import { type TemporaryFolder, temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const started = (runId: string): SessionEntry => ({ id: runId, type: 'run-started', time: 0, runId, model: 'm' });

describe('A session that two stores use', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let store: FileSessionStore;
  let id: string;
  const storeWith = (files: Partial<FileSystem>) =>
    new FileSessionStore(join(folder.path, 'sessions'), { ...ports, files: { ...ports.files, ...files } });

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = storeWith({});
    ({ id } = await store.create({ workspace: folder.path, model: null, approvalMode: 'nothing', name: null }));
  });
  afterEach(() => folder.remove());

  /** Starts `slowly`, holds it after it has begun, and runs `other` in the meantime. */
  async function meanwhile(
    slowly: (held: <T>(work: () => Promise<T>) => Promise<T>) => Promise<unknown>,
    other: () => Promise<unknown>,
  ): Promise<void> {
    const [began, may] = [new Deferred<void>(), new Deferred<void>()];
    const first = slowly(async (work) => {
      began.resolve();
      await may.promise;
      return work();
    });
    await began.promise;
    const second = other();
    for (let turns = 0; turns < 200; turns++) await setImmediate();
    may.resolve();
    await Promise.all([first, second]);
  }

  it('reports entries added in the meantime when it is locked', async () => {
    await store.open(id);
    await storeWith({}).keepWaiting(id, [started('one')]);
    const hold = await store.hold(id);
    assert.equal(hold?.changed, true);
    await hold.release();
  });

  it('keeps what another store set during a write', async () => {
    await meanwhile(
      (held) => {
        const slow = storeWith({ writeFile: (file, bytes) => held(() => ports.files.writeFile(file, bytes)) });
        return slow.changeMetadata(id, { title: 'Clocks' });
      },
      () => store.changeMetadata(id, { opening: 'What is the time?' }),
    );
    const { title, opening } = (await store.open(id)).metadata;
    assert.deepEqual([title, opening], ['Clocks', 'What is the time?']);
  });

  it('keeps entries added while it loads earlier ones', async () => {
    await store.keepWaiting(id, [started('one')]);
    await meanwhile(
      (held) => storeWith({ remove: (file) => held(() => ports.files.remove(file)) }).open(id),
      () => store.keepWaiting(id, [started('two')]),
    );
    const { entries } = await store.open(id);
    assert.deepEqual(
      entries.map((entry) => entry.id),
      ['one', 'two'],
    );
  });
});
