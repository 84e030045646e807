import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { COMPATIBLE_HOSTS, type CompatibleHostId } from '../../../../src/engine/llm/providers/compatibleHosts';
import { openaiCompatibleProvider } from '../../../../src/engine/llm/providers/openaiCompatible';
import { openaiProvider } from '../../../../src/engine/llm/providers/openai';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../../support/modelServer/modelServer';
import type { Story } from '../../../support/modelServer/story';
import { instantClock } from '../instantClock';
import {
  assistant,
  called,
  eventsOf,
  failureIn,
  NEVER,
  request,
  result,
  results,
  said,
  textIn,
  user,
} from '../support';

function provider(id: CompatibleHostId, baseUrl: string | undefined, key = 'test-key') {
  const host = COMPATIBLE_HOSTS.find((one) => one.id === id);
  assert.ok(host);
  return openaiCompatibleProvider(host, { baseUrl, apiKey: () => Promise.resolve(key) }, instantClock());
}

describe('Chat Completions hosts', () => {
  let server: ModelServer;
  const start = async (story: Story, options?: ModelServerOptions) => (server = await startModelServer(story, options));
  afterEach(() => server.close());
  const client = (id: CompatibleHostId) => provider(id, server.url).client(unlistedModel(`${id}:test-model`));
  const body = (index = 0) => JSON.stringify(server.requests[index]?.body);

  it('are listed once each, with their own address and key', async () => {
    await start([]);
    const ids = COMPATIBLE_HOSTS.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { baseUrl, keyVariable } of COMPATIBLE_HOSTS) {
      assert.ok(baseUrl === null || URL.canParse(baseUrl));
      assert.match(keyVariable, /^[A-Z0-9_]+$/);
    }
  });

  it('have tagged thinking separated from the answer', async () => {
    await start([{ say: '<think>Let me see.</think>Here.' }]);
    const events = await eventsOf(client('groq'), request([user('Hi')]));
    assert.equal(textIn(events), 'Here.');
    assert.ok(events.some((one) => one.type === 'thinking-delta'));
  });

  it('include Mistral, which gets nine-character IDs and an answer between results and the user', async () => {
    await start([{ say: 'Fine.' }]);
    const call = { id: 'toolu_01ABCDEF', name: 'fs_read', arguments: '{}' };
    const talk = [user('Hi'), assistant([called(call)]), results(result(call.id, 'x')), user('Faster', true)];
    assert.equal(textIn(await eventsOf(client('mistral'), request(talk))), 'Fine.');
    const messages = server.requests[0]?.messages ?? [];
    const [sent] = messages.flatMap(({ calls }) => calls);
    assert.match(sent?.id ?? '', /^[a-z0-9]{9}$/);
    assert.equal(messages.flatMap((one) => one.results)[0]?.callId, sent?.id);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    );
    assert.doesNotMatch(body(), /stream_options/);
  });

  it('include DeepSeek, which gets its thinking back with the calls it led to', async () => {
    const call = [{ name: 'fs_read', arguments: {}, id: 'c' }];
    await start([{ think: 'I must read.', call }, { say: 'Done.' }]);
    const header = { agent: 'coder', model: 'deepseek:test-model', time: 0 };
    const stream = client('deepseek').stream(request([user('Hi')]), NEVER);
    const { message } = await collectReply(stream, header, () => undefined);
    await eventsOf(client('deepseek'), request([user('Hi'), message, results(result('c', 'x'))]));
    assert.match(body(1), /"reasoning_content":"I must read\."/);
  });

  it('include Gemini, which gets its call signatures back, or a placeholder for another model', async () => {
    await start([{ say: 'Done.' }]);
    const call = { id: 'c', name: 'fs_read', arguments: '{}' };
    const talk = [
      user('Hi'),
      assistant([called({ ...call, signature: 'sealed' })]),
      results(result('c', 'x')),
      assistant([called({ ...call, id: 'd' }), called({ ...call, id: 'e' })]),
      results(result('d', 'x'), result('e', 'x')),
    ];
    await eventsOf(client('gemini'), request(talk));
    const proofs = [...body().matchAll(/"thought_signature":"(\w+)"/g)].map((match) => match[1]);
    assert.deepEqual(proofs, ['sealed', 'skip_thought_signature_validator']);
  });

  it('defined by the user need no key, and none is sent then', async () => {
    await start([{ say: 'Hello.' }], { key: '' });
    const own = provider('custom', server.url, '');
    assert.equal(await own.isReady(), true);
    assert.equal(textIn(await eventsOf(own.client(unlistedModel('custom:m')), request([user('Hi')]))), 'Hello.');
    assert.equal(server.requests[0]?.headers.authorization, undefined);
  });

  it('defined by the user explain what to do without an address or a required key', async () => {
    await start([]);
    const nowhere = failureIn(
      await eventsOf(provider('custom', undefined).client(unlistedModel('custom:m')), request([user('Hi')])),
    );
    assert.match(nowhere.message, /No base URL is set for Custom server.*settings/);
    const locked = provider('custom', server.url, '').client(unlistedModel('custom:m'));
    const { reason, message } = failureIn(await eventsOf(locked, request([user('Hi')])));
    assert.equal(reason, 'auth');
    assert.match(message, /Custom server requires an API key.*CUSTOM_API_KEY/);
  });

  it('list their models with their metadata', async () => {
    const listing = [
      { id: 'models/eyes', context_length: 9000, architecture: { input_modalities: ['text', 'image'] } },
      { id: 'hands', context_window: 100, supported_parameters: ['temperature'], name: 'Hands' },
      { id: 'has a space' },
      { name: 'no id' },
    ];
    await start([], { listing });
    const models = (await provider('openrouter', server.url).listModels?.(NEVER)) ?? [];
    assert.deepEqual(
      models.map(({ id, label, contextWindow, abilities }) => [id, label, contextWindow, abilities]),
      [
        ['openrouter:eyes', 'eyes', 9000, { vision: true }],
        ['openrouter:hands', 'Hands', 100, { tools: false, thinking: false }],
      ],
    );
  });

  it('are not queried without a key or address, and list no models when they do not respond', async () => {
    await start([{ say: 'No.' }]);
    const { url } = server;
    assert.deepEqual(await provider('groq', url, '').listModels?.(NEVER), []);
    assert.deepEqual(await provider('vllm', undefined).listModels?.(NEVER), []);
    assert.deepEqual(await provider('groq', url, 'wrong').listModels?.(NEVER), []);
    await server.close();
    assert.deepEqual(await provider('groq', url).listModels?.(NEVER), []);
    await start([]);
  });
});

describe('The API dialect of openai', () => {
  for (const [api, dialect] of [
    [undefined, 'chat'],
    ['auto', 'chat'],
    ['chat', 'chat'],
    ['responses', 'responses'],
  ] as const) {
    it(`is ${dialect} at another address with the setting ${api ?? 'absent'}`, async () => {
      const server = await startModelServer([{ say: 'Yes.' }]);
      const openai = openaiProvider({ baseUrl: server.url, api, apiKey: () => Promise.resolve('test-key') });
      await eventsOf(
        openai.client(unlistedModel('openai:m')),
        request([user('Hi'), assistant([said('Ho')]), user('Hi')]),
      );
      assert.equal(server.requests[0]?.dialect, dialect);
      await server.close();
    });
  }
});
