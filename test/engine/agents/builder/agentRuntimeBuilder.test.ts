import assert from 'node:assert/strict';
import type { AgentDefinition } from '../../../../src/engine';
import { AgentLoader } from '../../../../src/engine/agents/agentLoader';
import { EngineError } from '../../../../src/engine/engineError';
import { ModelResolutionError } from '../../../../src/engine/llm/providerRegistry';
import { AgentRuntimeBuilder, type AgentSet } from '../../../../src/engine/runtime/agentRuntimeBuilder';
import { defaultTools } from '../../../../src/engine/runtime/wantedTools';
import { ON_REQUEST } from '../../../../src/engine/tools/onRequest/onRequest';
import { nodePorts } from '../../../../src/node/nodePorts';
import { toolWorld } from '../../tools/toolWorld';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loader = new AgentLoader(nodePorts({ env: {}, ripgrepCandidates: [], log }));

async function agent(name: string, ...head: string[]): Promise<AgentDefinition> {
  const { agent: read } = await loader.readText(['---', ...head, '---', `You are ${name}.`].join('\n'), name);
  return read ?? assert.fail(`${name} could not be read`);
}

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
const TEN = ['read', 'write', 'edit', 'glob', 'grep', 'bash', 'webfetch', 'todoread', 'todowrite', 'task'];

describe('Agents built by a program', () => {
  it('are offered the ten tools of OpenCode in its format, and task only when there is an agent to call', async () => {
    const catalog = [await agent('lead', 'mode: primary'), await agent('help', 'mode: subagent')];
    const both = new AgentRuntimeBuilder().catalog(catalog).build();
    const ten = namesOf(both.allowedTools('lead')).filter((name) => !/^(user|skill)__/.test(name));
    assert.deepEqual(ten, TEN);
    const [lead] = catalog;
    const alone = new AgentRuntimeBuilder().catalog(lead ? [lead] : []).build();
    assert.ok(!namesOf(alone.allowedTools('lead')).includes('task'));
  });

  it('are not offered the tools they deny, where the last match wins', async () => {
    const careful = await agent(
      'careful',
      'permission:',
      '  "*": deny',
      '  read: allow',
      '  bash:',
      '    "git *": allow',
    );
    const helper = await agent('helper', 'mode: subagent', 'permission:', '  edit: deny', '  task:', '    "*": deny');
    const set = new AgentRuntimeBuilder().catalog([careful, helper]).build();
    assert.deepEqual(namesOf(set.allowedTools('careful')), ['read', 'bash']);
    const offered = namesOf(set.allowedTools('helper'));
    assert.ok(!offered.includes('edit') && !offered.includes('write') && !offered.includes('task'));
  });

  it('may call non-primary agents per permission.task, with “ask” only when there is a user', async () => {
    const catalog = await Promise.all([
      agent(
        'boss',
        'mode: primary',
        'permission:',
        '  task:',
        '    "*": deny',
        '    review-?: allow',
        '    ask-*: ask',
      ),
      agent('open', 'mode: primary'),
      ...['review-b', 'review-a', 'review-aa', 'ask-me'].map((name) => agent(name, 'mode: subagent')),
    ]);
    const builder = new AgentRuntimeBuilder().catalog(catalog);
    const headless = builder.build();
    assert.deepEqual(namesOf(headless.callableTargets('boss')), ['review-a', 'review-b']);
    assert.deepEqual(namesOf(headless.callableTargets('open')), ['ask-me', 'review-a', 'review-aa', 'review-b']);
    assert.deepEqual(namesOf(builder.interactive().build().callableTargets('boss')), [
      'ask-me',
      'review-a',
      'review-b',
    ]);
  });

  it('do not exceed the maximum depth', async () => {
    const set = new AgentRuntimeBuilder()
      .catalog([await agent('one', 'mode: all'), await agent('two', 'mode: all')])
      .maxTaskDepth(1)
      .build();
    assert.ok(namesOf(set.allowedTools('one')).includes('task'));
    assert.ok(!namesOf(set.allowedTools('one', 1)).includes('task'));
  });

  it('prefer their own model and temperature to the defaults', async () => {
    const set = new AgentRuntimeBuilder()
      .catalog([await agent('own', 'model: ollama-cloud/minimax:free', 'temperature: 0'), await agent('none')])
      .defaults({ model: 'openai/gpt-5.4', temperature: 0.7, topP: 0.9 })
      .build();
    const own = { provider: 'ollama-cloud', model: 'minimax:free', id: 'ollama-cloud:minimax:free', from: 'agent' };
    assert.deepEqual(set.resolveModel('own'), own);
    assert.equal(set.resolveModel('none').id, 'openai:gpt-5.4');
    assert.deepEqual(set.sampling('own'), { temperature: 0, topP: 0.9 });
    assert.deepEqual(set.sampling('none'), { temperature: 0.7, topP: 0.9 });
  });

  it('may be replaced by name, without changing what was already built', async () => {
    const builder = new AgentRuntimeBuilder().catalog([await agent('a', 'description: First')]);
    const before = builder.build();
    const after = builder.catalog([await agent('a', 'description: Second'), await agent('b')]).build();
    assert.equal(before.agent('a').description, 'First');
    assert.equal(after.agent('a').description, 'Second');
    assert.deepEqual([namesOf(before.agents), namesOf(after.agents)], [['a'], ['a', 'b']]);
    assert.throws(
      () => after.agent('bb'),
      (error) => EngineError.is(error, 'not-found') && /“b”/.test(error.message),
    );
  });

  it('have exactly the tools that come with Cairn', async () => {
    const world = await toolWorld();
    const asked = [...ON_REQUEST].map(([name, category]) => `${name}: ${category}`);
    const real = [...world.tools.map(({ name, category }) => `${name}: ${category}`), ...asked];
    await world.remove();
    assert.deepEqual(
      defaultTools()
        .map(({ name, category }) => `${name}: ${category}`)
        .sort(),
      real.sort(),
    );
  });
});

