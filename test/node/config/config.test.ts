import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../src/engine';
import { loadConfig } from '../../../src/node/config/loadConfig';
import { type TemporaryFolder, temporaryFolder } from '../temporaryFolder';

describe('config.yaml', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder.remove());

  async function configOf(text: string | undefined, env: NodeJS.ProcessEnv = {}, vault: Record<string, string> = {}) {
    if (text !== undefined) await folder.write({ 'config.yaml': text });
    const get = (name: string) => Promise.resolve(vault[name]);
    return loadConfig(folder.path, env, { get, howToAdd: (name) => `add ${name}` });
  }

  const rowsOf = (layer: ReadonlyMap<string, { value: string; from: string }>) =>
    Object.fromEntries([...layer].map(([name, { value, from }]) => [name, `${value} (${from})`]));

  it('gives each key its effect and its place', async () => {
    const { values, settings, variables, byFile, warnings, notes } = await configOf(
      [
        'model: anthropic/claude-x',
        'agent: coder',
        'role: poet',
        'approve: edits',
        'reasoning_effort: high',
        'limits:',
        '  turns: 1',
        '  tokens: 2000',
        '  minutes: 0.5',
        '  cost_usd: 0.25',
        'instructions: "  Be brief.  "',
        'auto_continue: true',
        'max_auto_continues: 3',
        'skills_enabled: false',
        'enabled_skills: tidy, review',
        'visible_skills: [tidy]',
        'visible_tools: [greet, count]',
        'enabled_tools: [all-greetings, count]',
        'mapping_tools: { all-greetings: "greet, wave" }',
        'enabled_mcp_servers: search, notes',
        'mapping_mcp_servers: { search: [web, wiki] }',
        'secrets_provider: { type: gopass }',
        'temperature: 0.3',
        'top_p: 0.9',
        'mcp_server_support: false',
      ].join('\n'),
    );
    assert.deepEqual(values, {
      ...{ agent: 'coder', role: 'poet', approve: 'edits', secrets_provider: 'gopass' },
      ...{ session: undefined, session_role: undefined },
    });
    assert.deepEqual(variables, { CAIRN_MODEL: 'anthropic:claude-x', CAIRN_REASONING_EFFORT: 'high' });
    assert.deepEqual(settings, {
      instructions: 'Be brief.',
      temperature: 0.3,
      topP: 0.9,
      autoContinue: true,
      autoContinueLimit: 3,
      limits: { turns: 1, tokens: 2000, minutes: 0.5, costUsd: 0.25 },
      skills: { enabled: false, byDefault: ['tidy', 'review'], visible: ['tidy'] },
      servers: { on: false, enabled: ['search', 'notes'], mapping: { search: ['web', 'wiki'] } },
      tools: {
        visible: ['greet', 'count'],
        enabled: ['greet', 'wave', 'count'],
        mapping: { 'all-greetings': ['greet', 'wave'] },
      },
    });
    assert.deepEqual(rowsOf(byFile), {
      model: 'anthropic:claude-x (config.yaml:1)',
      agent: 'coder (config.yaml:2)',
      role: 'poet (config.yaml:3)',
      approve: 'edits (config.yaml:4)',
      reasoning_effort: 'high (config.yaml:5)',
      'limits.turns': '1 (config.yaml:7)',
      'limits.tokens': '2000 (config.yaml:8)',
      'limits.minutes': '0.5 (config.yaml:9)',
      'limits.cost_usd': '0.25 (config.yaml:10)',
      instructions: 'Be brief. (config.yaml:11)',
      auto_continue: 'true (config.yaml:12)',
      max_auto_continues: '3 (config.yaml:13)',
      skills_enabled: 'false (config.yaml:14)',
      enabled_skills: 'tidy, review (config.yaml:15)',
      visible_skills: 'tidy (config.yaml:16)',
      visible_tools: 'greet, count (config.yaml:17)',
      enabled_tools: 'greet, wave, count (config.yaml:18)',
      enabled_mcp_servers: 'search, notes (config.yaml:20)',
      secrets_provider: 'gopass (config.yaml:22)',
      temperature: '0.3 (config.yaml:23)',
      top_p: '0.9 (config.yaml:24)',
      mcp_server_support: 'false (config.yaml:25)',
    });
    assert.deepEqual([warnings, notes], [[], []]);
  });

  it('may contain each of Coyote’s other keys, and says why it has no effect', async () => {
    const reasons: readonly (readonly [why: RegExp, keys: string])[] = [
      [/permission rules decide/, 'function_calling_support'],
      [/knowledge bases/, 'rag_embedding_model rag_reranker_model rag_top_k rag_chunk_size rag_chunk_overlap'],
      [/knowledge bases/, 'rag_template document_loaders'],
      [/no interactive prompt/, 'keybindings editor repl_prelude left_prompt right_prompt save_shell_history'],
      [/always saved/, 'save save_session compression_threshold summarization_prompt summary_context_prompt'],
      [/each agent sets it/, 'agent_session inject_todo_instructions continuation_prompt'],
      [/each agent sets it/, 'inject_skill_instructions skill_instructions'],
      [/the terminal decides/, 'wrap wrap_code highlight theme light_theme'],
      [/CAIRN_VAULT_KEY_FILE/, 'vault_password_file'],
      [/every message is sent/, 'dry_run'],
      [/always stream/, 'stream'],
      [/user agent/, 'user_agent'],
      [/built into Cairn/, 'sync_models_url'],
    ];
    const keys = reasons.flatMap(([why, names]) => names.split(' ').map((key) => ({ key, why })));
    const { notes, byFile } = await configOf(keys.map(({ key }) => `${key}: 1\n`).join(''));
    assert.equal(notes.length, keys.length);
    for (const [at, { key, why }] of keys.entries()) {
      const note = notes.find((one) => one.includes(`“${key}” has no effect: `)) ?? '';
      assert.ok(note.includes(`config.yaml:${at + 1}:`), `${key}: ${note}`);
      assert.match(note, why);
    }
    assert.equal(byFile.size, 0);
    for (const prefix of ['CAIRN_', 'COYOTE_']) {
      const names = keys.map(({ key }) => prefix + key.toUpperCase());
      const said = await configOf(undefined, Object.fromEntries(names.map((name) => [name, '1'])));
      const lines = names.map((name) => said.notes.find((one) => one.startsWith(`${name} has no effect: `)));
      for (const [at, { why }] of keys.entries()) assert.match(lines[at] ?? '', why);
    }
  });

  it('is overridden by a variable for each field, whose name is shown', async () => {
    const said: Readonly<Record<string, string>> = {
      model: 'openai:m',
      agent: 'coder',
      role: 'poet',
      reasoning_effort: 'low',
      'limits.turns': '7',
      'limits.tokens': '800',
      'limits.minutes': '1.5',
      'limits.cost_usd': '0.75',
      auto_continue: 'true',
      max_auto_continues: '4',
      skills_enabled: 'false',
      enabled_skills: 'a, b',
      visible_skills: 'a, c',
      visible_tools: 'd, e',
      enabled_tools: 'd, f',
      enabled_mcp_servers: 'g, h',
      mcp_server_support: 'false',
      temperature: '0.4',
      top_p: '0.8',
    };
    const field = (name: string) => name.replace('.', '_').toUpperCase();
    // The first two of Cairn's own names are handled with the other settings.
    const env = Object.fromEntries(Object.entries(said).map(([name, value]) => [`COYOTE_${field(name)}`, value]));
    const byCoyote = await configOf(undefined, env);
    assert.deepEqual(
      rowsOf(byCoyote.byVariables),
      Object.fromEntries(Object.entries(said).map(([name, value]) => [name, `${value} (COYOTE_${field(name)})`])),
    );
    assert.deepEqual(byCoyote.settings['limits'], { turns: 7, tokens: 800, minutes: 1.5, costUsd: 0.75 });
    assert.deepEqual([byCoyote.settings['autoContinue'], byCoyote.settings['autoContinueLimit']], [true, 4]);
    const mapped = await configOf('mapping_tools: { fs: fs_cat }\n', {
      CAIRN_MAPPING_TOOLS: '{"fs": "fs_ls, fs_read"}',
      COYOTE_MAPPING_MCP_SERVERS: '{"git": ["github"]}',
      CAIRN_ENABLED_TOOLS: 'fs',
    });
    assert.deepEqual(mapped.settings['tools'], {
      enabled: ['fs_ls', 'fs_read'],
      mapping: { fs: ['fs_ls', 'fs_read'] },
    });
    assert.deepEqual(mapped.settings['servers'], { mapping: { git: ['github'] } });
    await assert.rejects(configOf(undefined, { CAIRN_MAPPING_TOOLS: '{fs' }), /CAIRN_MAPPING_TOOLS: /);
    const both = {
      CAIRN_AGENT: 'mine',
      COYOTE_AGENT: 'theirs',
      CAIRN_MODEL: 'openai:x',
      CAIRN_REASONING_EFFORT: 'low',
    };
    assert.deepEqual(rowsOf((await configOf(undefined, both)).byVariables), { agent: 'mine (CAIRN_AGENT)' });
    for (const [value, enabled] of Object.entries({ '1': true, TRUE: true, '0': false, False: false })) {
      const { settings } = await configOf(undefined, { CAIRN_SKILLS_ENABLED: value });
      assert.deepEqual(settings['skills'], { enabled }, value);
    }
  });

  it('is not read from variables that are empty, of other things, or for approval', async () => {
    const env = { CAIRN_AGENT: ' ', COYOTE_ROLE: '', CAIRN_CONFIG_DIR: '/x', CAIRN_VAULT_PASSPHRASE: 'p', HOME: '/h' };
    const none = await configOf(undefined, env);
    assert.deepEqual([none.byVariables.size, none.byFile.size, none.settings, none.variables], [0, 0, {}, {}]);
    const asked = await configOf(undefined, { COYOTE_APPROVE: 'all' });
    assert.equal(asked.values.approve, undefined);
    assert.match(asked.notes.join('\n'), /^COYOTE_APPROVE has no effect: approval is set by --approve/);
  });

  it('gives way field by field to variables, except for who answers', async () => {
    const text = 'agent: coder\ncmd_prelude: "calm sea: pirate"\nmodel: openai:m\nlimits: { turns: 9, minutes: 5 }\n';
    const alone = await configOf(text);
    assert.deepEqual(rowsOf(alone.byFile), {
      agent: 'coder (config.yaml:1)',
      session: 'calm sea (config.yaml:2)',
      session_role: 'pirate (config.yaml:2)',
      model: 'openai:m (config.yaml:3)',
      'limits.turns': '9 (config.yaml:4)',
      'limits.minutes': '5 (config.yaml:4)',
    });
    const limited = await configOf(text, { COYOTE_LIMITS_TURNS: '2', COYOTE_MODEL: 'openai:n' });
    assert.deepEqual(limited.settings, { limits: { turns: 2, minutes: 5 } });
    assert.deepEqual(limited.variables, { CAIRN_MODEL: 'openai:n' });
    assert.deepEqual([limited.values.agent, limited.values.session], ['coder', 'calm sea']);
    for (const env of [{ CAIRN_ROLE: 'poet' }, { CAIRN_CMD_PRELUDE: 'role:poet' }]) {
      const { values, byVariables } = await configOf(text, env);
      assert.deepEqual(
        [values.agent, values.role, values.session, values.session_role],
        [undefined, 'poet', undefined, undefined],
      );
      assert.deepEqual(rowsOf(byVariables), { role: `poet (${Object.keys(env).join('')})` });
    }
    const canceled = await configOf(text, { CAIRN_AGENT: 'null', COYOTE_MODEL: 'null', CAIRN_LIMITS_MINUTES: 'null' });
    assert.deepEqual([canceled.values.agent, canceled.values.session], [undefined, 'calm sea']);
    assert.deepEqual([canceled.variables, canceled.settings], [{}, { limits: { turns: 9 } }]);
    assert.deepEqual(Object.keys(rowsOf(canceled.byFile)), ['session', 'session_role', 'limits.turns']);
  });

  it('prefers its own role to that of its prelude', async () => {
    const { values, byFile } = await configOf('role: poet\ncmd_prelude: role:pirate\n');
    assert.deepEqual([values.role, values.session], ['poet', undefined]);
    assert.deepEqual(rowsOf(byFile), { role: 'poet (config.yaml:1)' });
  });

  it('tells nothing set from nothing allowed', async () => {
    assert.deepEqual((await configOf('enabled_mcp_servers:\n')).settings, { servers: { enabled: [] } });
    assert.deepEqual((await configOf('enabled_skills: []\n')).settings, { skills: { byDefault: [] } });
    const nothing = await configOf('visible_tools: all\nenabled_tools: all\nmodel:\nlimits: {}\ninstructions: " "\n');
    assert.deepEqual(nothing.settings, { tools: { enabled: ['all'] } });
    assert.deepEqual(nothing.variables, {});
    assert.equal((await configOf('')).provided, undefined);
    assert.equal((await configOf('secrets_provider: { type: local }\n')).provided, undefined);
    assert.notEqual((await configOf('secrets_provider: { type: gopass }\n')).provided, undefined);
    const empty = await configOf('clients:\nmodel: claude:x\nagent:\n');
    assert.deepEqual(rowsOf(empty.byFile), { model: 'anthropic:x (config.yaml:2)' });
    assert.equal(empty.settings['limits'], undefined);
  });

  it('takes address and key of each provider from its client, and the model by the name of one', async () => {
    const text = [
      'model: company:m-1',
      'clients:',
      "  - { type: openai-compatible, name: company, api_base: 'http://a.test/v1', api_key: '{{COMPANY}}' }",
      "  - { type: openai-compatible, name: groq, api_base: 'http://g.test/v1' }",
      "  - { type: claude, api_key: 'an-{{A}}-{{B}}' }",
      "  - { type: ollama, api_base: 'http://o.test:1' }",
      '  - { type: toString, api_key: key }',
    ].join('\n');
    const { variables, keys, byFile, warnings, notes } = await configOf(text, {}, { COMPANY: 'c', A: '1', B: '2' });
    assert.deepEqual(variables, {
      CAIRN_MODEL: 'custom:m-1',
      CUSTOM_BASE_URL: 'http://a.test/v1',
      GROQ_BASE_URL: 'http://g.test/v1',
      OLLAMA_HOST: 'http://o.test:1',
    });
    assert.deepEqual(Object.fromEntries(keys), { CUSTOM_API_KEY: 'c', ANTHROPIC_API_KEY: 'an-1-2' });
    assert.deepEqual(rowsOf(byFile), {
      model: 'custom:m-1 (config.yaml:1)',
      CUSTOM_BASE_URL: 'http://a.test/v1 (config.yaml:3)',
      CUSTOM_API_KEY: 'set (config.yaml:3)',
      GROQ_BASE_URL: 'http://g.test/v1 (config.yaml:4)',
      ANTHROPIC_API_KEY: 'set (config.yaml:5)',
      OLLAMA_HOST: 'http://o.test:1 (config.yaml:6)',
    });
    assert.deepEqual(warnings, []);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /config\.yaml:7:\d+: warning: Cairn does not support clients of the type “toString”/);
    const models = { 'claude:x': 'anthropic:x', 'claude/x': 'anthropic:x', 'elsewhere:x:free': 'elsewhere:x:free' };
    for (const [written, model] of Object.entries(models))
      assert.deepEqual((await configOf(`model: ${written}\n`)).variables, { CAIRN_MODEL: model });
  });

  it('uses the first client of a provider unless the model names another, also by a variable', async () => {
    const client = (name: string) =>
      `  - { type: openai-compatible, name: ${name}, api_base: 'http://${name}.test', api_key: '{{${name}}}' }\n`;
    const text = `clients:\n${client('one')}${client('two')}`;
    const vault = { one: 'first', two: 'second' };
    const used = async (env: NodeJS.ProcessEnv, head = '') => {
      const { variables, keys, warnings } = await configOf(head + text, env, vault);
      assert.equal(warnings.length, 1);
      return [variables['CUSTOM_BASE_URL'], keys.get('CUSTOM_API_KEY')];
    };
    assert.deepEqual(await used({}), ['http://one.test', 'first']);
    assert.deepEqual(await used({}, 'model: two:m\n'), ['http://two.test', 'second']);
    assert.deepEqual(await used({ COYOTE_MODEL: 'two/m' }, 'model: one:m\n'), ['http://two.test', 'second']);
  });

  it('leaves out a key whose secret is missing or cannot be read, and warns of one in clear text', async () => {
    const text = "clients:\n  - type: openai\n    api_key: 'x{{GONE}}'\n  - { type: groq, api_key: clear-text }\n";
    const { keys, warnings, notes } = await configOf(text);
    assert.deepEqual(Object.fromEntries(keys), { GROQ_API_KEY: 'clear-text' });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /config\.yaml:3:14: warning: there is no secret GONE.*: add GONE\.$/);
    assert.equal(notes.length, 1);
    assert.match(
      notes[0] ?? '',
      /config\.yaml:4:\d+: warning: anyone who reads.*\{\{GROQ_API_KEY\}\}.*: add GROQ_API_KEY\.$/,
    );
    await folder.write({ 'config.yaml': text });
    const refusing = (error: Error) => ({ get: () => Promise.reject(error), howToAdd: () => '' });
    const locked = new EngineError('invalid-state', 'The vault is locked.');
    const read = await loadConfig(folder.path, {}, refusing(locked));
    assert.match(read.warnings[0] ?? '', /config\.yaml:3:14: warning: this key is not used: .*The vault is locked\.$/);
    await assert.rejects(loadConfig(folder.path, {}, refusing(new TypeError('a bug'))), /a bug/);
  });

  it('is rejected with line and column of the wrong value', async () => {
    const wrong = {
      'agent: ""': '1:8',
      'model: gpt': '1:8',
      'approve: always': '1:10',
      'reasoning_effort: much': '1:19',
      'limits: { turns: 1.5 }': '1:18',
      'limits: { minutes: 0 }': '1:20',
      'limits: { cost_usd: -1 }': '1:21',
      'limits: { turn: 1 }': '1:11',
      'max_auto_continues: 0': '1:21',
      'auto_continue: maybe': '1:16',
      'cmd_prelude: ": x"': '1:14',
      'clients: [{ type: "" }]': '1:19',
      'clients: [{ type: a, api_base: ftp://x }]': '1:32',
    };
    for (const [line, where] of Object.entries(wrong))
      await assert.rejects(configOf(`${line}\n`), (error: Error) => {
        assert.ok(EngineError.is(error, 'invalid-input'), line);
        assert.ok(error.message.includes(`config.yaml:${where}:`), `${line}: ${error.message}`);
        return true;
      });
    const unknown = await configOf('limits: { turns: 2, sentences: 1 }\n');
    assert.match(unknown.notes.join('\n'), /config\.yaml:1:21: warning: Unknown key “sentences”/);
    assert.deepEqual(unknown.settings, { limits: { turns: 2 } });
    await assert.rejects(configOf('limits: { turns: 0, tokens: 0 }\n'), /1:18.*\n.*1:29/);
    const long = (length: number) => `instructions: ${'x'.repeat(length)}\n`;
    assert.equal(String((await configOf(long(24_000))).settings['instructions']).length, 24_000);
    await assert.rejects(configOf(long(24_001)), /config\.yaml:1:15/);
    await mkdir(join(folder.path, 'other', 'config.yaml'), { recursive: true });
    const unread = loadConfig(
      join(folder.path, 'other'),
      {},
      { get: () => Promise.resolve(undefined), howToAdd: String },
    );
    await assert.rejects(unread, /other.config\.yaml cannot be read \(.+\)\.$/);
  });

  it('rejects each invalid variable by name', async () => {
    const env = { CAIRN_LIMITS_TURNS: '1e3', COYOTE_AUTO_CONTINUE: 'yes', CAIRN_AGENT: 'coder', COYOTE_MODEL: 'gpt' };
    await assert.rejects(configOf(undefined, env), (error: Error) => {
      assert.ok(EngineError.is(error, 'invalid-input'));
      assert.match(
        error.message,
        /COYOTE_MODEL: must be written provider:model[^]*\n\s+CAIRN_LIMITS_TURNS: expected number, received string\.\n\s+COYOTE_AUTO_CONTINUE: expected boolean, received string\.$/,
      );
      assert.doesNotMatch(error.message, /CAIRN_AGENT/);
      return true;
    });
  });
});
