import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Question } from '../../../src/engine';
import { pluginTool } from '../../../src/engine/tools/plugin/pluginTool';
import { warnings, withScripts } from '../../support/scriptWorld';

const HELLO = '# @describe Says hello.\n# @option --name!\nmain() { echo "Hello $argc_name" >> "$LLM_OUTPUT"; }\n';
const call = (name: string, input: Record<string, unknown> = {}) => ({ call: [{ name, arguments: input }] });

describe('Script tools', () => {
  it('of the user are offered, and run like commands', () =>
    withScripts(
      { own: { 'tools/hello.sh': HELLO }, story: [call('hello', { name: 'Ada' }), { say: 'done' }] },
      async ({ play, heard, offered, asked }) => {
        await play('go');
        assert.ok(offered().includes('hello'));
        assert.deepEqual(heard(), ['Hello Ada']);
        assert.deepEqual(asked, []);
      },
    ));

  it('ask before they run where commands do, and show their arguments', () =>
    withScripts(
      {
        own: { 'tools/hello.sh': HELLO },
        approvalMode: 'everything',
        story: [call('hello', { name: 'Ada' }), { say: 'x' }],
      },
      async ({ play, asked }) => {
        await play('go');
        assert.deepEqual(
          asked.map(({ title, category, offers }) => [title, category, offers.length > 0]),
          [['Run hello (name: "Ada")', 'execute', true]],
        );
      },
    ));

  it('in Coyote’s own folder are offered as well', () =>
    withScripts({ own: { 'functions/tools/hello.sh': HELLO }, story: [{ say: 'x' }] }, async ({ play, offered }) => {
      await play('go');
      assert.ok(offered().includes('hello'));
    }));

  it('of a workspace are shown in full before their first run, in every mode, and not again', () =>
    withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO },
        story: [
          call('hello', { name: 'Ada' }),
          call('hello', { name: 'Bob' }),
          { say: 'x' },
          call('hello', { name: 'Eve' }),
          { say: 'x' },
        ],
      },
      async ({ play, asked, heard, restart }) => {
        await play('go');
        assert.deepEqual(heard(), ['Hello Ada', 'Hello Bob']);
        assert.equal(asked.length, 1);
        assert.equal(asked[0]?.command, `Run hello (name: "Ada")\n\n${HELLO.trimEnd()}`);
        assert.match(
          asked.map(({ reason }) => reason).join(),
          /\.cairn\/tools\/hello\.sh of this workspace runs for the first time/,
        );
        assert.deepEqual(
          asked.map(({ offers }) => offers),
          [[]],
          'no rule answers for it',
        );
        await (await restart()).play('again');
        assert.equal(asked.length, 1);
      },
    ));

  it('of a workspace ask again after a change', () =>
    withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO },
        story: [call('hello', { name: 'Ada' }), { say: 'x' }, call('hello', { name: 'Bob' }), { say: 'x' }],
      },
      async ({ play, asked, folder, heard }) => {
        await play('go');
        await writeFile(join(folder, '.cairn/tools/hello.sh'), HELLO.replace('Hello', 'Goodbye'));
        await play('again');
        assert.match(asked[1]?.reason ?? '', /has changed since you last saw it/);
        assert.match(asked[1]?.command ?? '', /Goodbye/);
        assert.equal(heard().at(-1), 'Goodbye Bob');
      },
    ));

  it('of a workspace do not run after they are rejected', () =>
    withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO.replace('main() {', 'main() { touch ran;') },
        approve: () => ({ kind: 'reject', by: 'person' }),
        story: [call('hello', { name: 'Ada' }), call('hello', { name: 'Ada' }), { say: 'x' }],
      },
      async ({ play, asked, read }) => {
        await play('go');
        assert.equal(asked.length, 2);
        await assert.rejects(read('ran'));
      },
    ));

  it('of a workspace do not run if they are replaced during approval', () =>
    withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO },
        approve: async ({ id }) => {
          assert.ok(id);
          await swap?.();
          return { kind: 'once' };
        },
        story: [call('hello', { name: 'Ada' }), call('hello', { name: 'Ada' }), { say: 'x' }],
      },
      async ({ play, asked, folder, heard, read }) => {
        swap = async () => {
          swap = undefined;
          await writeFile(join(folder, '.cairn/tools/hello.sh'), HELLO.replace('main() {', 'main() { touch ran;'));
        };
        await play('go');
        assert.match(heard()[0] ?? '', /has just been changed, so nothing was run/);
        assert.match(asked[1]?.command ?? '', /touch ran/, 'the next call shows what it is now');
        assert.equal(asked.length, 2);
        assert.equal(await read('ran'), '');
      },
    ));
  let swap: (() => Promise<void>) | undefined;

  it('of a workspace also ask when changed during a run after they were approved', () => {
    let path = '';
    const swapped = () => {
      writeFileSync(path, HELLO.replace('Hello', 'Goodbye'));
      return call('hello', { name: 'Bob' });
    };
    return withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO },
        story: [call('hello', { name: 'Ada' }), swapped, call('hello', { name: 'Eve' }), { say: 'x' }],
      },
      async ({ play, asked, folder, heard }) => {
        path = join(folder, '.cairn/tools/hello.sh');
        await play('go');
        const [first, second, third] = heard();
        assert.equal(first, 'Hello Ada');
        assert.match(second ?? '', /has just been changed, so nothing was run/);
        assert.equal(third, 'Goodbye Eve');
        assert.deepEqual(
          asked.map(({ command }) => /Hello|Goodbye/.exec(command ?? '')?.[0]),
          ['Hello', 'Goodbye'],
        );
      },
    );
  });

  it('of a workspace do not replace another tool of the same name, but those of the user do', async () => {
    const elsewhere = pluginTool({
      ...{ name: 'hello', description: 'Says more.', category: 'read', inputSchema: { type: 'object' } },
      run: () => Promise.resolve('From elsewhere.'),
    });
    const beside = { toolsFor: () => Promise.resolve({ tools: [elsewhere], notices: [] }) };
    const story = [call('hello', { name: 'Ada' }), { say: 'x' }];
    await withScripts({ files: { '.cairn/tools/hello.sh': HELLO }, beside, story }, async ({ play, heard }) => {
      const { events } = await play('go');
      assert.deepEqual(heard(), ['From elsewhere.']);
      assert.match(warnings(events).join(), /script hello of this workspace is not a tool: there is another one/);
    });
    await withScripts({ own: { 'tools/hello.sh': HELLO }, beside, story }, async ({ play, heard }) => {
      await play('go');
      assert.deepEqual(heard(), ['Hello Ada']);
    });
  });

  it('of an untrusted workspace are not offered, even with an agent from that workspace', () =>
    withScripts(
      {
        files: {
          '.cairn/agents/helper/config.yaml': 'name: helper\ninstructions: Help.\n',
          '.cairn/agents/helper/tools.sh': '# @cmd Says hello.\nhello() { :; }\n',
        },
        scope: () => ({ trusted: true, isHeard: false, folders: [] }),
        story: [{ say: 'x' }],
      },
      async ({ play, offered }) => {
        assert.equal((await play('go', { agent: 'helper' })).outcome.kind, 'completed');
        assert.ok(!offered().includes('hello'));
      },
    ));

  it('of an untrusted workspace are not offered', () =>
    withScripts(
      {
        files: { '.cairn/tools/hello.sh': HELLO },
        scope: () => ({ trusted: true, isHeard: false, folders: [] }),
        story: [{ say: 'x' }],
      },
      async ({ play, offered }) => {
        await play('go');
        assert.ok(!offered().includes('hello'));
      },
    ));

  it('of an untrusted workspace are not run by one of its graphs either', () =>
    withScripts(
      {
        files: {
          '.cairn/agents/flow/graph.yaml':
            'name: flow\nstart: a\nnodes:\n  a: { type: script, script: a.sh, next: done }\n  done: { type: end }\n',
          '.cairn/agents/flow/a.sh': 'touch ran\necho "{}"\n',
        },
        scope: () => ({ trusted: true, isHeard: false, folders: [] }),
      },
      async ({ play, read }) => {
        const { outcome } = await play('go', { agent: 'flow' });
        assert.match(JSON.stringify(outcome), /belongs to a folder that is not trusted, so its scripts do not run/);
        await assert.rejects(read('ran'));
      },
    ));

  it('of a workspace are not read through a link that leads out of it', () =>
    withScripts(
      { files: { '.cairn/tools/other.sh': HELLO }, story: [{ say: 'x' }] },
      async ({ play, folder, own, offered }) => {
        await own.write({ 'hello.sh': HELLO });
        await symlink(join(own.path, 'hello.sh'), join(folder, '.cairn/tools/hello.sh'));
        const { events } = await play('go');
        assert.ok(offered().includes('other') && !offered().includes('hello'));
        assert.match(warnings(events).join(), /hello\.sh is a link that leads out of the workspace/);
      },
    ));

  it('cannot take a name from Cairn, nor a workspace tool one from the user’s tools', () =>
    withScripts(
      {
        own: { 'tools/hello.sh': HELLO },
        files: { '.cairn/tools/hello.sh': HELLO.replace('Hello', 'Evil'), '.cairn/tools/fs_read.sh': HELLO },
        story: [call('hello', { name: 'Ada' }), call('fs_read', { path: 'x.txt' }), { say: 'x' }],
      },
      async ({ play, heard, folder }) => {
        await writeFile(join(folder, 'x.txt'), 'words');
        await play('go');
        assert.equal(heard()[0], 'Hello Ada');
        assert.match(heard()[1] ?? '', /words/);
      },
    ));

  it('are reported with their location when invalid, without affecting others (P-7.1)', () =>
    withScripts(
      {
        own: { 'tools/bad.sh': 'main() { :; }\n', 'tools/hello.sh': HELLO, 'tools/README.md': 'x' },
        story: [{ say: 'x' }],
      },
      async ({ play, offered }) => {
        const { events } = await play('go');
        assert.ok(offered().includes('hello') && !offered().includes('bad'));
        assert.match(warnings(events).join(), /bad\.sh:1:1: bad has no description for models/);
      },
    ));

  it('report to the model how they failed, with their output (P-7.4)', () =>
    withScripts(
      {
        own: { 'tools/half.sh': '# @describe X\nmain() { echo half >> "$LLM_OUTPUT"; echo why >&2; exit 3; }' },
        story: [call('half'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        await play('go');
        assert.match(heard()[0] ?? '', /half ended with exit code 3\.\nwhy\nIts output:\nhalf/);
      },
    ));

  it('validate their arguments before anything runs (P-7.4)', () =>
    withScripts(
      { own: { 'tools/hello.sh': HELLO }, story: [call('hello', { nam: 'Ada' }), { say: 'x' }] },
      async ({ play, heard }) => {
        await play('go');
        assert.match(heard()[0] ?? '', /name: is missing.*nam: is not known/);
      },
    ));

  it('find their declared variables in the environment, their folder or the vault', () =>
    withScripts(
      {
        own: {
          'functions/.env': 'FROM_FILE=file\nTIDE_KEY={{TIDES}}\nBOTH=file\n',
          'functions/tools/show.sh':
            '# @describe X\n# @env WEATHER_KEY!\n# @env ROUND=3\nmain() { echo "$FROM_FILE $TIDE_KEY $BOTH $WEATHER_KEY $ROUND ${OTHER_KEY-none}" >> "$LLM_OUTPUT"; }',
        },
        secrets: { TIDES: 'high', WEATHER_KEY: 'sunny' },
        env: { BOTH: 'real', OTHER_KEY: 'secret' },
        story: [call('show'), { say: 'x' }],
      },
      async ({ play, heard, hidden }) => {
        await play('go');
        assert.deepEqual(heard(), ['file high real sunny 3 none']);
        assert.deepEqual(hidden, ['high', 'sunny']);
      },
    ));

  it('of a workspace get no variables from a workspace file that no one was shown', () =>
    withScripts(
      {
        files: {
          '.cairn/.env': 'FROM_FILE=theirs\n',
          '.cairn/tools/show.sh': '# @describe X\nmain() { echo "${FROM_FILE-none}" >> "$LLM_OUTPUT"; }',
        },
        story: [call('show'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        await play('go');
        assert.deepEqual(heard(), ['none']);
      },
    ));

  it('larger than a megabyte are skipped with a notice', () =>
    withScripts(
      { own: { 'tools/hello.sh': `${HELLO}${'# x\n'.repeat(300_000)}` }, story: [{ say: 'x' }] },
      async ({ play, offered }) => {
        const { events } = await play('go');
        assert.match(warnings(events).join(), /hello\.sh is larger than 1 MB\. Until then it is not a tool\./);
        assert.ok(!offered().includes('hello'));
      },
    ));

  it('do not get Cairn’s own keys', () =>
    withScripts(
      {
        own: {
          '.env': 'OPENAI_API_KEY=sk-own\n',
          'tools/show.sh': '# @describe X\nmain() { echo "${OPENAI_API_KEY-none}" >> "$LLM_OUTPUT"; }',
        },
        env: { OPENAI_API_KEY: 'sk-own' },
        story: [call('show'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        await play('go');
        assert.deepEqual(heard(), ['none']);
      },
    ));

  it('report which variable is missing and where to set it', () =>
    withScripts(
      {
        own: { 'tools/show.sh': '# @describe X\n# @env TIDE_KEY!\nmain() { :; }' },
        story: [call('show'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        await play('go');
        assert.match(
          heard()[0] ?? '',
          /show\.sh needs TIDE_KEY, which is not set\. Store it with “cairn vault add TIDE_KEY”/,
        );
      },
    ));

  it('put their questions to the user (P-7.5)', () =>
    withScripts(
      {
        own: {
          'tools/ask.sh':
            '# @describe X\nmain() { source "$LLM_PROMPT_UTILS_FILE"; input "Which tide?" >> "$LLM_OUTPUT"; }',
        },
        answer: ({ question }: Question) => ({ kind: 'answered', texts: [`low, for ${question}`] }),
        story: [call('ask'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        await play('go');
        assert.deepEqual(heard(), ['low, for Which tide?']);
      },
    ));

  it('do not run while the consent file is broken, and the file is named', () =>
    withScripts(
      {
        own: { 'script-consents.json': '{\n  "scripts": 1\n}' },
        files: { '.cairn/tools/hello.sh': HELLO },
        story: [{ say: 'x' }],
      },
      async ({ play, offered, own }) => {
        const { events } = await play('go');
        assert.ok(!offered().includes('hello'));
        assert.match(warnings(events).join(), /script-consents\.json.*Until then, no script of a workspace runs/);
        assert.match(await readFile(join(own.path, 'script-consents.json'), 'utf8'), /"scripts": 1/);
        await rm(own.path, { recursive: true });
      },
    ));
});
