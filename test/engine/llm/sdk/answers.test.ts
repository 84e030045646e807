import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../../support/modelServer/modelServer';
import type { Story } from '../../../support/modelServer/story';
import {
  assistant,
  called,
  callsIn,
  eventsOf,
  NEVER,
  PICTURE,
  request,
  result,
  results,
  said,
  seeing,
  textIn,
  user,
} from '../support';
import { VENDORS } from './vendors';

const TOOLS = [{ name: 'fs_read', description: 'Reads.', parameters: { type: 'object', properties: {} } }];

for (const vendor of VENDORS) {
  describe(`The ${vendor.label} client (${vendor.speaks})`, () => {
    let server: ModelServer;
    const start = async (story: Story, options?: ModelServerOptions) =>
      (server = await startModelServer(story, options));
    afterEach(() => server.close());
    const ask = (...args: Parameters<typeof request>) => eventsOf(vendor.client(server.url), request(...args));

    it('streams text in chunks and reports usage, including what was read from the cache and written to it', async () => {
      await start([{ say: 'One two three four.', usage: { input: 40, output: 9, cached: 30, written: 6 } }]);
      const events = await ask([user('Count')]);
      assert.equal(textIn(events), 'One two three four.');
      assert.ok(events.filter(({ type }) => type === 'text-delta').length > 1);
      assert.deepEqual(events.slice(-2), [
        { type: 'usage', usage: { inputTokens: 40, outputTokens: 9, cachedInputTokens: 30, cacheWriteTokens: 6 } },
        { type: 'finished', reason: 'stop' },
      ]);
    });

    it('sends the system prompt, the tools and the model without its provider', async () => {
      await start([{ say: 'Yes.' }]);
      await ask([user('Hello')], { tools: TOOLS, maxOutputTokens: 99 });
      const [sent] = server.requests;
      assert.equal(sent?.model, 'test-model');
      assert.deepEqual(sent.tools, ['fs_read']);
      assert.deepEqual(
        sent.messages.map(({ role, text }) => [role, text]),
        [
          ['system', 'Be brief.'],
          ['user', 'Hello'],
        ],
      );
    });

    it('assembles several tool calls from chunks, after announcing each', async () => {
      const call = [
        { name: 'fs_read', arguments: { path: 'a.ts', note: 'ünïcode "quoted"' }, id: 'call_1' },
        { name: 'fs_ls', arguments: '', id: 'call_2' },
        { name: 'fs_read', arguments: { path: 'b.ts' } },
      ];
      await start([{ say: 'Looking.', call, chunk: 3 }]);
      const events = await ask([user('Look')]);
      const calls = callsIn(events);
      assert.deepEqual(
        calls.map(({ name }) => name),
        ['fs_read', 'fs_ls', 'fs_read'],
      );
      assert.deepEqual(
        calls.slice(0, 2).map(({ id }) => id),
        ['call_1', 'call_2'],
      );
      assert.deepEqual(JSON.parse(calls[0]?.arguments ?? ''), call[0]?.arguments);
      assert.equal(calls[1]?.arguments, '{}');
      assert.equal(events.filter(({ type }) => type === 'tool-call-started').length, 3);
      assert.deepEqual(events.at(-1), { type: 'finished', reason: 'tool-calls' });
    });

    it('passes malformed arguments on as text', async () => {
      await start([{ call: [{ name: 'fs_read', arguments: '{"path": "a.t' }] }]);
      assert.equal(callsIn(await ask([user('Read')]))[0]?.arguments, '{"path": "a.t');
    });

    it('separates thinking from text', async () => {
      await start([{ think: 'Let me see, let me see.', signature: 'proof', say: 'Here.' }]);
      const events = await ask([user('Think')]);
      const types = [...new Set(events.map(({ type }) => type))];
      assert.deepEqual(types, ['thinking-delta', 'thinking-finished', 'text-delta', 'usage', 'finished']);
    });

    it('reports why an answer ended: a refusal, or the output limit', async () => {
      await start([{ refuse: 'I cannot do that.' }, { say: 'Half', finish: 'length' }]);
      const refused = await ask([user('Bad')]);
      assert.equal(textIn(refused), 'I cannot do that.');
      assert.deepEqual(refused.at(-1), { type: 'finished', reason: 'refusal' });
      assert.deepEqual((await ask([user('Long')])).at(-1), { type: 'finished', reason: 'length' });
    });

    it('accepts a conversation with malformed arguments, odd IDs, empty results and steering', async () => {
      await start([{ say: 'Fine.' }]);
      const events = await ask([
        user('Do it'),
        assistant([said(' '), called({ id: 'functions.fs_read:0', name: 'fs read', arguments: '{"pa' })]),
        results(result('functions.fs_read:0', '', { status: 'error' })),
        user('Also this', true),
        assistant([{ type: 'thinking', text: 'Hm' }], { finish: 'cut-off' }),
        assistant([said('Half an ans')], { finish: 'cut-off' }),
        user('Go on'),
      ]);
      assert.equal(textIn(events), 'Fine.');
      const messages = server.requests[0]?.messages ?? [];
      const sentCalls = messages.flatMap(({ calls }) => calls);
      assert.deepEqual(
        sentCalls.map(({ id, name }) => [id, name]),
        [['functions_fs_read_0', 'fs_read']],
      );
      assert.deepEqual(
        messages.flatMap((one) => one.results.map(({ isError }) => isError)),
        [true],
      );
    });

    it('sends pictures of the user and of tools', async () => {
      await start([{ say: 'Red.' }]);
      const call = { id: 'call_1', name: 'fs_read', arguments: '{}' };
      const shown = results(result('call_1', 'A picture.', { images: [PICTURE] }), result('call_2', 'Text.'));
      const calls = assistant([called(call), called({ ...call, id: 'call_2' })]);
      const events = await ask([seeing('Look'), calls, shown, user('And?', true)]);
      assert.equal(textIn(events), 'Red.');
      const images = server.requests[0]?.messages.flatMap((one) => one.images) ?? [];
      assert.deepEqual(images, Array(2).fill(`data:image/png;base64,${PICTURE.data}`));
    });

    it('continues after its own tool calls', async () => {
      await start([
        { think: 'I must read.', signature: 'proof', call: [{ name: 'fs_read', arguments: { path: 'a' } }] },
        ({ lastText }) => ({ say: `It says ${lastText.trim()}` }),
      ]);
      const client = vendor.client(server.url);
      const header = { agent: 'coder', model: vendor.modelId, time: 0 };
      const first = await collectReply(client.stream(request([user('Read')]), NEVER), header, () => undefined);
      const call = first.message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []))[0];
      const history = [user('Read'), first.message, results(result(call?.id ?? '', 'forty-two'))];
      assert.equal(textIn(await eventsOf(client, request(history))), 'It says forty-two');
    });
  });
}

