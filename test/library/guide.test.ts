import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story } from '../support/modelServer/story';

/** The program in the guide whose first line names that file. */
async function programOf(name: string): Promise<string> {
  const guide = await readFile(join(repoRoot, 'src', 'library', 'README.md'), 'utf8');
  const blocks = [...guide.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code);
  return blocks.find((code) => code.startsWith(`// ${name} `)) ?? assert.fail(`The guide has no ${name}`);
}

/** Runs a program from the guide in an empty folder, as a new user would. */
async function withProgram(
  name: string,
  story: Story,
  use: (ran: { output: string; server: ModelServer; root: string }) => void | Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'cairn-guide-'));
  // Inside the package's folder, so that the program resolves the package by name.
  await mkdir(join(repoRoot, '.build'), { recursive: true });
  const programs = await mkdtemp(join(repoRoot, '.build', 'guide-'));
  const server = await startModelServer(story);
  try {
    const program = join(programs, name);
    await writeFile(program, await programOf(name));
    const { code, output } = await runCommand(process.execPath, [program, root], {
      cwd: root,
      timeoutMs: 30_000,
      env: {
        PATH: process.env['PATH'],
        HOME: root,
        CAIRN_CONFIG_DIR: join(root, 'config'),
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'test-key',
      },
    });
    assert.equal(code, 0, output);
    await use({ output, server, root });
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
    await rm(programs, { recursive: true, force: true });
  }
}

describe('The guide for programs', () => {
  it('shows a middleware that hides customer numbers from models', () =>
    withProgram('redact.mjs', [({ lastText }) => ({ say: `I was told: ${lastText}` })], ({ output, server }) => {
      assert.match(output, /I was told: Write to \[customer\]\./);
      assert.doesNotMatch(JSON.stringify(server.requests[0]?.body), /C-123456/);
    }));

  it('shows a program whose first request determines the next one', () =>
    withProgram('sort.mjs', [{ say: '{"kind":"question"}' }, { say: 'A heap of stones.' }], ({ output, server }) => {
      assert.match(output, /A heap of stones/);
      assert.match(JSON.stringify(server.requests[1]?.body), /Answer briefly/);
    }));

  it('shows rules with a function that allow small notes and deny everything else', () =>
    withProgram(
      'rules.mjs',
      [
        { call: [{ name: 'fs_write', arguments: { path: 'notes/a.md', contents: 'A heron.' } }] },
        { call: [{ name: 'fs_write', arguments: { path: 'b.md', contents: 'A heron.' } }] },
        ({ lastText }) => ({ say: `Then: ${lastText}` }),
      ],
      async ({ output, root }) => {
        assert.match(output, /It is the rule “read-only”/);
        assert.match(output, /Then: Not allowed/);
        assert.equal(await readFile(join(root, 'notes', 'a.md'), 'utf8'), 'A heron.');
        assert.match(await readFile(join(root, 'rules.json'), 'utf8'), /"id": "read-only"/);
      },
    ));

  it('shows a conversation that leaves nothing on disk', () =>
    withProgram(
      'memory.mjs',
      [{ say: 'Hello.' }, ({ messages }) => ({ say: messages.map(({ text }) => text).join(' / ') })],
      async ({ output, root }) => {
        assert.match(output, /I am Ada\. \/ Hello\. \/ .*Who am I\?/s);
        assert.deepEqual(await readdir(root), []);
      },
    ));

  it('shows a run in a terminal', () =>
    withProgram(
      'show.mjs',
      [{ call: [{ name: 'fs_ls', arguments: { path: '.' } }] }, { say: 'It is \u001b[31mempty.' }],
      ({ output }) => assert.match(output, /^› List .*\nIt is ⟨U\+001B⟩\[31mempty\.\n$/),
    ));

  it('shows a conversation of which the model is sent the last rounds', () =>
    withProgram('rounds.mjs', [{ say: 'Granite.' }, { say: 'Slate.' }, { say: 'Basalt.' }], ({ output, server }) => {
      assert.match(output, /Granite[^]*Slate[^]*Basalt/);
      const last = server.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
      assert.deepEqual(last.slice(-3), ['Another one.', 'Slate.', 'And another one.']);
      assert.match(last.join(' '), /left out to save room[^]*<said>\nName a stone\./);
      assert.doesNotMatch(last.join(' '), /Granite/);
    }));

  it('shows a tool that knows what no model is sent', () =>
    withProgram(
      'hidden.mjs',
      [{ call: [{ name: 'acme_tickets', arguments: {} }] }, ({ lastText }) => ({ say: `Tickets: ${lastText}` })],
      ({ output, server }) => {
        assert.match(output, /Tickets: 3 are open\./);
        assert.doesNotMatch(JSON.stringify(server.requests.map(({ body }) => body)), /north-7/);
      },
    ));

  it('shows a tool whose result comes later', () =>
    withProgram(
      'later.mjs',
      [{ call: [{ name: 'acme_build', arguments: {} }] }, ({ lastText }) => ({ say: `It says: ${lastText}` })],
      ({ output }) => assert.match(output, /It says: Built in 3 min\./),
    ));

  it('shows an interrupted turn, after which the run continues', () =>
    withProgram(
      'interrupt.mjs',
      [{ call: [{ name: 'acme_build', arguments: {} }] }, ({ lastText }) => ({ say: `I was told: ${lastText}` })],
      ({ output, server }) => {
        assert.match(output, /I was told: Leave the build\./);
        assert.match(
          JSON.stringify(server.requests[1]?.body),
          /Interrupted by the user while it ran: the farm is down/,
        );
      },
    ));

  it('shows a conversation resumed from the middle', () =>
    withProgram('checkpoint.mjs', [{ say: 'Granite.' }, { say: 'Slate.' }], ({ output, server }) => {
      assert.match(output, /first.*Granite[^]*second.*Slate/);
      const [first, second] = server.requests.map(({ messages }) => messages.map(({ text }) => text));
      assert.deepEqual(second, first);
    }));

  it('shows a wrapped tool and a replaced one', () =>
    withProgram(
      'wrap.mjs',
      [
        { call: [{ name: 'execute_command', arguments: { command: 'pwd' } }] },
        { call: [{ name: 'fs_grep', arguments: { pattern: 'heron' } }] },
        ({ lastText }) => ({ say: `Found: ${lastText}` }),
      ],
      ({ output, server }) => {
        assert.match(output, /Found: The index has nothing about heron\./);
        assert.match(JSON.stringify(server.requests[0]?.body), /Searches the index of this project/);
      },
    ));

  it('shows tools called directly by a program', () =>
    withProgram('call.mjs', [], ({ output, server }) => {
      assert.match(output, /^rejected\nok .*A heron\./);
      assert.equal(server.requests.length, 0);
    }));

  it('shows how a failed tool call is retried', () =>
    withProgram(
      'retry.mjs',
      [{ call: [{ name: 'acme_weather', arguments: {} }] }, ({ lastText }) => ({ say: `Weather: ${lastText}` })],
      ({ output }) => assert.match(output, /Weather: It is windy\./),
    ));
});
