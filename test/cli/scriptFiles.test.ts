import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { inShell } from './inShell';

const run = ['-m', 'openai:test-model', '--approve', 'all'];
const call = (name: string, input: Record<string, unknown> = {}) => ({ call: [{ name, arguments: input }] });
const heard = (requests: readonly ModelRequest[]) =>
  (requests.at(-1)?.messages ?? []).flatMap(({ results }) => results.map(({ text }) => text));

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

describe('User files', function () {
  this.timeout(60_000);

  it('stay unchanged, and bundled content is not copied next to them (P-1.1)', () =>
    inShell([{ say: 'done' }], async ({ cairn, folder }) => {
      await put(folder, { 'config/agents/mine.md': '---\ndescription: Mine\n---\nAnswer.' });
      assert.match((await cairn(['--list', 'agents'])).out, /^sisyphus\t/m);
      assert.equal((await cairn([...run, 'go'])).status, 0);
      assert.deepEqual(await readdir(join(folder, 'config/agents')), ['mine.md']);
      for (const copied of ['skills', 'roles', 'tools', 'functions', 'macros']) {
        assert.ok(!existsSync(join(folder, 'config', copied)), copied);
      }
    }));

  it('that are tools are not rewritten when they are described and run (P-7.1)', () => {
    const tools = {
      'config/tools/one.sh': '# @describe One.\n# @option --name=x\n\n\nmain() { echo one; }\n\n',
      'config/tools/two.py': 'def run(a: str = "x"):\n    """Two."""\n    return "two"\n',
      'config/tools/three.ts': '/** Three. */\nexport function run(a: string = "x") { return "three"; }\n',
    };
    return inShell([call('one'), call('two'), call('three'), { say: 'done' }], async ({ cairn, folder, server }) => {
      await put(folder, tools);
      const times = () => Promise.all(Object.keys(tools).map(async (name) => (await stat(join(folder, name))).mtimeMs));
      const before = await times();
      const { status, err } = await cairn([...run, 'go']);
      assert.equal(status, 0, err);
      assert.deepEqual(heard(server.requests), ['one', 'two', 'three']);
      for (const [name, text] of Object.entries(tools)) assert.equal(await readFile(join(folder, name), 'utf8'), text);
      assert.deepEqual(await times(), before);
      assert.deepEqual((await readdir(join(folder, 'config/tools'))).sort(), ['one.sh', 'three.ts', 'two.py']);
    });
  });

  it('that set tool variables are treated as data and never executed (P-1.2)', () => {
    const said = 'a "b" $(touch owned) `touch owned`; touch owned & $HOME';
    return inShell([call('tell'), { say: 'done' }], async ({ cairn, folder, server }) => {
      await put(folder, {
        'config/agents/teller/config.yaml': 'instructions: Tell.\n',
        'config/agents/teller/tools.sh': '# @cmd Tells.\ntell() { printf %s "$SAID" >> "$LLM_OUTPUT"; }\n',
        'config/agents/teller/.env': `SAID=${said}\n`,
      });
      const { status, err } = await cairn([...run, '-a', 'teller', 'go']);
      assert.equal(status, 0, err);
      assert.deepEqual(heard(server.requests), [said]);
      for (const place of ['owned', 'config/owned', 'config/agents/teller/owned']) {
        assert.ok(!existsSync(join(folder, place)), place);
      }
    });
  });
});

describe('Script calls', function () {
  this.timeout(60_000);
  const TOOL = (body: string) => `# @describe Does it.\nmain() { ${body}; }\n`;

  it('that print nothing are reported as done, and the conversation continues (P-7.4)', () =>
    inShell(
      [
        {
          call: [
            { name: 'mute', arguments: {} },
            { name: 'still', arguments: {} },
          ],
        },
        { say: 'went on' },
      ],
      async (shell) => {
        await put(shell.folder, { 'config/tools/mute.sh': TOOL(':'), 'config/tools/still.sh': TOOL('true') });
        const { out, err } = await shell.cairn([...run, 'go']);
        assert.match(out, /went on/, err);
        assert.deepEqual(heard(shell.server.requests), [
          'mute finished without output.',
          'still finished without output.',
        ]);
      },
    ));

  it('in two parallel processes do not interfere with each other (P-7.4)', () => {
    const wait =
      'touch "$PWD/at.$argc_me"; until [ -e "$PWD/at.$argc_other" ]; do sleep 0.05; done; echo "$argc_me met $argc_other" >> "$LLM_OUTPUT"';
    const tool = `# @describe Meets.\n# @option --me!\n# @option --other!\nmain() { ${wait}; }\n`;
    const meet = (request: ModelRequest) =>
      heard([request]).length > 0
        ? { say: heard([request]).join() }
        : call('meet', request.lastText === 'one' ? { me: 'a', other: 'b' } : { me: 'b', other: 'a' });
    return inShell([meet, meet, meet, meet], async ({ cairn, folder }) => {
      await put(folder, { 'config/tools/meet.sh': tool });
      const ends = await Promise.all([cairn([...run, 'one']), cairn([...run, 'two'])]);
      assert.deepEqual(
        ends.map(({ out }) => out.trim()),
        ['a met b', 'b met a'],
        ends.map(({ err }) => err).join(),
      );
    });
  });

  it('in TypeScript may have defaults with brackets and commas (P-7.4)', () => {
    const text = `/** Joins. */
export function run(first: string = [")", "(,"].join(","), end: string = ")") { return first + end; }
`;
    return inShell([call('join', { end: '!' }), { say: 'done' }], async ({ cairn, folder, server }) => {
      await put(folder, { 'config/tools/join.ts': text });
      const { status, err } = await cairn([...run, 'go']);
      assert.equal(status, 0, err);
      assert.deepEqual(heard(server.requests), ['),(,!']);
    });
  });
});
