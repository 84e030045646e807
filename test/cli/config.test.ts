import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inShell } from './inShell';

const open = { CAIRN_VAULT_PASSPHRASE: 'correct horse battery staple' };

describe('config.yaml on the command line', function () {
  this.timeout(60_000);

  const writeConfig = async (folder: string, text: string) => {
    await mkdir(join(folder, 'config'), { recursive: true });
    await writeFile(join(folder, 'config', 'config.yaml'), text);
  };

  it('sets the model and limits of a run, unless the environment or options do', () =>
    inShell(
      [{ call: [{ name: 'fs_ls', arguments: {} }] }, { say: 'By the environment.' }, { say: 'By the option.' }],
      async ({ cairn, folder, server }) => {
        await writeConfig(folder, 'model: openai:of-file\nlimits:\n  turns: 1\n');
        const limited = await cairn(['go']);
        assert.equal(limited.status, 3, limited.err);
        const byVariable = await cairn(['go'], { env: { CAIRN_MODEL: 'openai:of-environment' } });
        assert.equal(byVariable.status, 0, byVariable.err);
        const byOption = await cairn(['-m', 'openai:of-option', 'go'], {
          env: { CAIRN_MODEL: 'openai:of-environment' },
        });
        assert.equal(byOption.status, 0, byOption.err);
        assert.deepEqual(
          server.requests.map(({ body }) => /"model":"([^"]*)"/.exec(JSON.stringify(body))?.[1]),
          ['of-file', 'of-environment', 'of-option'],
        );
      },
    ));

  it("passes the user's instructions to every agent once, after those of the folder", () =>
    inShell([{ say: 'one' }, { say: 'two' }, { say: 'three' }], async ({ cairn, folder, server }) => {
      const text = 'Answer in French.\n\nNo emoji.';
      await writeConfig(folder, `instructions: |\n  ${text.replaceAll('\n', '\n  ')}\n`);
      await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.');
      const begun = await cairn(['-m', 'openai:test-model', '--trust', '-s', 'work', 'go']);
      assert.equal(begun.status, 0, begun.err);
      assert.equal((await cairn(['-m', 'openai:test-model', '--trust', '-s', 'work', 'on'])).status, 0);
      const [first = '', second = ''] = server.requests.map(({ body }) => JSON.stringify(body));
      assert.match(first, /Use tabs\.[^]*# From the user, for every agent\\nAnswer in French\.\\n\\nNo emoji\./);
      assert.equal(second.split('Answer in French').length, 2);
      assert.match((await cairn(['--info'])).out, /^setting instructions\tAnswer in French\..*\tconfig\.yaml:1$/m);
      await writeConfig(folder, 'instructions: ""\n');
      assert.equal((await cairn(['-m', 'openai:test-model', '--trust', '-s', 'work', 'on'])).status, 0);
      assert.match(server.requests.at(-1)?.lastText ?? '', /The user’s instructions for every agent no longer apply/);
    }));

  it('applies the role or session of its prelude, unless another one is named (P-1.5)', () =>
    inShell(
      [{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }, { say: 'Four.' }],
      async ({ cairn, folder, server }) => {
        await mkdir(join(folder, 'config', 'roles'), { recursive: true });
        await writeFile(join(folder, 'config', 'roles', 'pirate.md'), 'You speak like a pirate.\n');
        const ask = async (words: string, ...options: readonly string[]) => {
          const { status, err } = await cairn(['-m', 'openai:test-model', ...options, words]);
          assert.equal(status, 0, err);
          return JSON.stringify(server.requests.at(-1)?.body);
        };
        await writeConfig(folder, 'cmd_prelude: role:pirate\n');
        assert.match(await ask('ahoy'), /You speak like a pirate\./);
        assert.doesNotMatch(await ask('hello', '-s', 'calm'), /pirate/);
        await writeConfig(folder, 'cmd_prelude: session:calm\n');
        assert.match(await ask('again'), /hello[^]*again/);
        assert.doesNotMatch(await ask('elsewhere', '-s', 'other'), /hello/);
      },
    ));

  it('applies the role of its prelude to an empty session (P-1.5)', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, 'config', 'roles'), { recursive: true });
      for (const name of ['pirate', 'poet'])
        await writeFile(join(folder, 'config', 'roles', `${name}.md`), `You speak like a ${name}.\n`);
      const ask = async (words: string) => {
        const { status, err } = await cairn(['-m', 'openai:test-model', words]);
        assert.equal(status, 0, err);
        return JSON.stringify(server.requests.at(-1)?.body);
      };
      await writeConfig(folder, 'cmd_prelude: calm sea:pirate\n');
      const { out } = await cairn(['--info']);
      assert.match(out, /^setting session\tcalm sea\tconfig\.yaml:1$/m);
      assert.match(out, /^setting session_role\tpirate\tconfig\.yaml:1$/m);
      assert.match(await ask('ahoy'), /You speak like a pirate\./);
      await writeConfig(folder, 'cmd_prelude: calm sea:poet\n');
      assert.match(await ask('again'), /You speak like a pirate\.[^]*ahoy[^]*again/);
      assert.match(await ask('and again'), /You speak like a pirate\./, 'it is the role of the session');
      await writeConfig(folder, 'cmd_prelude: other:nobody\n');
      const { status, err } = await cairn(['-m', 'openai:test-model', 'go']);
      assert.match(err, /nobody/);
      assert.equal(status, 2);
      assert.doesNotMatch((await cairn(['--list', 'sessions'])).out, /other/);
    }));

  it('configures a Coyote client with an address and a key from the vault (P-1.7)', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder, server }) => {
      const env = { ...open, OPENAI_BASE_URL: '', OPENAI_API_KEY: '' };
      await cairn(['vault', 'add', 'COMPANY-KEY'], { env, input: 'test-key' });
      const client = `{ type: openai-compatible, name: company, api_base: '${server.url}', api_key: '{{COMPANY-KEY}}' }`;
      await writeConfig(folder, `model: company:test-model\nclients:\n  - ${client}\n`);
      const { status, out, err } = await cairn(['go'], { env });
      assert.equal(status, 0, err);
      assert.match(out, /Hello\./);
      assert.equal(server.requests[0]?.headers['authorization'], 'Bearer test-key');
    }));

  it('reports each reference to a missing secret and ignores only that key (P-1.3)', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
      const text = [
        'model: openai:test-model',
        'clients:',
        '  - { type: openai }',
        '  - type: claude',
        "    api_key: '{{GONE}}'",
        '  - type: groq',
        "    api_key: '{{GONE}}'",
      ];
      await writeConfig(folder, `${text.join('\n')}\n`);
      const { status, err } = await cairn(['go']);
      assert.equal(status, 0, err);
      for (const line of [5, 7])
        assert.match(
          err,
          new RegExp(`config\\.yaml:${line}:\\d+: warning: there is no secret GONE.*cairn vault add GONE`),
        );
    }));

  it('uses one client per provider, selected by “model”, and reports the others and unused keys (P-1.4)', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder, server }) => {
      const env = { OPENAI_BASE_URL: '', OPENAI_API_KEY: '' };
      const text = [
        'model: second:test-model',
        'clients:',
        "  - { type: openai-compatible, name: first, api_base: 'http://127.0.0.1:9/v1', api_key: other-key }",
        `  - { type: openai-compatible, name: second, api_base: '${server.url}', api_key: test-key, patch: {} }`,
      ];
      await writeConfig(folder, `${text.join('\n')}\n`);
      const { status, err } = await cairn(['go'], { env });
      assert.equal(status, 0, err);
      assert.equal(server.requests[0]?.headers['authorization'], 'Bearer test-key');
      assert.match(err, /config\.yaml:3:\d+: warning: the client “first” has no effect: .*“second” is used/);
      assert.match(
        (await cairn(['--info'], { env })).err,
        /config\.yaml:4:\d+: warning: Unknown key “patch”.*no effect/,
      );
      await writeConfig(folder, `${text.slice(1).join('\n')}\n`);
      assert.match((await cairn(['--info'], { env })).err, /:3:\d+: warning: the client “second” has no effect/);
    }));

  it('treats braces outside a key as text, not as a missing secret (P-1.3)', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
      await writeConfig(folder, "model: openai:test-model\nrag_template: 'Answer from {{context}}'\n");
      const { status, err } = await cairn(['go']);
      assert.equal(status, 0, err);
      assert.doesNotMatch(err, /context/);
    }));

  it('stops a run with file and line when a value is invalid', () =>
    inShell([], async ({ cairn, folder, server }) => {
      for (const [text, message] of [
        ['model: openai:x\napprove: everything\n', /config\.yaml:2:10: error: .*approve.*ask, edits, all, none/],
        ['limits:\n  turns: 0\n', /config\.yaml:2:10: error: .*limits\.turns/],
        ['modle: openai:x\n', /config\.yaml:1:1: error: Unknown key “modle”. Did you mean “model”\?/],
        ['model: [\n', /config\.yaml:\d+:\d+: error: .*Correct the YAML here/],
        ['cmd_prelude: coder\n', /config\.yaml:1:14: error: .*role:NAME, session:NAME, or SESSION:ROLE/],
      ] as const) {
        await writeConfig(folder, text);
        const { status, err } = await cairn(['go']);
        assert.match(err, message);
        assert.equal(status, 2);
      }
      assert.equal(server.requests.length, 0);
    }));

  it('is explained by --info: the source of each value, and why others have no effect', () =>
    inShell([], async ({ cairn, folder }) => {
      const text = [
        'model: openai:of-file',
        'approve: edits',
        'cmd_prelude: role:explain',
        'theme: dark',
        'clients:',
        "  - { type: claude, api_key: 'in-clear-text' }",
        '  - type: cohere',
      ];
      await writeConfig(folder, `${text.join('\n')}\n`);
      const { status, out, err } = await cairn(['--info', '-r', 'mine'], {
        env: { CAIRN_MODEL: 'openai:of-variable' },
      });
      assert.equal(status, 0, err);
      for (const row of [
        'setting model\topenai:of-variable\tCAIRN_MODEL\toverrides openai:of-file (config.yaml:1)',
        'setting approve\tedits\tconfig.yaml:2',
        'approve\tedits',
        'setting role\tmine\t--role\toverrides explain (config.yaml:3)',
        'setting ANTHROPIC_API_KEY\tset\tconfig.yaml:6',
        'setting OPENAI_API_KEY\tset\tOPENAI_API_KEY',
      ])
        assert.ok(`\n${out}`.includes(`\n${row}\n`), `${row} in\n${out}`);
      assert.doesNotMatch(out, /^setting limits/m, 'of which nothing is said');
      assert.match(err, /config\.yaml:4:\d+: warning: “theme” has no effect: the terminal decides/);
      assert.match(
        err,
        /config\.yaml:6:\d+: warning: anyone who reads the file can read this key.*cairn vault add ANTHROPIC_API_KEY/,
      );
      assert.match(err, /config\.yaml:7:\d+: warning: Cairn does not support clients of the type “cohere”/);
      assert.ok(!`${out}${err}`.includes('in-clear-text'));
    }));

  it('is overridden by variables of Cairn and Coyote, which --info names', () =>
    inShell([], async ({ cairn, folder }) => {
      await writeConfig(folder, 'model: openai:of-file\nrole: of-file\nlimits: { turns: 9, minutes: 5 }\n');
      const env = {
        COYOTE_MODEL: 'claude:of-coyote',
        COYOTE_CMD_PRELUDE: 'role:explain',
        CAIRN_LIMITS_TURNS: '2',
        CAIRN_AUTO_CONTINUE: '1',
        COYOTE_AUTO_CONTINUE: 'false',
        COYOTE_ENABLED_SKILLS: 'one, two',
        COYOTE_TEMPERATURE: '0.5',
        COYOTE_STREAM: '0',
        CAIRN_APPROVE: 'all',
      };
      const { status, out, err } = await cairn(['--info'], { env });
      assert.equal(status, 0, err);
      for (const row of [
        'setting model\tanthropic:of-coyote\tCOYOTE_MODEL\toverrides openai:of-file (config.yaml:1)',
        'setting role\texplain\tCOYOTE_CMD_PRELUDE\toverrides of-file (config.yaml:2)',
        'setting limits.turns\t2\tCAIRN_LIMITS_TURNS\toverrides 9 (config.yaml:3)',
        'setting limits.minutes\t5\tconfig.yaml:3',
        'setting auto_continue\ttrue\tCAIRN_AUTO_CONTINUE',
        'setting enabled_skills\tone, two\tCOYOTE_ENABLED_SKILLS',
        'setting temperature\t0.5\tCOYOTE_TEMPERATURE',
        'approve\tnone',
      ])
        assert.ok(`\n${out}`.includes(`\n${row}\n`), `${row} in\n${out}`);
      assert.match(err, /COYOTE_STREAM has no effect: answers always stream/);
      assert.match(err, /CAIRN_APPROVE has no effect: .*--approve, config\.yaml/);
    }));

  it('is not required for its environment variables, and the closest of them wins', () =>
    inShell([{ call: [{ name: 'fs_ls', arguments: {} }] }, { say: 'On.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, 'config'));
      await writeFile(join(folder, 'config', '.env'), 'COYOTE_MODEL=openai:of-file\nCAIRN_LIMITS_TURNS=1\n');
      const limited = await cairn(['go']);
      assert.equal(limited.status, 3, limited.err);
      const chosen = await cairn(['go'], { env: { COYOTE_MODEL: 'openai:of-environment', CAIRN_LIMITS_TURNS: '2' } });
      assert.equal(chosen.status, 0, chosen.err);
      assert.deepEqual(
        server.requests.map(({ body }) => /"model":"([^"]*)"/.exec(JSON.stringify(body))?.[1]),
        ['of-file', 'of-environment'],
      );
    }));

  it('names an invalid variable, and is reset by a variable that is null', () =>
    inShell([], async ({ cairn, folder }) => {
      await writeConfig(folder, 'role: of-file\nlimits: { turns: 9 }\n');
      const { status, err } = await cairn(['go'], { env: { CAIRN_LIMITS_TURNS: 'many', COYOTE_AUTO_CONTINUE: 'yes' } });
      assert.equal(status, 2);
      assert.match(err, /CAIRN_LIMITS_TURNS: .*\n\s+COYOTE_AUTO_CONTINUE: /);
      const taken = await cairn(['--info'], { env: { CAIRN_ROLE: 'null', CAIRN_LIMITS_TURNS: 'null' } });
      assert.equal(taken.status, 0, taken.err);
      assert.doesNotMatch(taken.out, /^setting (?:role|limits)/m);
    }));

  it('is ignored when it comes from the workspace', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, '.cairn'));
      for (const file of ['config.yaml', '.cairn/config.yaml'])
        await writeFile(join(folder, file), 'model: openai:of-folder\napprove: all\n');
      const { status, err } = await cairn(['-m', 'openai:test-model', '--trust', 'go']);
      assert.equal(status, 0, err);
      assert.match((await cairn(['--info', '--trust'])).out, /^approve\tnone$/m);
      assert.equal(server.requests.length, 1);
    }));
});

