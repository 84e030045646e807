import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { anthropicProvider } from '../../../../src/engine/llm/providers/anthropic';
import { openaiProvider } from '../../../../src/engine/llm/providers/openai';
import type { AssistantMessage } from '../../../../src/engine/messages/message';
import { type ModelServer, startModelServer } from '../../../support/modelServer/modelServer';
import type { Story } from '../../../support/modelServer/story';
import { assistant, eventsOf, failureIn, NEVER, request, result, results, said, textIn, user } from '../support';

const ABLE = { thinking: true, vision: true, caching: true };
const apiKey = () => Promise.resolve('test-key');

describe('Reasoning over Responses', () => {
  let server: ModelServer;
  const start = async (story: Story) => (server = await startModelServer(story));
  afterEach(() => server.close());
  const client = (id = 'openai:test-model') =>
    openaiProvider({ baseUrl: server.url, api: 'responses', apiKey }).client(unlistedModel(id, ABLE));
  const header = { agent: 'coder', model: 'openai:test-model', time: 0 };
  const bodies = () => server.requests.map(({ body }) => JSON.stringify(body));

  it('is kept encrypted and sent back before the call it led to, and to no other model', async () => {
    const call = { name: 'fs_read', arguments: { path: 'a' }, id: 'call_1' };
    await start([{ think: 'I must read.', signature: 'sealed', call: [call] }, { say: 'One.' }, { say: 'Two.' }]);
    const stream = client().stream(request([user('Read')]), NEVER);
    const { message } = await collectReply(stream, header, () => undefined);
    assert.deepEqual(
      message.parts.map(({ type }) => type),
      ['thinking', 'tool-call'],
    );
    const history = [user('Read'), message, results(result('call_1', 'forty-two'))];
    assert.equal(textIn(await eventsOf(client(), request(history))), 'One.');
    assert.equal(textIn(await eventsOf(client('openai:other'), request(history))), 'Two.');
    const [, own, foreign] = bodies();
    assert.match(
      own ?? '',
      /"summary":\[\{"type":"summary_text","text":"I must read\."\}\],"encrypted_content":"sealed"/,
    );
    assert.match(own ?? '', /"type":"reasoning".*"type":"function_call".*"type":"function_call_output"/);
    assert.doesNotMatch(foreign ?? '', /"type":"reasoning"/);
  });

  it('asks the vendor to store nothing', async () => {
    await start([{ say: 'Yes.' }]);
    await eventsOf(client(), request([user('Hi')]));
    assert.match(bodies()[0] ?? '', /"store":false.*"include":\["reasoning.encrypted_content"\]/);
  });

  it('is not requested from a model that does not think', async () => {
    await start([{ say: 'Yes.' }]);
    const plain = openaiProvider({ baseUrl: server.url, api: 'responses', apiKey });
    await eventsOf(plain.client(unlistedModel('openai:gpt-4o', plain.assumes?.('gpt-4o'))), request([user('Hi')]));
    assert.doesNotMatch(bodies()[0] ?? '', /reasoning/);
  });

  it('is omitted when nothing follows it, as in an interrupted answer', async () => {
    await start([{ say: 'Yes.' }]);
    const signature = JSON.stringify({ id: 'rs_1', encrypted: 'sealed' });
    const cut = assistant([said('Half'), { type: 'thinking', text: 'Hm', signature }], { model: 'openai:test-model' });
    assert.equal(textIn(await eventsOf(client(), request([user('Hi'), cut, user('Go on')]))), 'Yes.');
  });

  it('is omitted from then on when the vendor cannot decrypt it, as after a change of keys', async () => {
    const signature = (id: string) => JSON.stringify({ id, encrypted: `sealed ${id}` });
    const thought = (id: string) =>
      assistant([{ type: 'thinking', text: 'Hm', signature: signature(id) }, said('So.')], {
        model: 'openai:test-model',
      });
    const message = 'The encrypted content gAAA...Rg== could not be verified.';
    const error = { message, type: 'invalid_request_error', code: 'invalid_encrypted_content' };
    await start([{ fail: { status: 400, body: { error } } }, { say: 'Yes.' }, { say: 'Sure.' }]);
    const talk = [user('Hi'), thought('rs_1'), user('Go on')];
    assert.equal(textIn(await eventsOf(client(), request(talk))), 'Yes.');
    assert.equal(textIn(await eventsOf(client(), request([...talk, thought('rs_2'), user('And?')]))), 'Sure.');
    const [, retried, later] = bodies();
    assert.doesNotMatch(retried ?? '', /sealed/);
    assert.match(later ?? '', /sealed rs_2/);
    assert.doesNotMatch(later ?? '', /sealed rs_1/);
  });

  it('has no summary when the organization is not verified for it', async () => {
    const error = {
      message: 'Your organization must be verified to generate reasoning summaries.',
      code: 'unsupported_value',
    };
    await start([{ fail: { status: 400, body: { error } } }, { say: 'Yes.' }]);
    assert.equal(textIn(await eventsOf(client(), request([user('Hi')]))), 'Yes.');
    assert.doesNotMatch(bodies()[1] ?? '', /"summary"/);
  });
});

