import assert from 'node:assert/strict';
import { type Effort, EFFORTS } from '../../../src/engine';
import { takenEffort } from '../../../src/engine/llm/model';
import { loadModelCatalog } from '../../../src/engine/llm/modelCatalog';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';

const agent = (head: string) => `---\ndescription: Helps\n${head}---\nYou help.`;
const FILES = {
  '.cairn/agents/thorough.md': agent('reasoning_effort: high\n'),
  '.cairn/roles/quick.md': '---\ndescription: Quick\nreasoning_effort: low\n---\nBe quick.',
  '.opencode/agent/open.md': agent('reasoningEffort: medium\n'),
  '.claude/agents/claude.md': agent('name: claude\neffort: max\n'),
  '.github/agents/copilot.md': agent('reasoning-effort: xhigh\n'),
};

/** Returns the effort in the last request, wherever its protocol puts it. */
function sentEffort({ server }: EngineWorld): string | undefined {
  const body = JSON.stringify(server.requests.at(-1)?.body);
  return /"(?:reasoning_)?effort":"(\w+)"/.exec(body)?.[1];
}

const inWorld = (options: WorldOptions, use: (world: EngineWorld) => Promise<void>) =>
  withWorld({ files: FILES, story: [{ when: () => true, step: { say: 'Done.' } }], ...options }, use);
const MODEL = 'openai:gpt-6-sol';

describe('Reasoning effort', () => {
  for (const { id, efforts } of loadModelCatalog().models) {
    if (!efforts || id.startsWith('demo:')) continue;
    it(`is always one that ${id} supports`, () =>
      inWorld({}, async (world) => {
        for (const effort of EFFORTS) {
          const { outcome } = await world.play('go', { model: id, effort });
          assert.equal(outcome.kind, 'completed');
          assert.equal(sentEffort(world), takenEffort(effort, efforts), effort);
        }
      }));
  }

  it('is the closest lower one that a model supports, or else its lowest', () => {
    assert.equal(takenEffort('xhigh', ['low', 'medium', 'high', 'max']), 'high');
    assert.equal(takenEffort('none', ['high', 'low']), 'low');
    assert.equal(takenEffort('max', ['none', 'xhigh']), 'xhigh');
    assert.equal(takenEffort('low', []), undefined);
  });

  for (const [speaks, openai] of [
    ['Responses', { api: 'responses' as const }],
    ['Chat Completions', { api: 'chat' as const }],
  ] as const) {
    it(`is sent over ${speaks}, and not to a model that does not think`, () =>
      inWorld({ settings: { openai } }, async (world) => {
        await world.play('go', { model: MODEL, effort: 'high' });
        assert.equal(sentEffort(world), 'high');
        await world.play('go', { model: 'openai:gpt-4o', effort: 'high' });
        assert.equal(sentEffort(world), undefined);
        await world.play('go', { model: MODEL });
        assert.equal(sentEffort(world), undefined, 'the model’s own');
      }));
  }

  it('is reported once when the model does not support it', () =>
    inWorld({}, async (world) => {
      const { events } = await world.play('go', { model: 'openai:gpt-6.2-sol', effort: 'none' });
      const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
      assert.deepEqual(notices, ['GPT-6.2 Sol does not support the reasoning effort “none”; “low” is used instead.']);
      const again = await world.play('more', { model: 'openai:gpt-6.2-sol', effort: 'none' });
      assert.ok(!again.events.some(({ type }) => type === 'notice'));
    }));

  const cases: [string, string, Effort][] = [
    ['a Cairn agent', 'thorough', 'high'],
    ['an OpenCode agent', 'open', 'medium'],
    ['a Claude Code agent', 'claude', 'max'],
    ['a GitHub Copilot agent', 'copilot', 'xhigh'],
  ];
  for (const [whose, name, effort] of cases) {
    it(`is read from the file of ${whose}`, () =>
      inWorld({}, async (world) => {
        const { outcome } = await world.play('go', { model: MODEL, agent: name });
        assert.equal(outcome.kind, 'completed');
        assert.equal(sentEffort(world), effort);
        assert.deepEqual(await world.engine.agents.problems(), []);
      }));
  }

  it('comes from the request, then the role, the agent, its environment and the settings', () =>
    inWorld(
      { settings: { reasoningEffort: 'minimal' }, environment: { OPEN_REASONING_EFFORT: 'xhigh' } },
      async (world) => {
        const sent = async (request: { agent?: string; role?: string; effort?: Effort }) => {
          await world.play('go', { model: MODEL, ...request });
          return sentEffort(world);
        };
        assert.equal(await sent({ agent: 'thorough', role: 'quick', effort: 'max' }), 'max');
        assert.equal(await sent({ agent: 'thorough', role: 'quick' }), 'low');
        assert.equal(await sent({ agent: 'thorough' }), 'high');
        assert.equal(await sent({ agent: 'open' }), 'xhigh');
        assert.equal(await sent({}), 'none', 'the nearest to minimal below it');
      },
    ));

  it('is rejected by name when a file or the environment has an unknown value', () =>
    inWorld(
      {
        files: { '.cairn/agents/odd.md': agent('reasoning_effort: huge\n'), ...FILES },
        environment: { THOROUGH_REASONING_EFFORT: 'huge' },
      },
      async (world) => {
        const [problem] = await world.engine.agents.problems();
        assert.match(problem?.message ?? '', /none.*max/);
        assert.equal(problem?.line, 3);
        const { outcome } = await world.play('go', { model: MODEL, agent: 'thorough' });
        assert.ok(outcome.kind === 'failed');
        assert.match(outcome.message, /THOROUGH_REASONING_EFFORT.*one of none, minimal, low/);
      },
    ));
});
