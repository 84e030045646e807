import assert from 'node:assert/strict';
import { effectiveSettings } from '../../../src/cli/withConfig';
import { parseArguments } from '../../../src/cli/parseArguments';
import { PROVIDER_KEYS } from '../../../src/engine';
import { NO_CONFIG } from '../../../src/node/config/loadConfig';
import { defaultLayer, effectiveValues, environmentLayer, placed } from '../../../src/node/config/effectiveConfig';

describe('The effective configuration', () => {
  const layer = (from: string, values: Record<string, string>) =>
    new Map(Object.entries(values).map(([name, value]) => [name, { value, from }]));

  it('takes each value from the first place that sets it, and names the others in order', () => {
    const values = effectiveValues([
      layer('first', { role: 'poet', Z_BASE_URL: 'z' }),
      layer('second', { model: 'm', role: 'pirate' }),
      layer('third', { A_BASE_URL: 'a', role: 'coder', instructions: 'i' }),
    ]);
    const [pirate, coder] = [
      { value: 'pirate', from: 'second' },
      { value: 'coder', from: 'third' },
    ];
    assert.deepEqual(values, [
      { name: 'model', value: 'm', from: 'second', overrides: [] },
      { name: 'role', value: 'poet', from: 'first', overrides: [pirate, coder] },
      { name: 'instructions', value: 'i', from: 'third', overrides: [] },
      { name: 'A_BASE_URL', value: 'a', from: 'third', overrides: [] },
      { name: 'Z_BASE_URL', value: 'z', from: 'first', overrides: [] },
    ]);
  });

  it('lists the names in the same order wherever they are set', () => {
    const names = [
      ...['model', 'agent', 'role', 'session', 'session_role', 'approve', 'reasoning_effort', 'idle_timeout'],
      ...['limits.turns', 'limits.tokens', 'limits.minutes', 'limits.cost_usd', 'auto_continue', 'max_auto_continues'],
      ...['skills_enabled', 'enabled_skills', 'visible_skills', 'visible_tools', 'enabled_tools'],
      ...['enabled_mcp_servers', 'secrets_provider', 'instructions', 'A_KEY', 'B_KEY'],
    ];
    const set = layer('here', Object.fromEntries(names.toReversed().map((name) => [name, '1'])));
    assert.deepEqual(
      effectiveValues([set]).map(({ name }) => name),
      names,
    );
  });

  it('shows that a key is set, never the key, and the address of each provider', () => {
    const keys = PROVIDER_KEYS.map(({ keyVariable }) => keyVariable);
    const addresses = PROVIDER_KEYS.map(({ id }) => (id === 'ollama' ? 'OLLAMA_HOST' : `${id.toUpperCase()}_BASE_URL`));
    const env = {
      ...Object.fromEntries(keys.map((name) => [name, 'a-secret'])),
      ...Object.fromEntries(addresses.map((name) => [name, 'http://a.test'])),
      ...{ CAIRN_MODEL: 'openai:m', CAIRN_REASONING_EFFORT: 'low', CAIRN_IDLE_TIMEOUT: '30', HOME: '/home/me' },
    };
    const shown = environmentLayer(env, (variable) => `the ${variable}`);
    assert.deepEqual(Object.fromEntries(shown), {
      ...Object.fromEntries(keys.map((name) => [name, { value: 'set', from: `the ${name}` }])),
      ...Object.fromEntries(addresses.map((name) => [name, { value: 'http://a.test', from: `the ${name}` }])),
      model: { value: 'openai:m', from: 'the CAIRN_MODEL' },
      reasoning_effort: { value: 'low', from: 'the CAIRN_REASONING_EFFORT' },
      idle_timeout: { value: '30', from: 'the CAIRN_IDLE_TIMEOUT' },
    });
    assert.equal(environmentLayer({ OPENAI_API_KEY: '', CAIRN_MODEL: '' }, String).size, 0);
  });

  it('names the defaults of what nobody sets', () => {
    const values = { auto_continue: 'false', max_auto_continues: '10', skills_enabled: 'true', idle_timeout: '90' };
    assert.deepEqual(
      Object.fromEntries(defaultLayer()),
      Object.fromEntries(layer('default', { ...values, secrets_provider: 'local' })),
    );
  });

  it('names the option of each value on the command line, which comes first', () => {
    const options = [
      ...['-m', 'openai:m', '-a', 'coder', '-r', 'poet', '-s', 'work', '--approve', 'edits', '--effort', 'low'],
      ...['--max-turns', '4', '--max-time', '90', '--max-cost', '0.5', 'go'],
    ];
    const config = { ...NO_CONFIG, byFile: layer('config.yaml:1', { model: 'openai:of-file', role: 'of-file' }) };
    const rows = effectiveSettings(parseArguments(options), { CAIRN_MODEL: 'openai:of-environment' }, config);
    const set = rows.filter(({ from }) => from !== 'default').map(({ name, value, from }) => [name, value, from]);
    assert.deepEqual(set, [
      ['model', 'openai:m', '--model'],
      ['agent', 'coder', '--agent'],
      ['role', 'poet', '--role'],
      ['session', 'work', '--session'],
      ['approve', 'edits', '--approve'],
      ['reasoning_effort', 'low', '--effort'],
      ['limits.turns', '4', '--max-turns'],
      ['limits.minutes', '1.5', '--max-time'],
      ['limits.cost_usd', '0.5', '--max-cost'],
    ]);
    const [model] = rows;
    assert.deepEqual(
      model?.overrides.map(({ value }) => value),
      ['openai:of-environment', 'openai:of-file'],
    );
  });

  it('shows agent and role of the file only if they are used', () => {
    const values = { ...NO_CONFIG.values, agent: 'coder', session: 'calm', session_role: 'pirate' };
    const byFile = layer('config.yaml:1', { agent: 'coder', session: 'calm', session_role: 'pirate' });
    const namesOf = (...options: readonly string[]) =>
      effectiveSettings(parseArguments([...options, 'go']), {}, { ...NO_CONFIG, values, byFile })
        .filter(({ from }) => from !== 'default')
        .map(({ name, value }) => `${name} ${value}`);
    assert.deepEqual(namesOf(), ['session calm', 'session_role pirate']);
    assert.deepEqual(namesOf('-r', 'poet'), ['role poet']);
    assert.deepEqual(namesOf('-s', 'other'), ['session other']);
  });

  it('says where a variable comes from', () => {
    assert.deepEqual(Object.fromEntries(placed(layer('X', { model: 'm' }), (from) => `${from} in .env`)), {
      model: { value: 'm', from: 'X in .env' },
    });
  });
});
