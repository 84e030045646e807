import assert from 'node:assert/strict';
import { startModelServer } from '../../support/modelServer/modelServer';
import type { Story } from '../../support/modelServer/story';

const KEYS = {
  authorization: 'Bearer test-key',
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
};
const HI = { role: 'user', content: 'Hi' };
const call = { id: 'c', type: 'function', function: { name: 'x', arguments: '{}' } };
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'x', input: {} }] };

async function post(path: string, body: object, story: Story = [{ say: 'Hello.' }], headers: object = KEYS) {
  const server = await startModelServer(story);
  try {
    const sent = {
      method: 'POST',
      headers: { ...headers },
      body: JSON.stringify({ model: 'm', stream: true, ...body }),
    };
    const response = await fetch(`${server.url}${path}`, sent);
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}

describe('The scripted model server', () => {
  for (const [what, messages] of [
    ['a result without a call', [HI, { role: 'tool', tool_call_id: 'c', content: 'x' }]],
    ['a call without a result', [HI, { role: 'assistant', content: null, tool_calls: [call] }, HI]],
    ['empty content', [{ role: 'user', content: '' }]],
    ['an empty answer', [HI, { role: 'assistant', content: null }]],
    ['an unknown role', [{ role: 'robot', content: 'Hi' }]],
    ['no messages', []],
  ] as const) {
    it(`rejects ${what} like Chat Completions`, async () => {
      assert.equal((await post('/chat/completions', { messages })).status, 400);
    });
  }

  for (const [what, body] of [
    ['a call without a result', { max_tokens: 9, messages: [HI, use, HI] }],
    ['a call at the end', { max_tokens: 9, messages: [HI, use] }],
    [
      'a result after other content',
      {
        max_tokens: 9,
        messages: [
          HI,
          use,
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'tool_result', tool_use_id: 'c' },
            ],
          },
        ],
      },
    ],
    [
      'a result without a call',
      { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] }] },
    ],
    ['blank text', { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }],
    ['no max_tokens', { messages: [HI] }],
    ['a system role', { max_tokens: 9, messages: [{ role: 'system', content: 'x' }] }],
    ['an answer first', { max_tokens: 9, messages: [{ role: 'assistant', content: 'x' }] }],
  ] as const) {
    it(`rejects ${what} like Messages`, async () => {
      assert.equal((await post('/messages', body)).status, 400);
    });
  }

  it('rejects a missing or wrong key', async () => {
    const body = { messages: [HI] };
    assert.equal((await post('/chat/completions', body, [], {})).status, 401);
    assert.equal((await post('/chat/completions', body, [], { authorization: 'Bearer other' })).status, 401);
  });

  it('answers by the last message when a step has a condition, and in order otherwise', async () => {
    const story: Story = [{ when: ({ lastText }) => lastText === 'Hi', step: { say: 'Greeted' } }, { say: 'In order' }];
    assert.match((await post('/chat/completions', { messages: [HI] }, story)).text, /Greeted/);
    assert.match(
      (await post('/chat/completions', { messages: [{ role: 'user', content: 'Yo' }] }, story)).text,
      /In order/,
    );
  });

  it('fails when the story has no more steps or an expectation is not met', async () => {
    assert.match((await post('/chat/completions', { messages: [HI] }, [])).text, /no step for request 1: Hi/);
    const story: Story = [{ say: 'x', expect: ({ tools }) => assert.deepEqual(tools, ['fs_read'], 'No tools') }];
    const { status, text } = await post('/chat/completions', { messages: [HI] }, story);
    assert.equal(status, 500);
    assert.match(text, /No tools/);
  });

  it('does not count requests that are aside', async () => {
    const server = await startModelServer([
      { say: 'Told.' },
      { when: ({ lastText }) => lastText === 'Hi', step: {}, isAside: true },
    ]);
    const words: string[] = [];
    for (const message of [HI, { role: 'user', content: 'Yo' }]) {
      const body = JSON.stringify({ model: 'm', stream: true, messages: [message] });
      const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers: KEYS, body });
      words.push(await response.text());
    }
    assert.deepEqual(
      words.map((text) => text.includes('Told.')),
      [false, true],
    );
    assert.deepEqual(
      server.requests.map(({ lastText }) => lastText),
      ['Yo'],
    );
    await server.close();
  });

  it('holds a response until it is released', async () => {
    const server = await startModelServer([{ say: 'One two', chunk: 4, hold: 'wait' }]);
    const body = JSON.stringify({ model: 'm', stream: true, messages: [HI] });
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers: KEYS, body });
    await server.untilRequests(1);
    server.release('wait');
    assert.match(await response.text(), /"One "[\s\S]*"two"[\s\S]*\[DONE\]/);
    await server.close();
  });

  it('lists its models', async () => {
    const server = await startModelServer([], { models: ['a', 'b'] });
    const response = await fetch(`${server.url}/models`, { headers: KEYS });
    assert.match(await response.text(), /"id":"a".*"id":"b"/);
    await server.close();
  });
});
