import assert from 'node:assert/strict';
import { chatBody } from '../../../../../src/engine/llm/sdk/chat/openaiChat';

const TOOL = { name: 'fs_read', description: 'Reads “text”.', parameters: { type: 'object' } };

const textOf = (body: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(body);

/** A message that counts how often its content is read. */
function countedMessage(content: string) {
  const looks = { count: 0 };
  const message = {
    role: 'user' as const,
    get content() {
      looks.count++;
      return content;
    },
  };
  return { message, looks };
}

describe('The body of a Chat Completions request', () => {
  it('is the JSON of the whole request, with each tool in its envelope', () => {
    const messages = [
      { role: 'system' as const, content: 'Be “brief”.\n' },
      { role: 'user' as const, content: '语言 \u{1f600} \ud800' },
    ];
    const body = chatBody({ model: 'm', stream: true, temperature: 0.5, messages, tools: [TOOL] });
    assert.deepEqual(JSON.parse(textOf(body)), {
      model: 'm',
      stream: true,
      temperature: 0.5,
      messages,
      tools: [{ type: 'function', function: TOOL }],
    });
  });

  it('does not mention tools when there are none', () => {
    const body = chatBody({ model: 'm', stream: true, messages: [], tools: [] });
    assert.deepEqual(JSON.parse(textOf(body)), { model: 'm', stream: true, messages: [] });
  });

  it('serializes a message once, however many requests include it', () => {
    const { message, looks } = countedMessage('the same in each');
    for (let request = 0; request < 3; request++) {
      const next = { role: 'user' as const, content: `request ${request}` };
      const body = chatBody({ model: 'm', stream: true, messages: [message, next], tools: [] });
      assert.match(textOf(body), new RegExp(`the same in each.*request ${request}`));
    }
    assert.equal(looks.count, 1);
  });
});
