import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { callsIn, eventsOf, failureIn, request, textIn, user } from '../support';
import { addressOf, answeringServer } from './answeringServer';
import { VENDORS } from './vendors';

const QUESTION = request([user('Hello')]);
type Chunk = { type: string } & Record<string, unknown>;

function vendorOf(speaks: 'responses' | 'messages') {
  const vendor = VENDORS.find((one) => one.speaks === speaks);
  assert.ok(vendor);
  return vendor;
}

const written = (chunks: readonly Chunk[]) =>
  chunks.map((chunk) => `event: ${chunk.type}\ndata: ${JSON.stringify(chunk)}\n\n`).join('');

let server: Server;
async function answered(speaks: 'responses' | 'messages', body: string | Buffer, headers: Record<string, string> = {}) {
  server = await answeringServer((_url, _body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(body);
  });
  return eventsOf(vendorOf(speaks).client(`${addressOf(server)}/v1`), QUESTION);
}

const START: Chunk = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
};
const saying = (text: string): Chunk[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
];
const block = (content_block: object, ...pieces: string[]): Chunk[] => [
  { type: 'content_block_start', index: 1, content_block },
  ...pieces.map((partial_json) => ({
    ...{ type: 'content_block_delta', index: 1 },
    delta: { type: 'input_json_delta', partial_json },
  })),
];
const ended = (stop_reason: string, usage: unknown = { output_tokens: 9 }): Chunk[] => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const USE = { type: 'tool_use', id: 'toolu_1', name: 'fs_read', input: {} };

describe('A host of the Messages API that deviates', () => {
  afterEach(() => server.close());

  it('does not close the block of a call', async () => {
    const events = await answered(
      'messages',
      written([START, ...block(USE, '{"path":', '"a"}'), ...ended('tool_use')]),
    );
    assert.deepEqual(
      callsIn(events).map((call) => [call.name, call.arguments]),
      [['fs_read', '{"path":"a"}']],
    );
    assert.deepEqual(events.at(-1), { type: 'finished', reason: 'tool-calls' });
  });

  it('ends with another reason although there is a call', async () => {
    const call = [...block(USE, '{"path":"a"}'), { type: 'content_block_stop', index: 1 }];
    const events = await answered('messages', written([START, ...call, ...ended('end_turn')]));
    assert.equal(callsIn(events).length, 1);
  });

  it('reports usage that is no count', async () => {
    for (const usage of ['', [], { output_tokens: '9' }, { output_tokens: 9.5 }, 7, null]) {
      const events = await answered('messages', written([START, ...saying('Yes.'), ...ended('end_turn', usage)]));
      assert.deepEqual([usage, textIn(events), events.at(-1)?.type], [usage, 'Yes.', 'finished']);
      server.close();
    }
  });

  it('is overloaded in the middle of the answer', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    for (const chunks of [[START], [START, ...saying('Half')]]) {
      const { reason, message } = failureIn(await answered('messages', written([...chunks, error])));
      assert.deepEqual([reason, message.includes('Overloaded')], ['server', true]);
      server.close();
    }
  });

  it('cuts off a compressed answer', async () => {
    const whole = gzipSync(written([START, ...saying('Half a '.repeat(2000))]));
    const half = whole.subarray(0, whole.length - 20);
    const { reason } = failureIn(await answered('messages', half, { 'content-encoding': 'gzip' }));
    assert.equal(reason, 'cut-stream');
  });
});

const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'fs_read', arguments: '{"path":"a"}' };
const SAID = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] };
const completed = (about: object): Chunk => ({ type: 'response.completed', response: { id: 'r', ...about } });

describe('A host of the Responses API that deviates', () => {
  afterEach(() => server.close());

  it('sends text and calls only with the end', async () => {
    const events = await answered('responses', written([completed({ output: [SAID, CALL] })]));
    assert.equal(textIn(events), 'Yes.');
    assert.deepEqual(
      callsIn(events).map((call) => [call.name, call.arguments]),
      [['fs_read', '{"path":"a"}']],
    );
    assert.deepEqual(events.at(-1), { type: 'finished', reason: 'tool-calls' });
  });

  it('repeats at the end what it streamed', async () => {
    const chunks = [
      { type: 'response.output_text.delta', delta: 'Yes.' },
      { type: 'response.output_item.added', item: { ...CALL, arguments: '' } },
      { type: 'response.output_item.done', item: CALL },
      completed({ output: [SAID, CALL] }),
    ];
    const events = await answered('responses', written(chunks));
    assert.deepEqual([textIn(events), callsIn(events).length], ['Yes.', 1]);
  });

  it('sends arguments as an object', async () => {
    const item = { ...CALL, arguments: { path: 'a' } };
    const events = await answered('responses', written([{ type: 'response.output_item.done', item }, completed({})]));
    assert.deepEqual(
      callsIn(events).map((call) => call.arguments),
      ['{"path":"a"}'],
    );
  });

  it('reports usage that is no count', async () => {
    for (const usage of ['', [], { input_tokens: '9' }, { output_tokens: 9.5 }, 7, null]) {
      const chunks = [{ type: 'response.output_text.delta', delta: 'Yes.' }, completed({ usage })];
      const events = await answered('responses', written(chunks));
      assert.deepEqual([usage, textIn(events), events.at(-1)?.type], [usage, 'Yes.', 'finished']);
      server.close();
    }
  });

  it('reports a rate limit inside the stream', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Please try again in 1.2s.' };
    for (const chunk of [
      { type: 'response.failed', response: { error } },
      { type: 'error', ...error },
      { type: 'error', error },
    ]) {
      const { reason, retryAfterMs } = failureIn(await answered('responses', written([chunk])));
      assert.deepEqual([chunk, reason, retryAfterMs], [chunk, 'rate-limit', 1200]);
      server.close();
    }
  });
});