describe('The model of an agent', () => {
  const models = { openai: ['gpt-5.4', 'gpt-4.1'], ollama: 'any' } as const;
  const refusals = [
    ['malformed', 'gpt-5.4', 'openai/gpt-5.4', /“lead” names “gpt-5.4”, which is not a model/],
    ['malformed', undefined, 'openai/', /default for the agent “lead” names “openai\/”/],
    ['missing', undefined, undefined, /No model is set for the agent/],
    ['unknown-provider', 'opnai/gpt-5.4', 'openai/gpt-5.4', /unknown provider, “opnai”. Did you mean “openai”/],
    [
      'unknown-model',
      'openai/gpt-5.5',
      'openai/gpt-5.4',
      /“gpt-5.5”, which openai does not have. Did you mean “gpt-5.4”/,
    ],
    ['unknown-provider', '__proto__/x', undefined, /unknown provider/],
  ] as const;
  for (const [kind, model, standard, says] of refusals) {
    it(`is ${kind} with ${String(model)} and the default ${String(standard)}, with no fallback`, async () => {
      const set = await lead(model, standard);
      const isMeant = (error: unknown) =>
        error instanceof ModelResolutionError &&
        EngineError.is(error) &&
        error.kind === kind &&
        says.test(error.message);
      assert.throws(() => set.resolveModel('lead'), isMeant);
    });
  }

  it('may be any model of a provider that has no model list', async () => {
    assert.equal((await lead('ollama/anything:7b', undefined)).resolveModel('lead').id, 'ollama:anything:7b');
  });

  async function lead(model: string | undefined, standard: string | undefined): Promise<AgentSet> {
    const read = await agent('lead');
    return new AgentRuntimeBuilder()
      .catalog([{ ...read, ...(model !== undefined && { model }) }])
      .defaults(standard === undefined ? {} : { model: standard })
      .models(models)
      .build();
  }
});
