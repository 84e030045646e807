import assert from 'node:assert/strict';
import { brokenFile } from '../../../src/engine';
import type { ContentProblem } from '../../../src/engine/content/contentProblem';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const agent = (name: string, head: string) => ({ [`.cairn/agents/${name}.md`]: `---\n${head}\n---\nYou are ${name}.` });
const role = (name: string, head: string) => ({
  [`.cairn/roles/${name}.md`]: `---\nenabled_tools: []\n${head}\n---\nSpeak.`,
});
/** Answers any number of requests. */
const story = [{ when: () => true, step: { say: 'Yes.' } }];

/** Returns the body of the last request to the model. */
function lastBody({ server }: EngineWorld): string {
  return JSON.stringify(server.requests.at(-1)?.body);
}

describe('The model of a run', () => {
  const files = { ...agent('own', 'model: openai:of-agent'), ...role('speaker', 'model: openai:of-role') };

  it('is the requested one, then that of the session, role and agent, then an available one', () =>
    withWorld({ files, story }, async (world) => {
      const asked = async (request: { agent?: string; role?: string; model?: string }) => {
        await world.play('go', request);
        return world.server.requests.at(-1)?.model;
      };
      const session = await world.engine.sessions.open(world.sessionId);
      await session.configure({ role: 'speaker' });
      assert.equal(await asked({ agent: 'own', model: 'openai:of-request' }), 'of-request');
      assert.equal(await asked({ agent: 'own' }), 'test-model');
      await session.configure({ model: null });
      assert.equal(await asked({ agent: 'own' }), 'of-role');
      await session.configure({ role: null });
      assert.equal(await asked({ agent: 'own' }), 'of-agent');
      const ready = await world.engine.defaultModel();
      assert.equal(await asked({}), ready.slice(ready.indexOf(':') + 1));
    }));

  it('is that of a requested role before that of the session', () =>
    withWorld({ files, story }, async (world) => {
      await world.play('go', { role: 'speaker' });
      assert.equal(world.server.requests.at(-1)?.model, 'of-role');
    }));

  it('fails with what to do when no key is set', () =>
    withWorld({ key: '' }, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      await session.configure({ model: null });
      const { outcome } = await world.play('go');
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.reason, 'no-key');
      assert.match(outcome.message, /key/);
      assert.equal(world.server.requests.length, 0);
    }));
});

describe('The sampling of a run', () => {
  const files = {
    ...agent('own', 'temperature: 0.2\ntop_p: 0.3'),
    ...agent('plain', 'description: Plain'),
    ...role('speaker', 'temperature: 0.6\ntop_p: 0.7'),
  };
  const model = 'openai:gpt-4.1';

  it('comes from the role, then the agent, then the default of the program', () =>
    withWorld({ files, story, agents: { defaultSampling: { temperature: 0.8, topP: 0.9 } } }, async (world) => {
      await world.play('go', { model, agent: 'own', role: 'speaker' });
      assert.match(lastBody(world), /"temperature":0\.6/);
      assert.match(lastBody(world), /"top_p":0\.7/);
      await world.play('go', { model, agent: 'own' });
      assert.match(lastBody(world), /"temperature":0\.2/);
      assert.match(lastBody(world), /"top_p":0\.3/);
      await world.play('go', { model, agent: 'plain' });
      assert.match(lastBody(world), /"temperature":0\.8/);
      assert.match(lastBody(world), /"top_p":0\.9/);
    }));

  it('comes from the settings when neither role nor agent nor program sets it', () =>
    withWorld({ files, story, settings: { temperature: 0.1, topP: 0.4 } }, async (world) => {
      await world.play('go', { model, agent: 'plain' });
      assert.match(lastBody(world), /"temperature":0\.1/);
      assert.match(lastBody(world), /"top_p":0\.4/);
      await world.play('go', { model, agent: 'own' });
      assert.match(lastBody(world), /"temperature":0\.2/);
    }));

  it('is left to the model when nothing sets it', () =>
    withWorld({ files, story }, async (world) => {
      await world.play('go', { model, agent: 'plain' });
      assert.doesNotMatch(lastBody(world), /"temperature"|"top_p"/);
    }));

  it('uses the effort that the program sets before that of the settings', () =>
    withWorld(
      { files, story, agents: { defaultSampling: { effort: 'high' } }, settings: { reasoningEffort: 'low' } },
      async (world) => {
        await world.play('go', { model: 'openai:gpt-5.4', agent: 'plain' });
        assert.match(lastBody(world), /"(?:reasoning_)?effort":"high"/);
      },
    ));
});

