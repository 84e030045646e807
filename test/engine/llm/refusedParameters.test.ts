import assert from 'node:assert/strict';
import { loadModelCatalog } from '../../../src/engine/llm/modelCatalog';
import { withWorld } from '../../support/engineWorld';

interface Rule {
  models: RegExp;
  /** The part of a request for which the vendor returns an error. */
  refuses: RegExp;
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
    source: 'The rule for adaptive thinking, which these models always get; not seen on a page of their own',
  },
];

const FILES = {
  '.cairn/agents/warm.md': '---\ndescription: Helps\ntemperature: 0.3\ntop_p: 0.9\n---\nYou are warm.',
  'a.txt': 'heron',
};

describe('A parameter that a model rejects', () => {
  const { models } = loadModelCatalog();
  for (const { id } of models) {
    const rules = RULES.filter((rule) => rule.models.test(id));
    if (rules.length === 0) continue;
    it(`is never sent to ${id}`, () =>
      withWorld(
        { files: FILES, story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] }, { say: 'Heron.' }] },
        async (world) => {
          const { outcome } = await world.play('go', { agent: 'warm', model: id });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Heron.' });
          for (const { body, messages } of world.server.requests) {
            for (const { refuses, source } of rules) assert.doesNotMatch(JSON.stringify(body), refuses, source);
            // Checks that no beginning of the answer is prefilled.
            assert.notEqual(messages.at(-1)?.role, 'assistant');
          }
        },
      ));
  }

  it('is listed only for models that exist', () => {
    for (const { models: named } of RULES)
      assert.ok(
        models.some(({ id }) => named.test(id)),
        String(named),
      );
  });
});
