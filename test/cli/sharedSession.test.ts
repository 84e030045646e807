import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../src/base/async';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model'];
const linesOf = async (folder: string) => {
  const sessions = join(folder, 'config', 'sessions');
  const [id = '', ...others] = await readdir(sessions);
  assert.deepEqual(others, []);
  const names = await readdir(join(sessions, id));
  assert.deepEqual(
    names.filter((name) => name.endsWith('.lock')),
    [],
    'no lock is left behind',
  );
  return (await readFile(join(sessions, id, 'history.jsonl'), 'utf8')).trimEnd().split('\n');
};

describe('Two processes in one session', function () {
  this.timeout(60_000);

  it('take turns: the second reports that it waits, and sees what the first did', () =>
    inShell([{ say: 'One.' }, { say: 'First.', hold: 'first' }, { say: 'Second.' }], async ({ cairn, server }) => {
      await cairn([...model, '-s', 'work', 'begin']);
      const first = cairn([...model, '-s', 'work', 'the first']);
      await server.untilRequests(2);
      const waits = new Deferred<void>();
      const second = cairn([...model, '-s', 'work', 'the second'], {
        onError: (text) => text.includes('running in another window') && waits.resolve(),
      });
      await waits.promise;
      assert.equal(server.requests.length, 2);
      server.release('first');
      assert.deepEqual([(await first).out, (await second).out], ['First.\n', 'Second.\n']);
      const said = server.requests[2]?.messages.filter(({ role }) => role !== 'system').map(({ text }) => text);
      assert.deepEqual(said, ['begin', 'One.', 'the first', 'First.', 'the second']);
    }));

  it('lose and mix nothing when four of them start at once', () =>
    inShell(
      [{ say: 'Begun.' }, ...Array.from({ length: 4 }, () => ({ say: 'Answered. '.repeat(300), chunk: 3000 }))],
      async ({ cairn, folder, server }) => {
        await cairn([...model, '-s', 'work', 'begin']);
        const names = ['a', 'b', 'c', 'd'];
        const results = await Promise.all(names.map((name) => cairn([...model, '-s', 'work', `from ${name}`])));
        assert.deepEqual(
          results.map(({ status }) => status),
          [0, 0, 0, 0],
        );
        const lines = await linesOf(folder);
        for (const line of lines) JSON.parse(line);
        const last = server.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
        assert.deepEqual(last.map(({ text }) => text).sort(), ['begin', ...names.map((name) => `from ${name}`)]);
        assert.equal(lines.filter((line) => line.startsWith('{"type":"run-finished"')).length, 5);
      },
    ));

  it('continue immediately after one was killed', () =>
    inShell([{ say: 'Half', hold: 'forever' }, { say: 'Back.' }], async ({ cairn, server }) => {
      let killed = false;
      const first = cairn([...model, '-s', 'work', '--output', 'stream-json', 'wait'], {
        onOutput: (text, kill) => {
          if (killed || !text.includes('"text-delta"')) return;
          killed = true;
          kill('SIGKILL');
        },
      });
      assert.equal((await first).status, null);
      const { out, err } = await cairn([...model, '-s', 'work', 'again']);
      assert.equal(out, 'Back.\n');
      assert.doesNotMatch(err, /another window/);
      assert.equal(server.requests.length, 2);
    }));

  it('report the file that cannot be written when the sessions folder is not a folder', () =>
    inShell([{ say: 'One.' }], async ({ cairn, folder }) => {
      await writeFile(join(folder, 'config'), 'a file, not a folder');
      const { status, err } = await cairn([...model, 'begin']);
      assert.equal(status, 1);
      assert.match(err, /config.*is not a folder, or is inside a file/);
    }));
});
