import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError, type FileSystem } from '../../../src/engine';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

describe('A session on a failing disk', () => {
  let folder: TemporaryFolder;
  let root: string;
  let id: string;

  const withFiles = (files: Partial<FileSystem>) =>
    new FileSessionStore(root, { ...ports, files: { ...ports.files, ...files } });

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, 'sessions');
    const fresh = { workspace: folder.path, model: null, approvalMode: 'nothing', name: null } as const;
    ({ id } = await withFiles({}).create(fresh));
  });
  afterEach(() => folder.remove());

  it('stays intact when its history cannot be deleted', async () => {
    const store = withFiles({
      remove: (file) =>
        file.endsWith('history.jsonl')
          ? Promise.reject(new EngineError('io', `${file} is in use.`))
          : ports.files.remove(file),
    });
    await assert.rejects(store.remove(id), /history\.jsonl is in use/);
    assert.deepEqual(
      (await store.list()).map((session) => session.id),
      [id],
    );
  });

  it('is unlocked when a run fails to start in it', async () => {
    let refuses = true;
    const store = withFiles({
      stat: (file) =>
        refuses && file.endsWith('waiting.jsonl')
          ? Promise.reject(new EngineError('io', `${file} cannot be read.`))
          : ports.files.stat(file),
    });
    await assert.rejects(store.hold(id), /waiting\.jsonl cannot be read/);
    refuses = false;
    const hold = await store.hold(id);
    assert.ok(hold);
    await hold.release();
  });

  for (const [what, put] of [
    ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['a link to a device', (file: string) => symlinkSync('/dev/zero', file)],
  ] as const) {
    it(`is listed when its metadata is ${what}, and gets new metadata`, async function () {
      if (process.platform === 'win32') this.skip();
      const run = { runId: 'run_1', model: 'test:model', workspace: folder.path };
      await withFiles({}).append(id, { type: 'run-started', id: 'entry_1', time: 1, ...run });
      const file = join(root, id, 'metadata.json');
      rmSync(file);
      put(file);
      const listed = await withFiles({}).list();
      assert.deepEqual(
        listed.map((session) => [session.id, session.approvalMode]),
        [[id, 'edits-and-commands']],
      );
    });

    it(`is reported as damaged when its history is ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      const file = join(root, id, 'history.jsonl');
      rmSync(file, { force: true });
      put(file);
      await assert.rejects(
        withFiles({}).open(id),
        /history\.jsonl is not a regular file, so it was not read\. Move it/,
      );
    });
  }
});
