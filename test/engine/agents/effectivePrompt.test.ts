import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const files = {
  'AGENTS.md': 'Use tabs.',
  '.cairn/agents/lead.md': `---
model: openai:test-model
can_spawn_agents: true
auto_continue: true
skills: [tidy]
permission:
  edit: deny
variables:
  - { name: city, description: Which city, default: Oslo }
---
You lead in {{city}}.
`,
  '.cairn/agents/mate.md': '---\nmode: subagent\ndescription: Helps\n---\nYou help.\n',
  '.cairn/agents/asks.md': '---\nvariables:\n  - { name: city, description: Which city }\n---\nGuide to {{city}}.\n',
  '.cairn/skills/tidy/SKILL.md': '---\ndescription: Tidying up\n---\nPut everything back.\n',
};

describe('The effective prompt of an agent', () => {
  it('matches the first request with its tools, without running or storing anything', () =>
    withWorld({ files, story: [{ say: 'Done.' }] }, async (world) => {
      const { engine, server, sessionId, folder } = world;
      const shown = await engine.effectivePrompt('lead', { sessionId });
      const fresh = await engine.effectivePrompt('lead', { workspace: folder });
      assert.deepEqual(fresh, shown);
      assert.equal(server.requests.length, 0);
      const session = await engine.sessions.open(sessionId);
      assert.deepEqual([session.metadata.skills, session.history], [[], []]);
      await world.play('go', { agent: 'lead' });
      const [request] = server.requests;
      assert.equal(request?.messages.find(({ role }) => role === 'system')?.text, shown.prompt);
      assert.deepEqual(
        shown.tools.map(({ name }) => name),
        request.tools,
      );
      assert.equal(shown.model, 'openai:test-model');
      for (const part of ['You lead in Oslo.', 'Put everything back.', 'Use tabs.', '- mate: Helps', '# To-dos']) {
        assert.ok(shown.prompt.includes(part), part);
      }
      assert.ok(!shown.tools.some(({ name }) => name === 'fs_edit'));
    }));

  it('keeps a placeholder that has no value yet', () =>
    withWorld({ files }, async ({ engine, folder }) => {
      const { prompt } = await engine.effectivePrompt('asks', { workspace: folder });
      assert.match(prompt, /^Guide to \{\{city\}\}\./);
    }));

  it('is rejected with a suggestion when there is no such agent', () =>
    withWorld({}, async ({ engine, folder }) => {
      await assert.rejects(engine.effectivePrompt('codre', { workspace: folder }), {
        message: 'There is no agent “codre”. Did you mean “coder”?',
      });
    }));
});
