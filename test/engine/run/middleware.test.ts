import assert from 'node:assert/strict';
import type { EngineMiddleware } from '../../../src/engine';
import { messageSchema } from '../../../src/engine/messages/message';
import { type EngineWorld, type Played, withWorld } from '../../support/engineWorld';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { asLead, LEAD } from '../agents/team/leadWorld';
import { calls, collectAll, says, spawn } from '../agents/team/teamStory';

const read = (path: string) => ({ name: 'fs_read', arguments: { path } });
const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'x' } });
const hide = (text: string) => text.replaceAll('heron', '[bird]');

/** Redacts a word in everything that is sent. */
const redact: EngineMiddleware = {
  name: 'redact',
  beforeModel: ({ system, messages }) => ({
    system: hide(system),
    messages: messages.map((message) => messageSchema.parse(JSON.parse(hide(JSON.stringify(message))))),
  }),
};

const sent = ({ server }: EngineWorld) => JSON.stringify(server.requests.map(({ body }) => body));
const textsOf = ({ messages }: ModelRequest) => messages.map((one) => JSON.stringify({ ...one, images: [] }));
const failureOf = ({ outcome }: Played) =>
  outcome.kind === 'failed' ? `${outcome.reason}: ${outcome.message}` : outcome.kind;

async function kept(world: EngineWorld): Promise<string> {
  const session = await (await world.restart()).engine.sessions.open(world.sessionId);
  return JSON.stringify(session.messages);
}

