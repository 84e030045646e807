import assert from 'node:assert/strict';
import { USUAL_QUIRKS } from '../../../../src/engine/llm/sdk/chat/chatQuirks';
import { openaiMessages } from '../../../../src/engine/llm/sdk/chat/openaiChat';
import { KeptClients } from '../../../../src/engine/llm/sdk/keptClients';
import { assistant, called, result, results, user } from '../support';

describe('The client cache', () => {
  it('keeps one client for each address and key, limited to the most recent', () => {
    let made = 0;
    const kept = new KeptClients(() => ++made);
    const of = (apiKey: string, baseUrl = 'http://a') => kept.of({ baseUrl, apiKey });
    assert.deepEqual([of('one'), of('one'), of('two'), of('one', 'http://b'), of('one')], [1, 1, 2, 3, 1]);
    for (let key = 0; key < 7; key++) of(`key ${key}`);
    assert.equal(of('one'), 1);
    assert.equal(of('two'), 11);
  });

  it('keeps the translation of every message across turns', () => {
    const call = { id: 'c', name: 'fs_read', arguments: '{}' };
    const talk = [user('Hi'), assistant([called(call)]), results(result('c', 'Text'))];
    const translate = () => openaiMessages('', talk, 'p:m', USUAL_QUIRKS);
    const [first, second] = [translate(), translate()];
    assert.equal(first.length, 3);
    first.forEach((message, index) => assert.equal(message, second[index]));
  });
});
