import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { OtherProcess, withProcesses } from '../../support/otherProcess/otherProcess';
import { poll } from '../poll';
import { temporaryFolder, type TemporaryFolder } from '../temporaryFolder';

describe('A lock between processes', function () {
  this.timeout(60_000);
  const files = nodeFileSystem(false);
  let folder: TemporaryFolder;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = path.join(folder.path, 'run.lock');
  });
  afterEach(() => folder.remove());

  const makeOld = (at = new Date(Date.now() - 3_600_000)) => utimes(file, at, at);
  /** Left by a process that was killed. */
  const leaveStale = () =>
    withProcesses(1, async ([one]) => assert.equal(await one?.ask({ do: 'lock', file }), 'held'));

  it('stays with a live process, however long ago it was refreshed', () =>
    withProcesses(1, async ([other]) => {
      assert.equal(await other?.ask({ do: 'lock', file }), 'held');
      for (const at of [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]) {
        await makeOld(at);
        assert.equal(await files.isLocked(file), true);
        assert.equal(await files.lock(file), null);
      }
      assert.equal(await other?.ask({ do: 'is-held' }), 'true');
    }));

  it('is released at once when its process is killed, and leaves no files', async () => {
    await leaveStale();
    assert.equal(await files.isLocked(file), false);
    const lock = await files.lock(file);
    assert.equal(lock?.isHeld(), true);
    await lock.release();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('of a killed process is acquired by exactly one of those that want it', () =>
    withProcesses(4, async (others) => {
      await leaveStale();
      const stale = await readFile(file);
      for (let round = 0; round < 40; round++) {
        await writeFile(file, stale);
        const at = Date.now() + 30;
        const answers = await Promise.all(others.map((one) => one.ask({ do: 'lock', file, at })));
        assert.deepEqual(answers.toSorted(), ['held', 'refused', 'refused', 'refused'], `round ${round}`);
        const held = await Promise.all(others.map((one) => one.ask({ do: 'is-held' })));
        assert.deepEqual(
          held.map((one) => one === 'true'),
          answers.map((one) => one === 'held'),
        );
        await Promise.all(others.map((one) => one.ask({ do: 'release' })));
        assert.deepEqual(await readdir(folder.path), []);
      }
    }));

  it('can be acquired by only one of many when it is free', () =>
    withProcesses(3, async (others) => {
      for (let round = 0; round < 40; round++) {
        const at = Date.now() + 10;
        const answers = await Promise.all(others.map((one) => one.ask({ do: 'lock', file, at })));
        assert.equal(answers.filter((one) => one === 'held').length, 1, answers.join());
        await Promise.all(others.map((one) => one.ask({ do: 'release' })));
      }
    }));

  it('is acquired by the next process when one is killed while taking it over', async () => {
    await leaveStale();
    await copyFile(file, `${file}.next`);
    assert.ok(await files.lock(file));
  });

  it('is not acquired while a live process is taking it over', () =>
    withProcesses(1, async ([other]) => {
      await leaveStale();
      assert.equal(await other?.ask({ do: 'lock', file: `${file}.next` }), 'held');
      assert.equal(await files.lock(file), null);
      assert.equal(await other?.ask({ do: 'is-held' }), 'true', 'the other process still has its turn');
    }));

  it('leaves alone the temporary files of a live process, and removes those of a dead one', () =>
    withProcesses(1, async ([other]) => {
      await leaveStale();
      await rename(file, `${file}.dead.tmp`);
      await other?.ask({ do: 'lock', file: `${file}.live.tmp` });
      assert.ok(await files.lock(file));
      assert.deepEqual((await readdir(folder.path)).toSorted(), ['run.lock', 'run.lock.live.tmp']);
    }));

  it('is compared by start time where the system tells no more of a process', async function () {
    if (process.platform === 'win32') this.skip();
    const started = Math.round(performance.timeOrigin);
    const named = (birth: number) => writeFile(file, `${hostname()} ${process.ppid} token t${birth}`);
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(process.ppid)], {
      env: { ...process.env, LC_ALL: 'C' },
    });
    await named(Date.parse(stdout.trim()));
    assert.equal(await files.isLocked(file), true);
    await named(started - 24 * 3_600_000);
    assert.equal(await files.isLocked(file), false);
  });

  it('is waited for by work that needs it', () =>
    withProcesses(1, async ([other]) => {
      assert.equal(await other?.ask({ do: 'lock', file }), 'held');
      let isDone = false;
      const work = files.exclusively(file, () => Promise.resolve((isDone = true)));
      for (let asked = 0; asked < 20; asked++) {
        assert.equal(await other?.ask({ do: 'is-held' }), 'true');
        assert.equal(isDone, false);
      }
      await other?.ask({ do: 'release' });
      assert.equal(await work, true);
    }));

  it('is free if its process id now belongs to another process', async function () {
    if (process.platform !== 'linux') this.skip();
    const other = await OtherProcess.start();
    await other.ask({ do: 'lock', file });
    const [host, , token, birth = ''] = (await readFile(file, 'utf8')).split(' ');
    await other.kill();
    // The parent of this process is alive but started at another time.
    await writeFile(file, [host, process.ppid, token, birth].join(' '));
    assert.equal(await files.isLocked(file), false);
    assert.ok(await files.lock(file));
  });

  it('is free if its process has exited, even if not yet reaped', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.ok(await files.lock(file));
    const [host, , token, birth = ''] = (await readFile(file, 'utf8')).split(' ');
    // After `exec`, the parent never waits for the process that it started.
    const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const pid = Number(String((await once(parent.stdout, 'data'))[0]));
      const fields = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/.*\) /, '').split(' ');
      await poll('the end of a process', async () => (await fields())[0] === 'Z');
      const start = (await fields())[19] ?? '';
      await writeFile(file, [host, pid, token, birth.replace(/\d+$/, start)].join(' '));
      assert.equal(await files.isLocked(file), false);
      assert.ok(await files.lock(file));
    } finally {
      parent.kill();
    }
  });

  it('without an owner is soon free, but not while one may be writing it', async () => {
    await writeFile(file, '');
    assert.equal(await files.lock(file), null);
    await makeOld(new Date(Date.now() - 5_000));
    assert.ok(await files.lock(file));
  });

  it('of another machine is respected while it is refreshed', async () => {
    await writeFile(file, `${hostname()}-other 1 token`);
    assert.equal(await files.lock(file), null);
    await makeOld();
    assert.ok(await files.lock(file));
  });

  it('is no longer held if its file was removed or taken over', async () => {
    const first = await files.lock(file);
    const second = await files.lock(file);
    assert.deepEqual([first?.isHeld(), second?.isHeld()], [false, true]);
    await first?.release();
    assert.equal(second?.isHeld(), true, 'the first one does not take away what is not its own');
    await folder.remove();
    assert.equal(second.isHeld(), false);
  });

  it('creates no folder: waiting for a removed one does not recreate it', async () => {
    const missing = path.join(folder.path, 'gone', 'run.lock');
    await assert.rejects(files.lock(missing), /does not exist/);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('that cannot be read is an error, not a free one', async () => {
    await mkdir(file);
    await assert.rejects(files.lock(file));
    await assert.rejects(files.isLocked(file));
  });

  it('serializes read-modify-write work', async () => {
    const counter = path.join(folder.path, 'counter');
    await writeFile(counter, '0');
    const add = () =>
      files.exclusively(file, async () => {
        const now = Number(new TextDecoder().decode(await files.readFile(counter)));
        await files.writeFile(counter, new TextEncoder().encode(String(now + 1)));
      });
    await Promise.all(Array.from({ length: 20 }, add));
    assert.equal(await readFile(counter, 'utf8'), '20');
    assert.deepEqual(await readdir(folder.path), ['counter']);
  });
});
