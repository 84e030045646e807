import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const FILES = {
  '.cairn/roles/wrap.md': '---\nanswer: code\n---\nIn {{__shell__}}, at {{__cwd__}}: __INPUT__',
  '.cairn/roles/pairs.md':
    '---\nmodel: openai/gpt-4.1\ntemperature: 0.9\n---\nUpper.\n\n### INPUT:\none\n### OUTPUT:\nONE\n',
  '.cairn/agents/quiet.md': '---\nenabled_skills: [maps]\n---\nQuiet.',
  '.cairn/agents/bare.md': '---\nskills_enabled: false\n---\nBare.',
  '.cairn/skills/maps/SKILL.md': '---\nname: maps\ndescription: Maps\n---\nNorth is up.',
};
const signal = new AbortController().signal;

describe('A role used for a single request', () => {
  it('answers with the user’s text in its prompt, only the code if it asks for that, and no history', () =>
    withWorld({ files: FILES, story: [{ say: 'Like this:\n```sh\nls -a\n```\nDone.' }] }, async (world) => {
      const { engine, server, sessionId, folder } = world;
      assert.equal(await engine.askRole({ role: 'wrap', text: 'list all', sessionId }, signal), 'ls -a');
      const [request] = server.requests;
      assert.ok(request);
      assert.deepEqual(
        request.messages.map(({ role, text }) => [role, text]),
        [['user', `In zsh, at ${folder}: list all`]],
      );
      assert.deepEqual(request.tools, []);
      assert.deepEqual((await engine.sessions.open(sessionId)).history, []);
    }));

  it('sends its examples and uses its own model and temperature', () =>
    withWorld({ files: FILES, story: [{ say: 'TWO' }] }, async ({ engine, server, sessionId }) => {
      assert.equal(await engine.askRole({ role: '%pairs%', text: 'two', sessionId }, signal), 'TWO');
      const [request] = server.requests;
      assert.ok(request);
      assert.deepEqual(
        request.messages.map(({ text }) => text),
        ['Upper.', 'one', 'ONE', 'two'],
      );
      assert.equal(request.model, 'gpt-4.1');
      assert.match(JSON.stringify(request.body), /"temperature":0\.9/);
    }));

  it('suggests the intended name when not found, and ends when cancelled', () =>
    withWorld({ files: FILES, story: [{ fail: 'hang' }] }, async ({ engine, sessionId }) => {
      await assert.rejects(engine.askRole({ role: 'pair', text: 'x', sessionId }, signal), /Did you mean “pairs”/);
      const abort = new AbortController();
      const asked = engine.askRole({ role: 'pairs', text: 'x', sessionId }, abort.signal);
      abort.abort();
      await assert.rejects(asked, { name: 'AbortError' });
    }));
});

describe('The skills available in a session', () => {
  it('are those of its agent, and none where the agent turns them off', () =>
    withWorld({ files: FILES }, async ({ engine, sessionId }) => {
      const session = await engine.sessions.open(sessionId);
      assert.ok((await engine.skillsFor(sessionId)).names.includes('git-master'));
      await session.configure({ agent: 'quiet' });
      assert.deepEqual((await engine.skillsFor(sessionId)).names, ['maps']);
      await session.configure({ agent: 'bare' });
      assert.deepEqual((await engine.skillsFor(sessionId)).names, []);
    }));
});
