import assert from 'node:assert/strict';
import type { LlmEvent, LlmRequest } from '../../../../src/engine/llm/llmClient';
import { respectAbilities } from '../../../../src/engine/llm/middleware/respectAbilities';
import { type Abilities, type Model, unlistedModel } from '../../../../src/engine/llm/model';
import { assistant, called, eventsOf, PICTURE, request, result, results, said, seeing, user } from '../support';

const TOOLS = [{ name: 'fs_read', description: 'Reads.', parameters: { type: 'object' } }];

async function ask(abilities: Partial<Abilities>, question: LlmRequest, more: Partial<Model> = {}) {
  const sent: LlmRequest[] = [];
  const client = {
    async *stream(given: LlmRequest): AsyncGenerator<LlmEvent, void, void> {
      await Promise.resolve();
      sent.push(given);
      yield { type: 'finished', reason: 'stop' };
    },
  };
  const model = { ...unlistedModel('p:Plain', abilities), ...more };
  const events = await eventsOf(
    respectAbilities(client, () => Promise.resolve(model)),
    question,
  );
  const [first] = sent;
  assert.ok(first);
  return { sent: first, notices: events.flatMap((one) => (one.type === 'notice' ? [one.text] : [])) };
}

describe('respectAbilities', () => {
  it('passes the request unchanged to a model that supports all of it', async () => {
    const question = request([seeing('What is this?')], { tools: TOOLS });
    const { sent, notices } = await ask({ vision: true }, question);
    assert.deepEqual([sent, notices], [question, []]);
  });

  it('replaces pictures with a note for a model without vision, and tells the user once', async () => {
    const shown = results(result('c', 'A picture.', { images: [PICTURE] }));
    const question = [seeing('Look'), assistant([called({ id: 'c', name: 'fs_read', arguments: '{}' })]), shown];
    const { sent, notices } = await ask({}, request(question));
    assert.doesNotMatch(JSON.stringify(sent), /"data"/);
    assert.equal(JSON.stringify(sent).split('You cannot see pictures').length, 3);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /^Plain does not support images.*choose a model that does/);
    const later = await ask({}, request([...question, assistant([said('I cannot see it.')]), user('Go on')]));
    assert.deepEqual(later.notices, []);
  });

  it('translates a message once for all turns', async () => {
    const question = request([user('Hi'), seeing('Look')]);
    const [first, second] = [await ask({}, question), await ask({}, question)];
    assert.equal(first.sent.messages[0], question.messages[0]);
    assert.equal(first.sent.messages[1], second.sent.messages[1]);
  });

  it('offers no tools to a model that cannot call them, and describes earlier calls as text', async () => {
    const history = [
      user('Read'),
      assistant([said('I read.'), called({ id: 'c', name: 'fs_read', arguments: '{"path":"a"}' })]),
      results(result('c', 'forty-two')),
      assistant([said('Done.')]),
      user('And now?'),
    ];
    const { sent, notices } = await ask({ tools: false }, request(history, { tools: TOOLS }));
    assert.deepEqual(sent.tools, []);
    assert.match(JSON.stringify(sent.messages), /Called fs_read.*Result of fs_read.*forty-two/);
    assert.ok(sent.messages.every(({ role }) => role !== 'tool'));
    assert.match(notices[0] ?? '', /^Plain cannot call tools/);
  });

  it('limits the answer to what the model can write', async () => {
    const question = request([user('Hi')], { maxOutputTokens: 9000 });
    assert.equal((await ask({}, question, { maxOutputTokens: 4000 })).sent.maxOutputTokens, 4000);
    assert.equal((await ask({}, question)).sent.maxOutputTokens, 9000);
  });
});
