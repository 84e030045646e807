import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model'];
const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'written\n' } };

describe('The cairn command', function () {
  this.timeout(60_000);

  it('prints the answer to standard output and its actions to standard error', () =>
    inShell(
      [{ say: 'I look.', call: [{ name: 'fs_ls', arguments: { path: '.' } }] }, { say: 'All is **well**.' }],
      async ({ cairn }) => {
        const { status, out, err } = await cairn([...model, 'How', 'is', 'it?']);
        assert.equal(out, 'All is **well**.\n');
        assert.match(err, /› List/);
        assert.equal(status, 0);
      },
    ));

  it('reads standard input in any supported encoding and rejects binary input', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }], async ({ cairn, folder, server }) => {
      const inputFile = join(folder, 'piped');
      const asText = 'Grüße aus Köln';
      const encodings: Readonly<Record<string, Buffer>> = {
        'Windows-1252': Buffer.from(asText, 'latin1'),
        'UTF-16': Buffer.from(`\ufeff${asText}`, 'utf16le'),
        'UTF-8 with its mark': Buffer.from(`\ufeff${asText}`),
      };
      for (const [encoding, bytes] of Object.entries(encodings)) {
        await writeFile(inputFile, bytes);
        const { status, err } = await cairn([...model], { inputFile });
        assert.equal(status, 0, err);
        assert.equal(server.requests.at(-1)?.lastText, asText, encoding);
      }
      await writeFile(inputFile, Buffer.from([0x89, 0, 1, 2]));
      const { status, err } = await cairn([...model, 'look'], { inputFile });
      assert.deepEqual([status, server.requests.length], [2, 3]);
      assert.match(err, /^cairn: standard input \(4 bytes\) is binary/);
    }));

  it('reads the prompt from standard input', () =>
    inShell([{ say: 'Thanks.' }], async ({ cairn, server }) => {
      await cairn([...model], { input: 'from the pipe' });
      assert.equal(server.requests[0]?.lastText, 'from the pipe');
    }));

  it('edits a file with --approve all', () =>
    inShell([{ call: [write] }, { say: 'Written.' }], async ({ cairn, folder }) => {
      const { status } = await cairn([...model, '--approve', 'all', 'write']);
      assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'written\n');
      assert.equal(status, 0);
    }));

  it('attaches files with -f, and names one that does not exist', () =>
    inShell([(request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
      await writeFile(join(folder, 'notes.txt'), 'one\ntwo\n');
      const { status, out } = await cairn([...model, '-f', 'notes.txt', 'sum it up']);
      assert.match(out, /<attached source="notes\.txt">[^]*2\ttwo[^]*sum it up/);
      assert.equal(status, 0);
      const missing = await cairn([...model, '-f', 'nites.txt', 'sum it up']);
      assert.match(missing.err, /-f nites\.txt: No file nites\.txt\.[^]*notes\.txt/);
      assert.equal(missing.status, 2);
    }));

  it('rejects edits without a terminal, tells the model why, and exits with 4', () =>
    inShell([{ call: [write] }, (request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
      const { status, out } = await cairn([...model, 'write']);
      assert.match(out, /--approve none/);
      await assert.rejects(readFile(join(folder, 'a.txt')));
      assert.equal(status, 4);
    }));

  it('allows edits but no commands with --approve edits', () =>
    inShell(
      [
        { call: [write] },
        { call: [{ name: 'execute_command', arguments: { command: 'touch b.txt' } }] },
        { say: 'Half.' },
      ],
      async ({ cairn, folder }) => {
        const { status } = await cairn([...model, '--approve', 'edits', 'go']);
        assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'written\n');
        await assert.rejects(readFile(join(folder, 'b.txt')));
        assert.equal(status, 4);
      },
    ));

  it('prints the outcome as JSON', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn }) => {
      const { out } = await cairn([...model, '--output', 'json', 'hi']);
      const result = z.looseObject({ outcome: z.unknown(), turns: z.int(), model: z.string() }).parse(JSON.parse(out));
      assert.deepEqual(result.outcome, { kind: 'completed', answer: 'Hello.' });
      assert.deepEqual([result.turns, result.model], [1, 'openai:test-model']);
    }));

  it('prints every event as a line of JSON', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn }) => {
      const { out } = await cairn([...model, '--output', 'stream-json', 'hi']);
      const types = out
        .trim()
        .split('\n')
        .map((line) => /"type":"([^"]+)"/.exec(line)?.[1]);
      assert.equal(types[0], 'run-started');
      assert.equal(types.at(-1), 'run-finished');
      for (const line of out.trim().split('\n')) JSON.parse(line);
    }));

  it('continues a named session, and the latest one', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }], async ({ cairn, server }) => {
      await cairn([...model, '-s', 'work', 'first']);
      await cairn([...model, '-s', 'work', 'second']);
      await cairn([...model, 'third', '-s']);
      const said = server.requests.map(({ messages }) =>
        messages.filter(({ role }) => role === 'user').map(({ text }) => text),
      );
      assert.deepEqual(said, [['first'], ['first', 'second'], ['first', 'second', 'third']]);
      const { out } = await cairn(['--list', 'sessions']);
      assert.match(out, /\twork\tfirst\n/);
      assert.equal(out.trim().split('\n').length, 1);
    }));

  it('resolves session names per folder and rejects a session of another folder', () =>
    inShell([{ say: 'One.' }, { call: [write] }, { say: 'Two.' }], async ({ cairn, folder, server }) => {
      const [here, there] = [join(folder, 'here'), join(folder, 'there')];
      for (const one of [here, there]) await mkdir(one);
      await cairn([...model, '-C', here, '-s', 'work', 'first']);
      await cairn([...model, '-C', there, '-s', 'work', '--approve', 'all', 'second']);
      assert.deepEqual([await readdir(here), await readdir(there)], [[], ['a.txt']]);
      assert.ok(!server.requests[1]?.messages.some(({ text }) => text === 'first'));
      const id = (await cairn(['-C', here, '--list', 'sessions'])).out.split('\t', 1)[0] ?? '';
      const { status, err } = await cairn([...model, '-C', there, '-s', id, 'third']);
      assert.equal(status, 2);
      assert.ok(err.includes(`belongs to ${here}, not to ${there}`), err);
    }));

  it('stops at --max-turns and exits with 3', () =>
    inShell([{ call: [{ name: 'fs_ls', arguments: {} }] }, { say: 'never' }], async ({ cairn }) => {
      const { status, err } = await cairn([...model, '--max-turns', '1', 'go']);
      assert.match(err, /limit of turns was reached. --max-turns N allows/);
      assert.equal(status, 3);
    }));

  for (const [what, signal] of [
    ['Ctrl+C', 'SIGINT'],
    ['closing its terminal', 'SIGHUP'],
  ] as const)
    it(`is cancelled by ${what}, stops its command, tells how to resume, and exits with 130`, () =>
      inShell([{ call: [{ name: 'execute_command', arguments: { command: 'sleep 600' } }] }], async ({ cairn }) => {
        let pressed = false;
        const { status, err } = await cairn([...model, '--approve', 'all', 'wait'], {
          onError: (text, kill) => {
            // Only once: a second Ctrl+C would end the process immediately.
            if (pressed || !text.includes('› Run')) return;
            pressed = true;
            kill(signal);
          },
        });
        assert.match(err, /cairn: canceled/);
        const { out } = await cairn(['--list', 'sessions']);
        assert.ok(err.includes(`cairn -s ${out.split('\t', 1)[0] ?? '?'} "continue"`), err);
        assert.equal(status, 130, err);
      }));

  it('reports that its answer could not be written, and exits with 1', function () {
    // `/dev/full`, which is always full, exists only on Linux.
    if (process.platform !== 'linux') this.skip();
    return inShell([{ say: 'Hello.' }], async ({ cairn }) => {
      const { status, err } = await cairn([...model, 'hi'], { before: 'exec >/dev/full' });
      assert.match(err, /standard output could not be written: .*no space/);
      assert.equal(status, 1);
    });
  });

  it('completes its work even when the reader of its output is gone', function () {
    if (process.platform === 'win32') this.skip();
    return inShell([{ say: 'Hello.' }], async ({ cairn }) => {
      // A pipe whose reader has closed it.
      const { status, err } = await cairn([...model, 'hi'], { before: 'mkfifo answer; : <answer & exec >answer' });
      assert.doesNotMatch(err, /could not be written/);
      assert.equal(status, 0, err);
      assert.match((await cairn(['--list', 'sessions'])).out, /\thi\b/);
    });
  });

  it('exits with 2 when what is named does not exist', () =>
    inShell([], async ({ cairn }) => {
      const { status, err } = await cairn(['vault', 'get', 'NOPE']);
      assert.match(err, /there is no vault at /);
      assert.equal(status, 2);
    }));

  it('prints errors without terminal control characters', () =>
    inShell([], async ({ cairn }) => {
      const { status, err } = await cairn(['-C', 'no\u001b[31m\u202ewhere', 'hi']);
      assert.match(err, /there is no folder /);
      assert.doesNotMatch(err, /[\u001b\u202e]/);
      assert.equal(status, 2);
    }));

  it('plays the tour without a key and edits a real file', () =>
    inShell([], async ({ cairn, folder }) => {
      await writeFile(join(folder, 'README.md'), '# Sample\n\nText.\n');
      const { status } = await cairn(['-m', 'demo:tour', '--approve', 'all', 'hello'], {
        env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' },
      });
      assert.equal(status, 0);
      assert.notEqual(await readFile(join(folder, 'README.md'), 'utf8'), '# Sample\n\nText.\n');
    }));

  const noKey = { env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' } };

  it('fails without a key, names the variables to set, and exits with 2', () =>
    inShell([], async ({ cairn, folder }) => {
      await writeFile(join(folder, 'README.md'), '# Sample\n\nText.\n');
      for (const more of [[], ['-a', 'coder'], ['-s', 'work']]) {
        const { status, out, err } = await cairn(['--approve', 'all', ...more, 'fix the failing test'], noKey);
        assert.match(err, /no key is set.*OPENAI_API_KEY, ANTHROPIC_API_KEY, .*demo:tour.*only when named/);
        assert.equal(out, '');
        assert.equal(status, 2);
      }
      const { status, out } = await cairn(['--output', 'json', 'hi'], noKey);
      assert.match(out, /"reason": "no-key"/);
      assert.equal(status, 2);
      assert.equal(await readFile(join(folder, 'README.md'), 'utf8'), '# Sample\n\nText.\n');
      assert.match((await cairn(['--info'], noKey)).out, /^model\tnone/m);
    }));

  it('lists models and tools, and shows paths with --info', () =>
    inShell([], async ({ cairn, folder }) => {
      assert.match((await cairn(['--list', 'models'])).out, /^demo:tour\t/m);
      assert.match((await cairn(['--list', 'tools'])).out, /^fs_edit\tCairn\twrite\t/m);
      const { out } = await cairn(['--info']);
      assert.match(out, /^version\t\d/m);
      assert.ok(out.includes(`configuration\t${join(folder, 'config')}`));
    }));

  it('stops at --max-cost and exits with 3', () =>
    inShell(
      [{ call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 500_000, output: 10 } }],
      async ({ cairn }) => {
        const { status, err } = await cairn(['-m', 'openai:gpt-5', '--max-cost', '0.1', 'go']);
        assert.match(err, /limit of cost/);
        assert.equal(status, 3);
      },
    ));

  const refused: [string, string[], RegExp][] = [
    [
      'a cost limit for a model without known prices',
      ['-m', 'demo:tour', '--max-cost', '1', 'x'],
      /prices of demo:tour are not known/,
    ],
    ['an unknown option', ['--frobnicate'], /frobnicate.*--help/s],
    ['an unknown approval mode', ['--approve', 'maybe', 'x'], /ask, edits, all, none/],
    ['an unknown list', ['--list', 'wishes'], /models, tools, sessions/],
    ['a limit that is not a number', ['--max-turns', 'many', 'x'], /--max-turns.*"many"/],
    ['an unknown effort', ['--effort', 'huge', 'x'], /--effort takes none, minimal.*, not "huge"/],
    ['a fractional number of turns', ['--max-turns', '1.5', 'x'], /--max-turns takes a whole number, not "1\.5"/],
    ['a negative limit', ['--max-time', '-1', 'x'], /^cairn: .*'--max-time'.*[^.]\. See cairn --help\.\n$/],
    ['a missing folder', ['-C', '/no/such/folder', 'x'], /no folder \/no\/such\/folder/],
    ['a missing prompt', [], /no prompt/],
    ['an empty --config-dir', ['--config-dir', '', 'x'], /--config-dir has an empty value/],
    ['an empty -C', ['-C', '', 'x'], /--cwd has an empty value/],
    ['an empty -f after a valid one', ['-f', 'README.md', '-f', '', 'x'], /--file has an empty value/],
    ['an empty -s', ['-s', '', 'x'], /--session has an empty value/],
    ['an empty --config-dir for cairn vault', ['vault', 'list', '--config-dir', ''], /--config-dir has an empty value/],
    ['an empty --config-dir for cairn mcp', ['mcp', 'list', '--config-dir='], /--config-dir has an empty value/],
    ['an empty --config-dir for cairn tools', ['tools', 'list', '--config-dir', ''], /--config-dir has an empty value/],
    ['an empty --config-dir for cairn runs', ['runs', 'list', '--config-dir', ''], /--config-dir has an empty value/],
    ['an empty --config-dir for cairn import', ['import', '--config-dir', ''], /--config-dir has an empty value/],
    ['an unknown action of cairn tools', ['tools', 'lst'], /takes list, check, new, not "lst".*mean list\?/],
    ['an infinite time limit', ['--max-time', 'Infinity', 'x'], /--max-time takes a number above 0, not "Infinity"/],
    ['a malformed model', ['-m', 'gpt', 'x'], /provider:model/],
    ['an unknown demo script', ['-m', 'demo:trip', 'x'], /no demo:trip; the only scripted demo is demo:tour/],
    ['an unknown provider', ['-m', 'nobody:x', 'x'], /nobody.*openai, anthropic, .*demo/],
  ];
  for (const [what, args, message] of refused) {
    it(`rejects ${what} with an error message, and exits with 2`, () =>
      inShell([], async ({ cairn }) => {
        const { status, out, err } = await cairn(args);
        assert.match(err, message);
        assert.equal(out, '');
        assert.equal(status, 2);
      }));
  }

  it('names the variable to set when there is no key, and exits with 2', () =>
    inShell([], async ({ cairn }) => {
      const { status, err } = await cairn([...model, 'hi'], { env: { OPENAI_API_KEY: '' } });
      assert.match(err, /OPENAI_API_KEY/);
      assert.equal(status, 2);
    }));

  it('reports that the key is invalid, and exits with 1', () =>
    inShell([], async ({ cairn }) => {
      const { status, err } = await cairn([...model, 'hi'], { env: { OPENAI_API_KEY: 'wrong' } });
      assert.match(err, /key/i);
      assert.equal(status, 1);
    }));

  it('names the address that does not respond, and exits with 1', () =>
    inShell([], async ({ cairn }) => {
      const { status, err } = await cairn([...model, 'hi'], { env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } });
      assert.match(err, /127\.0\.0\.1:9/);
      assert.equal(status, 1);
    }));
});