describe('Thinking signed by Anthropic', () => {
  const vendor = VENDORS.find(({ label }) => label === 'Anthropic');
  const header = { agent: 'coder', model: 'anthropic:test-model', time: 0 };

  it('is sent back unchanged with its redacted parts, and to no other model', async () => {
    const server = await startModelServer([
      { redacted: 'opaque', think: 'Deep.', signature: 'proof', say: 'Yes.' },
      { say: 'Again.' },
      { say: 'Other.' },
    ]);
    try {
      const client = vendor?.client(server.url);
      assert.ok(client);
      const stream = client.stream(request([user('Think')]), NEVER);
      const { message } = await collectReply(stream, header, () => undefined);
      await eventsOf(client, request([user('Think'), message, user('Again')]));
      const foreign = { ...message, model: 'anthropic:other' };
      await eventsOf(client, request([user('Think'), foreign, user('Again')]));
      const contents = server.requests.slice(1).map(({ body }) => JSON.stringify(body));
      assert.match(contents[0] ?? '', /"redacted_thinking","data":"opaque"/);
      assert.match(contents[0] ?? '', /"thinking":"Deep\.","signature":"proof"/);
      assert.doesNotMatch(contents[1] ?? '', /thinking/);
    } finally {
      await server.close();
    }
  });
});
