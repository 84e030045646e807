import assert from 'node:assert/strict';
import type { Message } from '../../../src/engine/messages/message';
import { repairTranscript } from '../../../src/engine/messages/repairTranscript';
import { assistant, called, result, results, user } from '../llm/support';

const call = (id: string) => called({ id, name: 'fs_read', arguments: '{}' });
const textsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ text }) => text) : []));

describe('The conversation sent to a model', () => {
  it('never gives a call the result of a later call with the same id', () => {
    const repaired = repairTranscript([
      user('Go'),
      assistant([call('call_0')]),
      assistant([call('call_0')]),
      results(result('call_0', 'of the second')),
    ]);
    assert.deepEqual(textsOf(repaired), ['This call was interrupted before it returned a result.', 'of the second']);
  });

  it('never gives a call the result of a later one made together with another call', () => {
    const repaired = repairTranscript([
      assistant([call('call_0')]),
      assistant([call('call_0'), call('call_1')]),
      results(result('call_0', 'of the second'), result('call_1', 'beside it')),
    ]);
    const interrupted = 'This call was interrupted before it returned a result.';
    assert.deepEqual(textsOf(repaired), [interrupted, 'of the second', 'beside it']);
  });

  it('gives each of two calls with the same id in one answer its own result', () => {
    const repaired = repairTranscript([
      assistant([call('same'), call('same')]),
      results(result('same', 'first'), result('same', 'second')),
    ]);
    assert.deepEqual(textsOf(repaired), ['first', 'second']);
  });

  it('is left unchanged, down to the same objects, when every call has its result', () => {
    const talk = [
      user('Go'),
      assistant([call('a'), call('b')]),
      results(result('a', 'one'), result('b', 'two')),
      assistant([call('c')]),
      results(result('c', 'three')),
      user('And now?'),
    ];
    const repaired = repairTranscript(talk);
    assert.deepEqual(repaired, talk);
    for (const [at, message] of repaired.entries()) assert.equal(message, talk[at]);
  });

  it('has the results as they are now, also when they were shortened since it was last sent', () => {
    const asked = assistant([call('a')]);
    assert.deepEqual(textsOf(repairTranscript([asked, results(result('a', 'a long result'))])), ['a long result']);
    assert.deepEqual(textsOf(repairTranscript([asked, results(result('a', 'pruned'))])), ['pruned']);
  });

  it('has all results in the order of their calls, and none without a call', () => {
    const both = assistant([call('a'), call('b')]);
    assert.deepEqual(textsOf(repairTranscript([both, results(result('b', 'two'), result('a', 'one'))])), [
      'one',
      'two',
    ]);
    const more = results(result('a', 'one'), result('b', 'two'), result('c', 'nobody asked'));
    assert.deepEqual(textsOf(repairTranscript([both, more])), ['one', 'two']);
    assert.deepEqual(textsOf(repairTranscript([both, user('Well?'), results(result('b', 'late'))])), [
      'This call was interrupted before it returned a result.',
      'late',
    ]);
  });
});
