import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { AbortError } from '../../../src/base/abort';
import { EngineError } from '../../../src/engine';
import { ProgramSecrets } from '../../../src/node/vault/programSecrets';
import { poll } from '../poll';
import { temporaryFolder } from '../temporaryFolder';

interface Asked {
  secrets: ProgramSecrets;
  hidden: string[];
  stop: AbortController;
  clock: { time: number };
  /** What the program logged, and the path of its log. */
  log: () => Promise<string>;
  file: string;
}

/** Runs `use` with a program `gopass` that has this body. */
async function withProgram(body: string, use: (asked: Asked) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  try {
    await folder.write({ gopass: `#!/bin/sh\n${body}\n` });
    await chmod(join(folder.path, 'gopass'), 0o755);
    const file = join(folder.path, 'log');
    const env = { ...process.env, PATH: `${folder.path}${delimiter}${process.env['PATH'] ?? ''}`, LOG: file };
    const hidden: string[] = [];
    const stop = new AbortController();
    const clock = { time: 0 };
    const hide = (value: string) => void hidden.push(value);
    const secrets = new ProgramSecrets({
      ...{ provider: { type: 'gopass' }, env, cwd: folder.path, hide, signal: stop.signal },
      now: () => clock.time,
    });
    await use({ secrets, hidden, stop, clock, log: () => readFile(file, 'utf8'), file });
  } finally {
    await folder.remove();
  }
}

describe('The secrets from a program', () => {
  it('are hidden before they are returned, and requested one after the other', () =>
    withProgram('echo begins >> "$LOG"; echo "value of it"; echo ends >> "$LOG"', async ({ secrets, hidden, log }) => {
      const seen: string[][] = [];
      const get = async (name: string) => {
        await secrets.get(name);
        seen.push([...hidden]);
      };
      await Promise.all([get('ONE'), get('TWO')]);
      assert.deepEqual(seen, [['value of it'], ['value of it', 'value of it']]);
      assert.equal(await log(), 'begins\nends\nbegins\nends\n');
    }));

  it('are no longer requested once the program is unavailable', () =>
    withProgram('echo asked >> "$LOG"; rm "$0"; echo x', async ({ secrets, log }) => {
      assert.equal(await secrets.get('ONE'), 'x');
      const refusals = await Promise.all(
        ['TWO', 'THREE'].map((name) => secrets.get(name).catch((one: unknown) => one)),
      );
      assert.ok(EngineError.is(refusals[0], 'not-found'));
      assert.equal(refusals[1], refusals[0], 'it is not tried once more');
      assert.equal(await log(), 'asked\n');
    }));

  for (const [what, answer] of [
    ['decryption failed', 'echo "decryption failed: no secret key" >&2; exit 2'],
    ['the secret was not found', 'echo "entry is not found" >&2; exit 2'],
    ['the program failed', 'echo "broken pipe" >&2; exit 3'],
  ] as const)
    it(`are requested again after a while if ${what}, but not if they were returned`, () =>
      withProgram(`echo asked >> "$LOG"; [ -e "$LOG.fits" ] || { ${answer}; }; echo x`, async (asked) => {
        const { secrets, clock, log, file } = asked;
        const get = () => secrets.get('ONE').catch(() => undefined);
        assert.deepEqual([await get(), await get()], [undefined, undefined]);
        assert.equal(await log(), 'asked\n', 'it is not tried at once');
        await writeFile(`${file}.fits`, '');
        clock.time += 60_000;
        assert.equal(await get(), 'x');
        clock.time += 60_000;
        assert.equal(await get(), 'x');
        assert.equal(await log(), 'asked\nasked\n');
      }));

  it('are requested again once they are forgotten, but not in quick succession', () =>
    withProgram('echo asked >> "$LOG"; wc -l < "$LOG" | tr -d " "', async ({ secrets, clock }) => {
      assert.equal(await secrets.get('ONE'), '1');
      secrets.forget('ONE');
      assert.equal(await secrets.get('ONE'), '1');
      clock.time += 60_000;
      secrets.forget('ONE');
      assert.equal(await secrets.get('ONE'), '2');
    }));

  it('are requested once while the program waits for the user, however often they are forgotten', () => {
    const waits = 'echo asked >> "$LOG"; until [ -e "$LOG.go" ]; do sleep 0.05; done; wc -l < "$LOG" | tr -d " "';
    return withProgram(waits, async ({ secrets, clock, file }) => {
      const first = secrets.get('ONE');
      await poll('the program runs', () => existsSync(file));
      clock.time += 60_000;
      secrets.forget('ONE');
      const second = secrets.get('ONE');
      writeFileSync(`${file}.go`, '');
      assert.deepEqual(await Promise.all([first, second]), ['1', '1']);
    });
  });

  it('are awaited no longer than the run', () =>
    withProgram('echo asked >> "$LOG"; sleep 600', async ({ secrets, stop, file }) => {
      const asked = assert.rejects(secrets.get('ONE'), AbortError);
      await poll('the program runs', () => existsSync(file));
      stop.abort();
      await asked;
    }));
});