describe('The .env file of the Cairn folder', function () {
  this.timeout(60_000);

  it('adds to the environment without overriding it, and its secrets are hidden (P-1.2)', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, 'config'));
      const lines = [
        'CAIRN_MODEL=openai:of-file',
        "export OPENAI_API_KEY='test-key'",
        'OTHER_TOKEN=Zq7Wx9KvJy4Bn2Rt8Lp5',
      ];
      await writeFile(join(folder, 'config', '.env'), `# mine\n${lines.join('\n')}\n`);
      const env = { OPENAI_API_KEY: undefined };
      const first = await cairn(['say Zq7Wx9KvJy4Bn2Rt8Lp5'], { env });
      assert.equal(first.status, 0, first.err);
      assert.match((await cairn(['--info'], { env })).out, /^setting model\topenai:of-file\tCAIRN_MODEL in \.env$/m);
      const second = await cairn(['go'], { env: { CAIRN_MODEL: 'openai:of-environment' } });
      assert.equal(second.status, 0, second.err);
      const bodies = server.requests.map(({ body }) => JSON.stringify(body));
      assert.match(bodies[0] ?? '', /"model":"of-file"/);
      assert.doesNotMatch(bodies[0] ?? '', /Zq7Wx9KvJy4Bn2Rt8Lp5/);
      assert.match(bodies[1] ?? '', /"model":"of-environment"/);
    }));

  it('may name the key file of the vault, unlike the .env file of the workspace', () =>
    inShell([], async ({ cairn, folder }) => {
      await mkdir(join(folder, 'config'));
      await writeFile(join(folder, 'vault.key'), 'correct horse battery staple', { mode: 0o600 });
      const line = `CAIRN_VAULT_KEY_FILE=${join(folder, 'vault.key')}\n`;
      await writeFile(join(folder, '.env'), line);
      const refused = await cairn(['vault', 'add', 'TOKEN'], { input: 'a value' });
      assert.equal(refused.status, 2);
      assert.match(refused.err, /there is no terminal/);
      await writeFile(join(folder, 'config', '.env'), line);
      const added = await cairn(['vault', 'add', 'TOKEN'], { input: 'a value' });
      assert.equal(added.status, 0, added.err);
    }));
});
