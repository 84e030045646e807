import assert from 'node:assert/strict';
import { environmentAddresses } from '../../src/node/environmentSettings';

describe('environmentAddresses', () => {
  it('reads the provider addresses, and ignores an empty one', () => {
    const env = {
      OPENAI_BASE_URL: 'http://a/v1',
      ANTHROPIC_BASE_URL: '',
      GROQ_BASE_URL: 'http://g',
      CUSTOM_BASE_URL: 'http://c',
    };
    const { openai, anthropic, custom, others } = environmentAddresses(env);
    assert.deepEqual([openai, anthropic, custom, others], ['http://a/v1', undefined, 'http://c', { groq: 'http://g' }]);
  });

  for (const [host, address] of [
    ['', undefined],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['box.local', 'http://box.local:11434'],
    ['10.0.0.7:1234', 'http://10.0.0.7:1234'],
    ['https://ollama.example:443', 'https://ollama.example:443'],
  ] as const) {
    it(`reads OLLAMA_HOST "${host}" like Ollama`, () => {
      assert.equal(environmentAddresses({ OLLAMA_HOST: host }).ollama, address);
    });
  }
});
