import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';

const CONFIG = `name: guide
instructions: Guide to {{city}} in {{language}}, {{unknown}} at {{note}}.
global_tools: [fs_read]
conversation_starters: ['What is in {{city}}?', 'And in {{language}}?']
variables:
  - { name: city, description: Which city }
  - { name: language, description: Which language, default: English }
  - { name: note, description: A note, default: '{{city}}' }
`;
const FILES = { '.cairn/agents/guide/config.yaml': CONFIG };
const request = { agent: 'guide' };

describe('Agent variables', () => {
  it('are asked for when missing, once per session', () =>
    withWorld(
      {
        files: FILES,
        story: [{ say: '1' }, { say: '2' }],
        answer: ({ question }) => ({ kind: 'answered', texts: [question === 'Which city (city)' ? 'Oslo' : '?'] }),
      },
      async (world) => {
        const { events } = await world.play('hi', request);
        const asking = ['tool-prepared', 'question-asked', 'question-answered', 'tool-finished'];
        const shown = events.map(({ type }) => type).filter((type) => asking.includes(type));
        assert.deepEqual(shown, asking, 'asked once, in a card of its own');
        const system = world.server.requests[0]?.messages[0]?.text ?? '';
        assert.ok(
          system.startsWith('Guide to Oslo in English, {{unknown}} at {{city}}.'),
          `filled in one pass: ${system.slice(0, 80)}`,
        );
        const again = await world.restart();
        const second = await again.play('hi', request);
        assert.equal(
          second.events.some(({ type }) => type === 'question-asked'),
          false,
        );
        assert.deepEqual((await again.engine.sessions.open(again.sessionId)).metadata.variables, { city: 'Oslo' });
      },
    ));

  it('that no one can be asked for end the run with a list of their names', () =>
    withWorld(
      { files: { '.cairn/agents/guide/config.yaml': CONFIG.replaceAll(', default: English', '') } },
      async (world) => {
        const { outcome } = await world.play('hi', request);
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'configuration');
        assert.match(outcome.message, /values are missing: city \(Which city\), language \(Which language\)\./);
        assert.equal(world.server.requests.length, 0);
      },
    ));

  it("come from the request, then the session, the environment, the agent's .env, and the default", () =>
    withWorld(
      {
        files: {
          ...FILES,
          '.cairn/agents/guide/.env': '# own\nexport CITY="Rome"\nLLM_AGENT_VAR_LANGUAGE=Latin # old\n',
        },
        environment: { GUIDE_VARIABLES: '{"city": "Paris"}' },
        story: [{ say: '1' }, { say: '2' }, { say: '3' }],
      },
      async (world) => {
        await world.play('a', request);
        await world.play('b', { ...request, variables: { city: 'Bonn' } });
        await world.play('c', request);
        const told = world.server.requests.map(
          ({ messages }) => /^Guide to \w+ in \w+/.exec(messages[0]?.text ?? '')?.[0],
        );
        assert.deepEqual(told, ['Guide to Paris in Latin', 'Guide to Bonn in Latin', 'Guide to Bonn in Latin']);
      },
    ));

  it('are not read through a link in a repository to a file of the user', () =>
    withWorld(
      {
        files: { ...FILES, 'real.env': 'CITY=Rome\nLANGUAGE=Latin\n', '.cairn/agents/guide/x.md': '' },
        story: [{ say: '1' }],
      },
      async (world) => {
        await symlink(join(world.folder, 'real.env'), join(world.folder, '.cairn/agents/guide/.env'));
        const { outcome } = await world.play('a', request);
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'configuration', JSON.stringify(outcome));
        assert.match(outcome.message, /\.env/);
        assert.equal(world.server.requests.length, 0);
      },
    ));

  it('that contain a key are not stored with the session, unlike the others', () => {
    const key = 'Zq7/Wx+9Kv=Jy4&Bn2%Rt8-Lp5';
    return withWorld({ key, acceptedKey: key, files: FILES, story: [{ say: '1' }] }, async (world) => {
      const variables = { city: `Rome ${key}`, language: 'Latin' };
      const { outcome } = await world.play('a', { ...request, variables });
      assert.equal(outcome.kind, 'completed');
      const session = await world.engine.sessions.open(world.sessionId);
      assert.deepEqual(session.metadata.variables, { language: 'Latin' });
      assert.doesNotMatch(await readFile(join(session.folder, 'metadata.json'), 'utf8'), /Rome/);
    });
  });

  it('that a session starts with and that contain a key are not stored either, with a notice', () => {
    const key = 'Zq7/Wx+9Kv=Jy4&Bn2%Rt8-Lp5';
    return withWorld({ key, acceptedKey: key, files: FILES }, async ({ engine, folder, warnings }) => {
      const session = await engine.sessions.create({
        ...{ workspace: folder, name: null, model: null, approvalMode: 'edits-and-commands' },
        variables: { city: `Rome ${key}`, language: 'Latin' },
      });
      assert.deepEqual(session.metadata.variables, { language: 'Latin' });
      assert.doesNotMatch(await readFile(join(session.folder, 'metadata.json'), 'utf8'), /Rome/);
      assert.match(warnings.join(), /The variable “city” contains a secret and is not saved .* with each run/);
      assert.doesNotMatch(warnings.join(), /Rome|language/);
    });
  });

  it('are filled into the conversation starters where they are known', () =>
    withWorld({ files: FILES }, async ({ engine }) => {
      assert.deepEqual(await engine.starters('guide'), ['What is in {{city}}?', 'And in English?']);
      await assert.rejects(engine.starters('gide'), /no agent “gide”\. Did you mean “guide”\?/);
    }));
});

describe('Environment settings for an agent', () => {
  it('apply before its tools are chosen (D-18)', () =>
    withWorld(
      {
        files: FILES,
        environment: {
          GUIDE_GLOBAL_TOOLS: '["fs_ls.sh"]',
          GUIDE_TEMPERATURE: '0.3',
          GUIDE_VARIABLES: '{"city":"Rome"}',
        },
        story: [{ say: '1' }],
      },
      async (world) => {
        await world.play('a', { ...request, model: 'openai:gpt-4.1' });
        const [first] = world.server.requests;
        assert.ok(first);
        assert.deepEqual([first.tools.includes('fs_ls'), first.tools.includes('fs_read')], [true, false]);
        assert.match(JSON.stringify(first.body), /"temperature":0\.3/);
      },
    ));

  it('override the .env that a repository supplies for the agent', () =>
    withWorld(
      {
        files: {
          ...FILES,
          '.cairn/agents/guide/.env': 'GUIDE_TEMPERATURE=0.9\nGUIDE_TOP_P=0.4\nGUIDE_VARIABLES={"city":"Rome"}\n',
        },
        environment: { GUIDE_TEMPERATURE: '0.3', GUIDE_VARIABLES: '{"city":"Paris"}' },
        story: [{ say: '1' }],
      },
      async (world) => {
        await world.play('a', { ...request, model: 'openai:gpt-4.1' });
        const [first] = world.server.requests;
        assert.match(first?.messages[0]?.text ?? '', /^Guide to Paris/);
        assert.match(JSON.stringify(first?.body), /"temperature":0\.3.*"top_p":0\.4|"top_p":0\.4.*"temperature":0\.3/);
      },
    ));

  it('end the run when they do not match the schema', () =>
    withWorld({ files: FILES, environment: { GUIDE_VARIABLES: 'city=Rome' } }, async (world) => {
      const { outcome } = await world.play('a', request);
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'configuration');
      assert.match(outcome.message, /GUIDE_VARIABLES is “city=Rome”; it must be JSON/);
    }));
});
