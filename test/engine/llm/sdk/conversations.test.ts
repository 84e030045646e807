import assert from 'node:assert/strict';
import { USUAL_QUIRKS } from '../../../../src/engine/llm/sdk/chat/chatQuirks';
import { openaiMessages } from '../../../../src/engine/llm/sdk/chat/openaiChat';
import { anthropicConversation } from '../../../../src/engine/llm/sdk/messages/anthropicMessages';
import { assistant, called, result, results, said, user } from '../support';

const call = { id: 'c1', name: 'fs_read', arguments: '{"path":"a"}' };
const broken = { id: 'c2', name: 'fs_read', arguments: '{"path":' };
/** JSON text, so that no host fails to parse it. */
const UNREADABLE = JSON.stringify({ unreadable_arguments: broken.arguments });
const story = [
  user('Read'),
  assistant([said('Reading.'), called(call), called(broken)]),
  results(result('c1', 'text of a'), result('c2', 'no such file', { status: 'error' })),
  user('And quickly', true),
];

describe('A conversation for Anthropic', () => {
  it('has results first in the user turn, errors flagged, and malformed arguments as text', () => {
    assert.deepEqual(anthropicConversation(story, 'p:m'), [
      { role: 'user', content: [{ type: 'text', text: 'Read' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'c1', name: 'fs_read', input: { path: 'a' } },
          { type: 'tool_use', id: 'c2', name: 'fs_read', input: { unreadable_arguments: '{"path":' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'text of a' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'no such file', is_error: true },
          { type: 'text', text: 'And quickly' },
        ],
      },
    ]);
  });

  it('never end with an answer for a model that refuses to continue one, and stay a beginning of what comes later', () => {
    const all = [user('Birds?'), assistant([said('A heron.')]), assistant([said('And a crane.')]), user('Thanks.')];
    const sent = [1, 2, 3, 4].map((count) => anthropicConversation(all.slice(0, count), 'p:m', true));
    for (const turns of sent) assert.equal(turns.at(-1)?.role, 'user');
    const texts = sent.map((turns) => turns.flatMap(({ content }) => content.map((block) => JSON.stringify(block))));
    assert.deepEqual(texts[2]?.slice(0, texts[1]?.length), texts[1]);
    assert.deepEqual(
      sent[3]?.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.doesNotMatch(JSON.stringify(anthropicConversation(all, 'p:m')), /Continue/);
  });

  it('merges consecutive messages of one side and omits blank ones', () => {
    const turns = anthropicConversation(
      [user('One'), user(' '), user('Two'), assistant([said('\n')]), user('Three')],
      'p:m',
    );
    assert.deepEqual(turns, [
      { role: 'user', content: ['One', 'Two', 'Three'].map((text) => ({ type: 'text', text })) },
    ]);
  });

  it('omits thinking of another model or without a signature', () => {
    const thought = { type: 'thinking', text: 'Hm', signature: 's' } as const;
    const unsigned = { type: 'thinking', text: 'Hm' } as const;
    const blocks = (model: string) =>
      anthropicConversation([assistant([thought, unsigned, said('So.')])], model)[0]?.content;
    assert.deepEqual(blocks('p:m'), [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'So.' },
    ]);
    assert.deepEqual(blocks('p:other'), [{ type: 'text', text: 'So.' }]);
  });
});

describe('A conversation for OpenAI', () => {
  it('answers each call with its own message and describes failures in text', () => {
    assert.deepEqual(openaiMessages('Be brief.', story, 'p:other', USUAL_QUIRKS), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'fs_read', arguments: '{"path":"a"}' } },
          { id: 'c2', type: 'function', function: { name: 'fs_read', arguments: UNREADABLE } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'text of a' },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no such file' },
      { role: 'user', content: 'And quickly' },
    ]);
  });

  it('omits an empty system prompt, thinking, and answers without text', () => {
    const thought = { type: 'thinking', text: 'Hm', signature: 's' } as const;
    assert.deepEqual(openaiMessages(' ', [user('Hi'), assistant([thought])], 'p:m', USUAL_QUIRKS), [
      { role: 'user', content: 'Hi' },
    ]);
  });
});
