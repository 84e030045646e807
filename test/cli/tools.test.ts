import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { inShell } from './inShell';

const run = ['-m', 'openai:test-model', '--approve', 'all'];
const call = (name: string, input: Record<string, unknown>) => ({ call: [{ name, arguments: input }] });
const heard = (requests: readonly ModelRequest[]) =>
  (requests.at(-1)?.messages ?? []).flatMap(({ results }) => results.map(({ text }) => text));

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const HELLO = '# @describe Says hello.\n# @option --name!\nmain() { echo "Hello $argc_name" >> "$LLM_OUTPUT"; }\n';

describe('Script tools on the command line', function () {
  this.timeout(60_000);

  for (const language of ['bash', 'python', 'typescript', 'javascript'])
    it(`are created in ${language}, checked, and called by agents`, () => {
      const story = [call('count_lines', { path: 'poem.txt', word: 'tide' }), { say: 'done' }];
      return inShell(story, async ({ cairn, folder, server }) => {
        await put(folder, { 'poem.txt': 'high tide\n\nlow tide\nsand\n' });
        const made = await cairn(['tools', 'new', 'count_lines', '--language', language]);
        assert.equal(made.status, 0, made.err);
        assert.match(made.out, /config\/tools\/count_lines\.(?:sh|py|ts|js)\n$/);
        const checked = await cairn(['tools', 'check']);
        assert.equal(checked.status, 0, checked.out);
        assert.match(checked.out, /^count_lines\t.*count_lines\.\w+:\d+\n {2}Counts the lines of a file\.\n/);
        assert.match(checked.out, /"path": \{\n.*"type": "string",\n.*"The file, from the workspace"/);
        assert.match(checked.out, /"required": \[\n\s+"path"\n/);
        assert.match(checked.out, /\n1 tool, 0 errors\n$/);
        const { status, err } = await cairn([...run, 'go']);
        assert.equal(status, 0, err);
        assert.deepEqual(heard(server.requests), ['2'], err);
      });
    });

  it('do not overwrite an existing file', () =>
    inShell([], async ({ cairn, folder }) => {
      await put(folder, { '.cairn/tools/x.sh': 'mine' });
      const { status, err } = await cairn(['tools', 'new', 'x', '--here']);
      assert.equal(status, 2);
      assert.match(err, /there is a file .*x\.sh already/);
      assert.equal(await readFile(join(folder, '.cairn/tools/x.sh'), 'utf8'), 'mine');
    }));

  it('are reported with file, line and column when they are invalid', () =>
    inShell([], async ({ cairn, folder }) => {
      await put(folder, {
        'tools/good.sh': HELLO,
        'tools/bad.sh': '# @describe X\n# @option name\nmain() { :; }\n',
        'tools/bad.py': 'def run(*a):\n    "X"\n',
        'agent/tools.sh': '# @cmd Adds\nadd() { :; }\n',
      });
      const { status, out } = await cairn(['tools', 'check', 'tools', 'agent', 'tools/good.sh']);
      assert.equal(status, 2);
      assert.match(out, /tools\/bad\.sh:2:3: error: This is not valid\. Write it as “# @option --count/);
      assert.match(out, /tools\/bad\.py:1:9: error: A model cannot be told what \*a takes/);
      assert.match(out, /^add\t.*agent\/tools\.sh:1$/m);
      assert.match(out, /\n3 tools, 2 errors\n$/);
      const nothing = await cairn(['tools', 'check', 'nowhere']);
      assert.deepEqual([nothing.status, nothing.err.includes('nowhere')], [2, true]);
    }));

  it('are listed with all others, with their source and category', () =>
    inShell([], async ({ cairn, folder }) => {
      await put(folder, { '.cairn/tools/hello.sh': HELLO, 'config/tools/mine.sh': HELLO });
      const { out } = await cairn(['--list', 'tools', '--trust']);
      assert.match(out, /^fs_read\tCairn\tread\t/m);
      assert.match(out, /^web_search\tCairn, for those who name it\tnetwork\tSearches the web/m);
      assert.match(out, /^mine\tyour script\texecute\tSays hello\.$/m);
      assert.match(out, /^hello\tscript of this folder\texecute\tSays hello\.$/m);
      assert.doesNotMatch((await cairn(['--list', 'tools'])).out, /^hello\t/m);
    }));

  it('of a folder need trust and the approval of a user', () => {
    const story = [call('hello', { name: 'Ada' }), { say: 'done' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await put(folder, { '.cairn/tools/hello.sh': HELLO });
      const list = await cairn(['tools', 'list']);
      assert.match(list.err, /this folder is not trusted, so \.cairn\/tools is not read/);
      assert.equal(list.out, '');
      assert.match((await cairn(['tools', 'list', '--trust'])).out, /^hello\t.*hello\.sh\tshown before it runs\n$/);
      const { err } = await cairn([...run, '--trust', 'go']);
      assert.match(heard(server.requests)[0] ?? '', /hello\.sh of this workspace runs for the first time/, err);
    });
  });

  it('are limited to those that config.yaml enables (P-1.6, P-7.3)', () => {
    const story = [call('hidden', {}), call('other', {}), { say: 'done' }, { say: 'again' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      const tool = (name: string) =>
        `# @describe Is ${name}.\nmain() { touch "$PWD/${name}-ran"; echo ${name} >> "$LLM_OUTPUT"; }\n`;
      await put(folder, {
        'config/config.yaml':
          'visible_tools: [hello.sh, other]\nenabled_tools: greeting, unknown\nmapping_tools:\n  greeting: hello, fs_ls\n',
        ...Object.fromEntries(['hello', 'other', 'hidden'].map((name) => [`config/tools/${name}.sh`, tool(name)])),
      });
      const { status, err } = await cairn([...run, 'go']);
      assert.equal(status, 0, err);
      const offered = server.requests[0]?.tools ?? [];
      assert.deepEqual(
        ['hello', 'other', 'hidden', 'fs_ls', 'fs_read'].filter((name) => offered.includes(name)),
        ['hello', 'fs_ls', 'fs_read'],
      );
      assert.match(heard(server.requests).join('\n'), /no tool "hidden"[^]*no tool "other"/);
      for (const name of ['hidden', 'other']) await assert.rejects(readFile(join(folder, `${name}-ran`)));
      const list = (await cairn(['--list', 'tools'])).out;
      assert.deepEqual(list.match(/^\w+(?=\tyour script)/gm), ['hello']);
      const info = await cairn(['--info']);
      assert.match(info.out, /^setting visible_tools\thello\.sh, other\tconfig\.yaml:1$/m);
      assert.match(info.out, /^setting enabled_tools\thello, fs_ls, unknown\tconfig\.yaml:2$/m);
      const all = await cairn([...run, 'go'], { env: { CAIRN_ENABLED_TOOLS: 'all', CAIRN_VISIBLE_TOOLS: 'other' } });
      assert.equal(all.status, 0, all.err);
      assert.ok(server.requests.at(-1)?.tools.includes('other') && !server.requests.at(-1)?.tools.includes('hello'));
    });
  });

  it('can be named by aliases of config.yaml in roles and agents too, and aliases may stand for several tools (P-1.6)', () =>
    inShell([{ say: 'one' }, { say: 'two' }], async ({ cairn, folder, server }) => {
      await put(folder, {
        'config/config.yaml': 'mapping_tools:\n  reading: fs_cat , fetch_url_via_curl,hello\n',
        'config/tools/hello.sh': '# @describe Says hello.\nmain() { echo hello >> "$LLM_OUTPUT"; }\n',
        'config/roles/reader.md': '---\nenabled_tools: reading\n---\nYou read.\n',
        'config/agents/solo.md': '---\ntools: [reading, fs_ls]\n---\nYou read.\n',
      });
      const named = ['fs_cat', 'fs_ls', 'fs_write', 'fetch_url', 'hello', 'reading'];
      const offered = () => named.filter((name) => server.requests.at(-1)?.tools.includes(name));
      await cairn([...run, '-r', 'reader', 'go']);
      assert.deepEqual(offered(), ['fs_cat', 'fetch_url', 'hello']);
      await cairn([...run, '-a', 'solo', 'go']);
      assert.deepEqual(offered(), ['fs_cat', 'fs_ls', 'fetch_url', 'hello']);
    }));

  it('keep their secrets out of requests and output', () => {
    const story = [call('leak', {}), { say: 'done' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await put(folder, {
        'config/functions/.env': 'TIDE_TOKEN=tide-secret-12345\n',
        'config/functions/tools/leak.sh':
          '# @describe X\nmain() { echo "$TIDE_TOKEN"; echo "$TIDE_TOKEN" >> "$LLM_OUTPUT"; }\n',
      });
      const { err, out } = await cairn([...run, 'go']);
      assert.doesNotMatch(JSON.stringify(server.requests) + err + out, /tide-secret/);
      assert.deepEqual(heard(server.requests), ['•••']);
    });
  });
});
