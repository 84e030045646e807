import assert from 'node:assert/strict';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { withWorld } from '../../support/engineWorld';

const FILES = {
  '.cairn/agents/reader.md': '---\ntools: [fs_read, fs_ls]\ntemperature: 0.1\n---\nYou are reader.',
  '.cairn/roles/pirate.md':
    '---\ntemperature: 0.9\nenabled_tools: fs_read\n---\nTalk like a pirate on {{__os_distro__}}.',
  '.cairn/roles/wrap.md': '---\nenabled_tools: []\n---\nSay __INPUT__ twice: __INPUT__ {{__shell__}}',
  '.cairn/roles/pairs.md':
    '---\nenabled_tools: []\n---\nUpper case.\n\n### INPUT:\none\n### OUTPUT:\nONE\n\n### INPUT: two\n### OUTPUT: TWO\n',
  '.cairn/roles/half.md': '---\nenabled_tools: []\n---\nBegin.\n### INPUT:\none\n### OUTPUT:\nONE\n### INPUT:\nand?',
  '.cairn/roles/other.md': '---\nmodel: anthropic/other-model\n---\nOther.',
};
const said = (request: ModelRequest | undefined) => request?.messages.map(({ role, text }) => [role, text]);

describe('A role', () => {
  it('replaces the default agent, with its own tools and temperature', () =>
    withWorld({ files: FILES, story: [{ say: 'Arr.' }] }, async (world) => {
      await world.play('hello', { role: 'pirate', model: 'openai:gpt-4.1' });
      const [request] = world.server.requests;
      const system = request?.messages[0]?.text ?? '';
      assert.match(system, /^Talk like a pirate on Test OS 1\.\n/);
      assert.match(system, /# Where you are/);
      assert.doesNotMatch(system, /You are coder/);
      assert.deepEqual(request?.tools, ['fs_read']);
      assert.match(JSON.stringify(request.body), /"temperature":0\.9/);
    }));

  it('is added to an agent that was chosen', () =>
    withWorld({ files: FILES, story: [{ say: 'Arr.' }] }, async (world) => {
      await world.play('hello', { role: 'pirate', agent: 'reader' });
      const system = world.server.requests[0]?.messages[0]?.text ?? '';
      assert.match(system, /^You are reader\.\n\n# Your role: pirate\nTalk like a pirate/);
      assert.deepEqual(world.server.requests[0]?.tools, ['fs_read']);
    }));

  it('inserts the user’s text at __INPUT__, and stores it as written', () =>
    withWorld({ files: FILES, story: [{ say: '1' }, { say: '2' }] }, async (world) => {
      await world.play('cost: $& __INPUT__', { role: 'wrap' });
      const words = 'cost: $& __INPUT__';
      assert.deepEqual(said(world.server.requests[0]), [['user', `Say ${words} twice: ${words} zsh`]]);
      await world.play('next');
      assert.deepEqual(
        said(world.server.requests[1])
          ?.filter(([role]) => role === 'user')
          .map(([, text]) => text),
        [words, 'next'],
        'it was for one message only',
      );
    }));

  it('sends its examples as exchanges before the conversation', () =>
    withWorld({ files: FILES, story: [{ say: 'THREE' }] }, async (world) => {
      await world.play('three', { role: 'pairs' });
      assert.deepEqual(said(world.server.requests[0]), [
        ['system', 'Upper case.'],
        ['user', 'one'],
        ['assistant', 'ONE'],
        ['user', 'two'],
        ['assistant', 'TWO'],
        ['user', 'three'],
      ]);
    }));

  it('with half an example is treated as plain text', () =>
    withWorld({ files: FILES, story: [{ say: 'Hm.' }] }, async (world) => {
      await world.play('three', { role: 'half' });
      assert.match(world.server.requests[0]?.messages[0]?.text ?? '', /^Begin\.\n### INPUT:[^]*and\?$/);
    }));

  it('set for the session applies to every message and brings its model', () =>
    withWorld({ files: FILES, story: [{ say: '1' }, { say: '2' }] }, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      await session.configure({ role: 'other', model: null });
      await world.play('a');
      await world.play('b');
      for (const request of world.server.requests) {
        assert.equal(request.model, 'other-model');
        assert.match(JSON.stringify(request.body), /Other\./);
      }
    }));

  it('that does not exist ends the run and suggests the intended name', () =>
    withWorld({ files: FILES }, async (world) => {
      const { outcome } = await world.play('x', { role: 'priate' });
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'configuration');
      assert.match(outcome.message, /no role “priate”\. Did you mean “pirate”\?/);
    }));
});

describe('The built-in roles', () => {
  it('return only the first block of code for %code%', () =>
    withWorld(
      { story: [{ say: 'Sure:\n\n```js\nlet a = 1;\n```\n\nor\n\n```js\nlet b = 2;\n```\nBye.' }] },
      async (world) => {
        const { outcome } = await world.play('a variable', { role: '%code%' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'let a = 1;' });
        assert.deepEqual(world.server.requests[0]?.tools, []);
        assert.equal(world.server.requests[0].messages[1]?.text, 'wait without blocking, in javascript');
      },
    ));

  it('tell the model its shell and system for %shell%, and nothing about agents, skills or to-dos', () =>
    withWorld({ files: { 'AGENTS.md': 'Be kind.' }, story: [{ say: 'ls -S' }] }, async (world) => {
      const { outcome } = await world.play('files by size', { role: '%shell%' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'ls -S' });
      const system = world.server.requests[0]?.messages[0]?.text ?? '';
      assert.match(system, /command line for zsh on Test OS 1/);
      assert.doesNotMatch(system, /\{\{|skill|coder|Be kind/);
    }));

  it('are read without problems', () =>
    withWorld({}, async ({ engine }) => {
      const names = (await engine.roles.list()).map(({ name }) => name);
      for (const name of [
        'code',
        'create-prompt',
        'create-title',
        'explain-shell',
        'functions',
        'repo-analyzer',
        'shell',
      ])
        assert.ok(names.includes(name), name);
      assert.deepEqual(await engine.roles.problems(), []);
    }));
});
