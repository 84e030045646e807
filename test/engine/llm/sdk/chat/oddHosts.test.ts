import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { unlistedModel } from '../../../../../src/engine/llm/model';
import { openaiProvider } from '../../../../../src/engine/llm/providers/openai';
import { addressOf, answeringServer } from '../answeringServer';
import { callsIn, eventsOf, failureIn, request, textIn, user } from '../../support';

const QUESTION = request([user('Hello')]);
const STOP = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const delta = (piece: object) => ({ choices: [{ index: 0, delta: piece, finish_reason: null }] });
const ended = (finish_reason: unknown) => ({ choices: [{ index: 0, delta: { content: '' }, finish_reason }] });
const fragment = (about: object, given: object) => delta({ tool_calls: [{ index: 0, ...about, function: given }] });
const sse = (chunks: readonly object[]) => [...chunks.map((one) => JSON.stringify(one)), '[DONE]'];

describe('A Chat Completions host that deviates', () => {
  let server: Server;
  afterEach(() => server.close());

  async function answered(body: string | Buffer, headers: Record<string, string> = {}) {
    server = await answeringServer((_url, _body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(body);
    });
    const settings = { baseUrl: `${addressOf(server)}/v1`, apiKey: () => Promise.resolve('test-key') };
    return eventsOf(openaiProvider({ ...settings, api: 'chat' }).client(unlistedModel('openai:m')), QUESTION);
  }
  const chunks = (...all: object[]) =>
    answered(
      sse(all)
        .map((line) => `data: ${line}\n\n`)
        .join(''),
    );

  it('sends arguments as an object', async () => {
    const given = { name: 'fs_read', arguments: { path: 'a.ts', lines: [1, 2] } };
    const [call, ...others] = callsIn(await chunks(fragment({ id: 'a' }, given), STOP));
    assert.deepEqual([call?.name, call?.arguments, others.length], ['fs_read', '{"path":"a.ts","lines":[1,2]}', 0]);
  });

  it('sends IDs as numbers, and indexes as text', async () => {
    const events = await chunks(
      fragment({ id: 7, index: '0' }, { name: 'fs_read', arguments: '{"path":' }),
      fragment({ id: 7, index: '0' }, { arguments: '"a.ts"}' }),
      STOP,
    );
    assert.deepEqual(
      callsIn(events).map((call) => call.arguments),
      ['{"path":"a.ts"}'],
    );
  });

  it('gives several whole calls the same index and no IDs', async () => {
    const events = await chunks(
      fragment({}, { name: 'fs_read', arguments: '{"path":"a"}' }),
      fragment({}, { name: 'fs_read', arguments: '{"path":"b"}' }),
      STOP,
    );
    assert.deepEqual(
      callsIn(events).map((call) => call.arguments),
      ['{"path":"a"}', '{"path":"b"}'],
    );
  });

  it('repeats the name in each piece of a call', async () => {
    const events = await chunks(
      fragment({ id: 'a' }, { name: 'fs_read', arguments: '{"path":' }),
      fragment({ id: 'a' }, { name: 'fs_read', arguments: '"a"}' }),
      fragment({ id: 'a' }, { name: 'fs_read', arguments: '' }),
      STOP,
    );
    assert.deepEqual(
      callsIn(events).map((call) => call.arguments),
      ['{"path":"a"}'],
    );
  });

  it('sends text and thinking as lists of parts', async () => {
    const events = await chunks(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      delta({
        content: [
          { type: 'text', text: 'Yes' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      delta({ content: '.' }),
      STOP,
    );
    assert.equal(textIn(events), 'Yes.');
    const thought = events.flatMap((event) => (event.type === 'thinking-delta' ? [event.text] : []));
    assert.deepEqual(thought, ['Hm.']);
  });

  it('reports usage that is no count', async () => {
    for (const usage of ['', [], { prompt_tokens: '12' }, { prompt_tokens: 12.5, completion_tokens: null }, 7]) {
      const events = await chunks(delta({ content: 'Yes.' }), { ...STOP, usage });
      assert.deepEqual([usage, textIn(events), events.at(-1)?.type], [usage, 'Yes.', 'finished']);
      server.close();
    }
  });

  it('ends an answer because something failed', async () => {
    for (const reason of [
      'error',
      'abort',
      'insufficient_system_resource',
      'network_error',
      'malformed_function_call',
    ]) {
      const { reason: failed, message } = failureIn(await chunks(delta({ content: 'Half' }), ended(reason)));
      assert.equal(failed, 'server', reason);
      assert.match(message, new RegExp(reason));
      server.close();
    }
  });

  it('names the reason of an end in its own way', async () => {
    for (const [reason, finish] of [
      ['SAFETY', 'refusal'],
      ['sensitive', 'refusal'],
      ['PROHIBITED_CONTENT', 'refusal'],
      ['MAX_TOKENS', 'length'],
      ['STOP', 'stop'],
      ['eos', 'stop'],
      ['end_turn', 'stop'],
      ['tool_use', 'tool-calls'],
    ]) {
      const events = await chunks(delta({ content: 'Yes.' }), ended(reason));
      assert.deepEqual([reason, events.at(-1)], [reason, { type: 'finished', reason: finish }]);
      server.close();
    }
  });

  it('reports an error inside the stream', async () => {
    const error = { message: 'Provider returned error', code: 502 };
    for (const chunk of [{ error }, { id: 'x', error, ...ended('error') }]) {
      const { reason, message } = failureIn(await chunks(delta({ content: 'Half' }), chunk));
      assert.equal(reason, 'server');
      assert.match(message, /Provider returned error/);
      server.close();
    }
  });

  it('uses what the format of the stream allows', async () => {
    const [first, second, last, done] = sse([delta({ content: 'Grüße 🙂' }), delta({ content: '.' }), STOP]);
    const split = JSON.stringify(JSON.parse(second ?? ''), null, 1)
      .split('\n')
      .map((line) => `data: ${line}`);
    const text = [
      `\uFEFF: OPENROUTER PROCESSING`,
      '',
      'event: message',
      'id: 1',
      'retry: 10',
      `data:${first}`,
      '',
      ': keep-alive',
      '',
      ...split,
      '',
      `data: ${last}`,
      '',
      `data: ${done}`,
      '',
      '',
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      assert.equal(textIn(await answered(text.join(end))), 'Grüße 🙂.');
      server.close();
    }
  });
});