describe('Thinking over Messages', () => {
  let server: ModelServer;
  const start = async (story: Story) => (server = await startModelServer(story));
  afterEach(() => server.close());
  const client = () => anthropicProvider({ baseUrl: server.url, apiKey }).client(unlistedModel('anthropic:m', ABLE));
  let thought: AssistantMessage;
  beforeEach(() => {
    thought = assistant([{ type: 'thinking', text: 'Hm', signature: 's' }, said('So.')], { model: 'anthropic:m' });
  });
  const refusal = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'Invalid `signature` in `thinking` block' },
  };

  it('is omitted when the vendor no longer accepts it', async () => {
    await start([{ fail: { status: 400, body: refusal } }, { say: 'Yes.' }]);
    assert.equal(textIn(await eventsOf(client(), request([user('Hi'), thought, user('Go on')]))), 'Yes.');
    assert.doesNotMatch(JSON.stringify(server.requests[1]?.body), /signature/);
  });

  it('is not offered again once it was refused, unlike what the model thinks afterwards', async () => {
    const message = 'messages.1.content.0: The block follows a prefix that has changed since it was made.';
    const error = { type: 'invalid_request_error', message };
    await start([{ fail: { status: 400, body: { type: 'error', error } } }, { say: 'Yes.' }, { say: 'Sure.' }]);
    const talk = [user('Hi'), thought, user('Go on')];
    assert.equal(textIn(await eventsOf(client(), request(talk))), 'Yes.');
    const later = assistant([{ type: 'thinking', text: 'Aha', signature: 'new' }, said('Yes.')], {
      model: 'anthropic:m',
    });
    assert.equal(textIn(await eventsOf(client(), request([...talk, later, user('And?')]))), 'Sure.');
    const [, , last] = server.requests.map(({ body }) => JSON.stringify(body));
    assert.match(last ?? '', /"thinking":"Aha","signature":"new"/);
    assert.doesNotMatch(last ?? '', /"signature":"s"/);
  });

  it('does not cause a retry when there was none', async () => {
    await start([{ fail: { status: 400, body: refusal } }]);
    const events = await eventsOf(client(), request([user('Hi')]));
    assert.equal(failureIn(events).reason, 'bad-request');
  });

  it('is requested in summarized form', async () => {
    await start([{ say: 'Yes.' }]);
    await eventsOf(client(), request([user('Hi')]));
    assert.match(JSON.stringify(server.requests[0]?.body), /"thinking":\{"type":"adaptive","display":"summarized"\}/);
  });
});

describe('The cache of Anthropic', () => {
  it('is marked after the tools, the system prompt and the last two user turns', async () => {
    const server = await startModelServer([{ say: 'Yes.' }, { say: 'No.' }]);
    try {
      const provider = anthropicProvider({ baseUrl: server.url, apiKey });
      const tools = ['a', 'b'].map((name) => ({ name, description: name, parameters: { type: 'object' } }));
      const talk = ['One', 'Two', 'Three'].flatMap((text) => [user(text), assistant([said(`${text}.`)])]);
      const question = request([...talk, user('Four')], { tools });
      await eventsOf(provider.client(unlistedModel('anthropic:m', ABLE)), question);
      const text = JSON.stringify(server.requests[0]?.body);
      assert.equal(text.split('cache_control').length - 1, 4);
      for (const part of [/"Three","cache_control"/, /"Four","cache_control"/, /"Be brief\.","cache_control"/]) {
        assert.match(text, part);
      }
      assert.match(text, /"name":"b"[^}]*\{"type":"object"\},"cache_control"/);
      await eventsOf(provider.client(unlistedModel('anthropic:m', {})), question);
      assert.doesNotMatch(JSON.stringify(server.requests[1]?.body), /cache_control/);
    } finally {
      await server.close();
    }
  });
});

describe('The cache of OpenAI', () => {
  it('includes the system prompt, which starts the conversation', async () => {
    const server = await startModelServer([{ say: 'Yes.' }]);
    try {
      const provider = openaiProvider({ baseUrl: server.url, api: 'responses', apiKey });
      await eventsOf(provider.client(unlistedModel('openai:test-model', ABLE)), request([user('Hi')]));
      const text = JSON.stringify(server.requests[0]?.body);
      assert.match(text, /"input":\[\{"role":"developer","content":"Be brief\."\},\{[^{}]*"role":"user"/);
      assert.doesNotMatch(text, /"instructions"/);
    } finally {
      await server.close();
    }
  });
});
