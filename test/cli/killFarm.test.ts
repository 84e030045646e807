import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Farm } from '../soak/farm';

const KILLS = 30;

describe('The command under load', function () {
  this.timeout(300_000);

  it('loses nothing it acknowledged through kills, a full disk and network failures', async function () {
    // Windows ends processes differently.
    if (process.platform === 'win32') this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'cairn-farm-'));
    const seed = Date.now() % 1_000_000;
    try {
      const report = await Farm.run({
        ...{ seed, kills: KILLS, minutes: 4, folder, sessions: 3, writers: 5 },
        onProgress: () => undefined,
      });
      assert.deepEqual(report.problems, [], `with seed ${seed}`);
      assert.ok(report.kills >= KILLS && report.inRun > 0 && report.messages > 0, JSON.stringify(report));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