describe('The maximum depth of agents', () => {
  const lead = 'mode: primary\ncan_spawn_agents: true\nmax_agent_depth: 9';

  for (const [maxTaskDepth, may] of [
    [0, false],
    [1, true],
    [9, true],
  ] as const)
    it(`is ${maxTaskDepth} when the program sets it, whatever an agent sets`, () =>
      withWorld(
        {
          files: { ...agent('lead', lead), ...agent('worker', 'description: Helps') },
          story,
          agents: { maxTaskDepth },
        },
        async (world) => {
          await world.play('go', { agent: 'lead' });
          assert.equal(world.server.requests[0]?.tools.includes('agent__spawn'), may);
        },
      ));
});

describe('Session variables', () => {
  const files = agent(
    'guide',
    'variables:\n  - name: city\n    description: Which\n    default: Oslo\n  - name: tongue\n    description: In what\n    default: Latin',
  );

  it('are kept when only one of them changes', () =>
    withWorld({ files, story }, async (world) => {
      await world.play('go', { agent: 'guide', variables: { city: 'Rome', tongue: 'Greek' } });
      await world.play('go', { agent: 'guide', variables: { city: 'Rome', tongue: 'Norse' } });
      const later = await world.restart();
      const { metadata } = await later.engine.sessions.open(world.sessionId);
      assert.deepEqual(metadata.variables, { city: 'Rome', tongue: 'Norse' });
    }));
});

describe('The broken file of an agent or role', () => {
  // A broken field that limits rights is reported even in files of other tools, where most other mistakes are ignored.
  for (const [what, path, asked, line] of [
    ['an agent', '.cairn/agents/broken.md', { agent: 'broken' }, 'temperature: ['],
    [
      'an agent of GitHub Copilot',
      '.github/agents/broken.agent.md',
      { agent: 'broken' },
      'disable-model-invocation: [',
    ],
    ['a role', '.cairn/roles/broken.md', { role: 'broken' }, 'temperature: ['],
  ] as const)
    it(`is reported with its location: ${what}`, () =>
      withWorld({ files: { [path]: `---\n${line}\n---\nYou are broken.` } }, async (world) => {
        const { outcome } = await world.play('go', asked);
        assert.ok(outcome.kind === 'failed');
        const kind = 'agent' in asked ? 'agent' : 'role';
        assert.ok(outcome.message.startsWith(`The ${kind} “broken” cannot be used because of `), outcome.message);
        assert.match(outcome.message, new RegExp(`${path.replaceAll('.', '\\.')}:\\d+:\\d+: .`));
      }));

  const problem = (path: string, severity: ContentProblem['severity'] = 'error'): ContentProblem => ({
    ...{ kind: 'parse', path, line: 1, column: 1, message: 'Broken.' },
    severity,
  });

  for (const path of ['/a/broken.md', '/a/broken.agent.md', '/a/broken/config.yaml', '/a/broken/SKILL.md'])
    it(`is found by its name: ${path}`, () => {
      const windows = problem(`C:${path.replaceAll('/', '\\')}`);
      assert.equal(brokenFile('broken', [problem('/a/other.md'), problem(path)])?.path, path);
      assert.equal(brokenFile('broken', [windows]), windows);
    });

  it('is not one that only has warnings or whose name merely contains that name', () => {
    const fine = [problem('/a/fine.md', 'warning'), problem('/a/un-fine.md'), problem('/a/fine.txt')];
    assert.equal(brokenFile('fine', fine), undefined);
  });
});
