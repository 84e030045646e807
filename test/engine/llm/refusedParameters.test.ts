import assert from 'node:assert/strict';
import { loadModelCatalog } from '../../../src/engine/llm/modelCatalog';
import { type AgentLoop, EngineError, type ModelAsk, textOf } from '../../../src/engine';
import { userMessage } from '../../../src/engine/messages/message';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { assistant, said } from './support';

interface Rule {
  models: RegExp;
  /** The part of a request for which the vendor returns an error; `prefill`: a conversation that ends with an answer. */
  refuses: RegExp | 'prefill';
  /** Where the vendor, or someone who quotes it, documents this, and when that was checked. */
  source: string;
}

const RULES: readonly Rule[] = [
  {
    models: /^openai:gpt-6/,
    refuses: /"(temperature|top_p)":/,
    source: 'https://docs.laozhang.ai/en/announcements/gpt-6-1-sol-2026-10, 2026-11-22',
  },
  {
    models: /^openai:gpt-6(\.2-(sol|astra)|\.1-sol|-astra)$/,
    refuses: /"(reasoning_)?effort":"(none|minimal)"/,
    source: 'https://developers.openai.com/api/docs/models/gpt-6.2-sol, 2026-11-22',
  },
  {
    models: /^anthropic:claude-(opus-5-5|fable-5-)/,
    refuses: /"tool_choice":|"type":"disabled"/,
    source: 'https://platform.claude.com/docs/es/models/opus-5-5/overview, 2026-11-22',
  },
  {
    models: /^anthropic:claude-[a-z]+-5/,
    refuses: /"(temperature|top_p)":/,
    source: 'https://platform.claude.com/docs/ja/models/haiku-5-5/migration-guide, 2026-11-28',
  },
  {
    models: /^anthropic:claude-[a-z]+-5/,
    refuses: 'prefill',
    source: 'https://openrouter.ai/docs/cookbook/evaluate-and-optimize/model-migrations/claude-5-5, 2026-11-28',
  },
];

const FILES = {
  '.cairn/agents/warm.md': '---\ndescription: Helps\ntemperature: 0.3\ntop_p: 0.9\n---\nYou are warm.',
  'a.txt': 'heron',
};

/** What a program may ask for, although some vendors refuse it. */
const ASKS: readonly ModelAsk[] = [
  { toolChoice: 'required' },
  { toolChoice: { tool: 'fs_read' } },
  { temperature: 0.3 },
  { thinking: 'none' },
  { thinking: 'minimal' },
  { messages: [userMessage('Continue.', 0, false), assistant([said('The bird is a')])] },
];

/** Asks for all of that. What Cairn itself refuses, or the model does not do, is left out. */
const insists: AgentLoop = async (run) => {
  for (const ask of ASKS)
    await run.askModel(ask).catch((error: unknown) => {
      if (!EngineError.is(error)) throw error;
    });
  const { message } = await run.askModel();
  return textOf(message);
};

describe('A parameter that a model rejects', () => {
  const { models } = loadModelCatalog();
  for (const { id } of models) {
    const rules = RULES.filter((rule) => rule.models.test(id));
    if (rules.length === 0) continue;
    const check = ({ server }: EngineWorld) => {
      for (const { body, messages } of server.requests) {
        for (const { refuses, source } of rules)
          if (refuses === 'prefill') assert.notEqual(messages.at(-1)?.role, 'assistant', source);
          else assert.doesNotMatch(JSON.stringify(body), refuses, source);
      }
    };

    it(`is never sent to ${id}`, () =>
      withWorld(
        { files: FILES, story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] }, { say: 'Heron.' }] },
        async (world) => {
          const { outcome } = await world.play('go', { agent: 'warm', model: id, effort: 'none' });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Heron.' });
          check(world);
        },
      ));

    it(`is never sent to ${id} for a program either`, () =>
      withWorld({ files: FILES, story: [{ when: () => true, step: { say: 'Heron.' } }] }, async (world) => {
        world.engine.registerAgent({ name: 'own', description: 'A program', prompt: 'You are own.', loop: insists });
        const { outcome } = await world.play('go', { agent: 'own', model: id });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Heron.' });
        check(world);
      }));
  }

  it('is listed only for models that exist', () => {
    for (const { models: named } of RULES)
      assert.ok(
        models.some(({ id }) => named.test(id)),
        String(named),
      );
  });
});