describe('A middleware', () => {
  const files = { 'a.txt': 'a heron', 'b.txt': 'two heron' };
  for (const [dialect, model, settings] of [
    ['Responses', 'openai:gpt-5', { openai: { api: 'responses' } }],
    ['Chat Completions', 'openai:test-model', { openai: { api: 'chat' } }],
    ['Messages', 'anthropic:test-model', {}],
  ] as const) {
    it(`hides a word from models over ${dialect}, without changing the session or earlier requests`, () =>
      withWorld(
        { files, settings, story: [{ call: [read('a.txt')] }, { call: [read('b.txt')] }, { say: 'Done.' }] },
        async (world) => {
          world.engine.use(redact);
          const { outcome } = await world.play('find the heron', { model });
          assert.equal(outcome.kind, 'completed');
          assert.doesNotMatch(sent(world), /heron/);
          assert.match(sent(world), /two \[bird\]/);
          assert.match(await kept(world), /find the heron.*a heron.*two heron/);
          const [first, second, third] = world.server.requests.map(textsOf);
          assert.deepEqual(second?.slice(0, first?.length), first);
          assert.deepEqual(third?.slice(0, second?.length), second);
        },
      ));
  }

  it('is rejected if it has none of the known hooks, for example through a typo', () =>
    withWorld({}, ({ engine }) => {
      const misspelt = { name: 'redact', beforeModle: () => ({ system: '' }) };
      assert.throws(() => engine.use(misspelt), /“redact” has no known hook.*beforeModel/);
      return Promise.resolve();
    }));

  it('fails with a readable message if it returns an unknown property', () =>
    withWorld({ story: [{ say: 'Told.' }] }, async (world) => {
      const redacted: object = { txt: 'the [bird]' };
      world.engine.use({ name: 'redact', onUserMessage: () => redacted });
      const failure = failureOf(await world.play('the heron'));
      assert.match(failure, /^middleware: .*"redact" failed: what it returned is not valid: ✖.*"txt"/);
      assert.doesNotMatch(failure, /"code"/);
      assert.equal(world.server.requests.length, 0);
    }));

  it('may return the whole message that it received', () =>
    withWorld({ story: [{ say: 'Told.' }] }, async (world) => {
      world.engine.use({ name: 'redact', onUserMessage: (input) => ({ ...input, text: hide(input.text) }) });
      assert.equal((await world.play({ id: 'mine', text: 'the heron' })).outcome.kind, 'completed');
      assert.doesNotMatch(sent(world), /heron/);
    }));

  it('cannot give a message another ID, by which its sender could not withdraw it', () =>
    withWorld({ story: [{ say: 'Told.' }] }, async (world) => {
      world.engine.use({ name: 'renames', onUserMessage: ({ text }) => ({ id: 'theirs', text }) });
      await world.play({ id: 'mine', text: 'the heron' });
      const { messages } = await world.engine.sessions.open(world.sessionId);
      assert.equal(messages[0]?.id, 'mine');
    }));

  it('changes a user message before it is saved, also one sent while the agent works', () =>
    withWorld({ files, story: [{ hold: 'reading', call: [read('a.txt')] }, { say: 'Done.' }] }, async (world) => {
      world.engine.use({ name: 'polite', onUserMessage: ({ text }) => text.replace('now', 'please') });
      const handle = world.run('look now');
      await world.server.untilRequests(1);
      handle.send('and again now');
      world.server.release('reading');
      await handle.outcome;
      assert.match(await kept(world), /look please.*and again please/);
      assert.equal(world.server.requests[1]?.lastText.includes('and again please'), true);
    }));

  it('replaces prompt, tools and sampling in the order of registration', () =>
    withWorld({ story: [{ say: 'Done.' }] }, async (world) => {
      world.engine.use({ name: 'one', beforeModel: () => ({ system: 'One.', temperature: 0.5, maxOutputTokens: 77 }) });
      world.engine.use({
        name: 'two',
        beforeModel: ({ system, tools }) => ({
          system: `${system} Two.`,
          tools: tools.filter(({ name }) => name === 'fs_ls'),
        }),
      });
      world.engine.use({ name: 'gone', beforeModel: () => ({ system: 'Never.' }) }).dispose();
      await world.play('go', { model: 'openai:gpt-4-test' });
      const [request] = world.server.requests;
      assert.equal(request?.messages[0]?.text, 'One. Two.');
      assert.deepEqual(request.tools, ['fs_ls']);
      assert.match(JSON.stringify(request.body), /"temperature":0\.5/);
      assert.match(JSON.stringify(request.body), /tokens":77/);
    }));

  it('applies to started agents and to titles', () =>
    asLead(
      [
        says('worker', { say: 'A heron.' }),
        { when: ({ tools, messages }) => tools.length === 0 && messages.length > 1, step: { say: 'Birds' } },
        calls(spawn('worker', 'Find the heron.')),
        collectAll,
        { say: 'Done.' },
      ],
      async (world) => {
        const paths: string[] = [];
        world.engine.use(redact);
        world.engine.use({ name: 'seen', beforeModel: (_, { agentPath }) => void paths.push(agentPath.join('/')) });
        await world.play('the heron', { ...LEAD, namesSession: true });
        await world.engine.shutDown();
        assert.doesNotMatch(sent(world), /heron/);
        assert.ok(paths.includes('lead/worker'), paths.join());
      },
    ));

  it('applies to program agents, whatever they ask', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      world.engine.use(redact);
      world.engine.registerAgent({
        name: 'own',
        description: 'A program',
        loop: async (run) => {
          await run.askModel();
          return run.askOnce({ system: 'heron', text: 'heron?' });
        },
      });
      await world.play('the heron', { agent: 'own' });
      assert.equal(world.server.requests.length, 2);
      assert.doesNotMatch(sent(world), /heron/);
    }));

  for (const [hook, throwing] of [
    ['onUserMessage', { onUserMessage: () => Promise.reject(new Error('no way.')) }],
    ['beforeModel', { beforeModel: () => assert.fail('no way') }],
  ] as const) {
    it(`that throws in ${hook} fails the run under its name, and no model is asked`, () =>
      withWorld({ story: [{ say: 'never' }] }, async (world) => {
        world.engine.use({ name: 'strict', ...throwing });
        const said = 'middleware: The middleware "strict" failed: no way. Fix or remove it, then continue.';
        assert.equal(failureOf(await world.play('go')), said);
        assert.equal(world.server.requests.length, 0);
        assert.match(await kept(world), /"go"/);
      }));
  }

  it('that returns an invalid value is named', () =>
    withWorld({ story: [{ say: 'never' }] }, async (world) => {
      world.engine.use({ name: 'wild', beforeModel: () => ({ temperature: 70 }) });
      assert.match(failureOf(await world.play('go')), /"wild" failed: what it returned is not valid/);
      assert.throws(() => world.engine.use({ name: 'wild' }), /There is a middleware “wild” already/);
      assert.throws(() => world.engine.use({ name: '' }), /The middleware .*“name”/);
    }));

  it('drops calls of an answer, which then do not run', () =>
    withWorld({ files, story: [{ call: [write('c.txt'), read('a.txt')] }, { say: 'Done.' }] }, async (world) => {
      const isWrite = (part: { type: string; call?: { name: string } }) => part.call?.name === 'fs_write';
      world.engine.use({
        name: 'read-only',
        afterModel: ({ parts }) => ({ parts: parts.filter((part) => !isWrite(part)) }),
      });
      const { outcome } = await world.play('go');
      assert.equal(outcome.kind, 'completed');
      await assert.rejects(world.read('c.txt'));
      assert.equal(world.server.requests[1]?.messages.flatMap(({ results }) => results).length, 1);
    }));

  it('that throws on an answer prevents its calls from running, also when the session is resumed', () =>
    withWorld({ story: [{ say: 'I write.', call: [write('c.txt')] }, { say: 'Done.' }] }, async (world) => {
      const strict = world.engine.use({ name: 'strict', afterModel: () => Promise.reject(new Error('no writing')) });
      assert.match(failureOf(await world.play('go')), /middleware "strict" failed: no writing\./);
      strict.dispose();
      await world.play(undefined);
      await assert.rejects(world.read('c.txt'));
      assert.match(await kept(world), /I write\./);
    }));

  it('that never returns is abandoned when the run is cancelled', () =>
    withWorld({ story: [{ say: 'never' }] }, async (world) => {
      const handle = world.run('go');
      world.engine.use({
        name: 'slow',
        beforeModel: () => {
          handle.cancel();
          return new Promise(() => undefined);
        },
      });
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
    }));
});
