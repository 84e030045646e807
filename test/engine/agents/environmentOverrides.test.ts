import assert from 'node:assert/strict';
import { type AgentDefinition, agentDefaults } from '../../../src/engine/agents/agentDefinition';
import { environmentOverrides } from '../../../src/engine/runtime/environmentOverrides';
import { EngineError } from '../../../src/engine/engineError';

const agent: AgentDefinition = {
  ...agentDefaults(),
  name: 'code-reviewer',
  source: { scope: 'user', world: 'cairn', path: '/a.md' },
  prompt: 'You review.',
  model: 'openai:gpt-5.4',
  temperature: 0.5,
  sessionName: 'kept',
};
const over = (environment: Record<string, string>) => environmentOverrides(agent, environment);

describe('Environment variables for an agent', () => {
  it('override the agent file, prefixed with the agent name in capitals', () => {
    const { agent: changed, variables } = over({
      CODE_REVIEWER_MODEL: 'anthropic/claude-sonnet-5-5',
      CODE_REVIEWER_TEMPERATURE: '0',
      CODE_REVIEWER_TOP_P: '0.9',
      CODE_REVIEWER_GLOBAL_TOOLS: '["fs_cat.sh", "fs_ls"]',
      CODE_REVIEWER_VARIABLES: '{"area": "src", "depth": 3}',
      OTHER_MODEL: 'openai:other',
    });
    assert.deepEqual([changed.model, changed.temperature, changed.topP], ['anthropic:claude-sonnet-5-5', 0, 0.9]);
    assert.deepEqual(changed.tools, ['fs_cat', 'fs_ls']);
    assert.deepEqual(
      [...variables],
      [
        ['area', 'src'],
        ['depth', '3'],
      ],
    );
    assert.equal(agent.model, 'openai:gpt-5.4', 'whoever holds the agent keeps it');
  });

  it('name tools as the agent file does and keep its implied tools', () => {
    const folder = { ...agent, folder: '/agents/code-reviewer', spawning: { ...agent.spawning, on: true } };
    const tools = '["fs_cat.sh", "fetch_url_via_curl.sh", "acme_deploy", "get_current_weather.sh"]';
    const { agent: changed, problems } = environmentOverrides(folder, { CODE_REVIEWER_GLOBAL_TOOLS: tools });
    assert.deepEqual(changed.tools?.slice(0, 3), ['fs_cat', 'fetch_url', 'acme_deploy']);
    for (const always of ['user__*', 'skill__*', 'agent__*']) assert.ok(changed.tools.includes(always), always);
    assert.deepEqual(
      problems.map((text) => /^CODE_REVIEWER_GLOBAL_TOOLS: .*(acme_deploy|get_current_weather)/.exec(text)?.[1]),
      ['acme_deploy', 'get_current_weather'],
    );
    const taken = environmentOverrides(folder, { CODE_REVIEWER_GLOBAL_TOOLS: 'null' }).agent.tools;
    assert.ok(taken?.includes('user__*') && !taken.includes('fs_cat'));
    assert.equal(over({ CODE_REVIEWER_GLOBAL_TOOLS: 'null' }).agent.tools, null);
  });

  it('set the servers of an agent as JSON', () => {
    assert.deepEqual(over({ CODE_REVIEWER_MCP_SERVERS: '["github"]' }).agent.servers, ['github']);
    assert.throws(() => over({ CODE_REVIEWER_MCP_SERVERS: 'github' }), /CODE_REVIEWER_MCP_SERVERS/);
  });

  it('reset a value with null, and change nothing when empty', () => {
    const { agent: changed } = over({ CODE_REVIEWER_AGENT_SESSION: 'null', CODE_REVIEWER_MODEL: ' ' });
    assert.equal(changed.sessionName, undefined);
    assert.equal(changed.model, 'openai:gpt-5.4');
  });

  for (const [name, text] of [
    ['MODEL', 'gpt5'],
    ['TEMPERATURE', 'warm'],
    ['TOP_P', '2'],
    ['GLOBAL_TOOLS', '"fs_cat"'],
    ['GLOBAL_TOOLS', '[1]'],
    ['VARIABLES', '{broken'],
  ] as const)
    it(`fail with the variable name when the value is invalid: ${name}=${text}`, () => {
      assert.throws(
        () => over({ [`CODE_REVIEWER_${name}`]: text }),
        (error) => EngineError.is(error, 'invalid-input') && error.message.includes(`CODE_REVIEWER_${name}`),
      );
    });
});
