import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FileSystem } from '../../../src/engine';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';
import { withProcesses } from '../../support/otherProcess/otherProcess';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

describe('A session during a check for a running process', () => {
  let folder: TemporaryFolder;
  let root: string;
  let store: FileSessionStore;
  let id: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, 'sessions');
    store = new FileSessionStore(root, ports);
    ({ id } = await store.create({ workspace: folder.path, model: null, approvalMode: 'nothing', name: null }));
  });
  afterEach(() => folder.remove());

  it('can be acquired by another process', () =>
    withProcesses(1, async ([other]) => {
      const answers: string[] = [];
      const tries = async () => {
        answers.push((await other?.ask({ do: 'hold', root, session: id })) ?? 'nobody');
        await other?.ask({ do: 'release' });
      };
      // Holds the lock, as `heldElsewhere` does while it checks, when the other process tries.
      const lock: FileSystem['lock'] = async (file) => {
        const taken = await ports.files.lock(file);
        await tries();
        return taken;
      };
      const asking = new FileSessionStore(root, { ...ports, files: { ...ports.files, lock } });
      assert.equal(await asking.heldElsewhere(id), false);
      await tries();
      assert.deepEqual(answers, ['held']);
    }));

  it('can be acquired by another engine of this process', async () => {
    const [, hold] = await Promise.all([store.heldElsewhere(id), new FileSessionStore(root, ports).hold(id)]);
    assert.ok(hold);
    await hold.release();
  });
});
