import assert from 'node:assert/strict';
import type { LlmFailureReason } from '../../../../src/engine/llm/llmClient';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { sdkFailure } from '../../../../src/engine/llm/sdk/sdkFailure';
import { NEVER } from '../support';

const target = {
  label: 'OpenAI',
  baseUrl: 'https://example.test/v1?token=secret',
  model: unlistedModel('openai:m'),
  keyVariable: 'OPENAI_API_KEY',
  needsKey: true,
  apiKey: () => Promise.resolve('k'),
};

function failureFor(status: number | undefined, message: string, code?: string) {
  const thrown = Object.assign(new Error(message), { status, error: { message, code } });
  return sdkFailure(thrown, { target, key: 'k', phase: 'opening', signal: NEVER });
}

const WORDINGS: [LlmFailureReason, number | undefined, string, string?][] = [
  ['context-overflow', 400, "This endpoint's maximum context length is 131072 tokens. However, you requested 150000"],
  ['context-overflow', 400, 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
  ['context-overflow', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ['context-overflow', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['context-overflow', 400, 'Please reduce the length of the messages or completion.'],
  ['context-overflow', 400, 'the request exceeds the available context size. try increasing the context size'],
  ['context-overflow', 413, 'Request exceeds the maximum size'],
  ['context-overflow', undefined, 'Your input exceeds the context window of this model.'],
  ['rate-limit', 429, 'Request too large: maximum context length is fine, but too many tokens per minute'],
  ['unknown-model', 404, 'The model `gpt-0` does not exist or you do not have access to it.', 'model_not_found'],
  ['unknown-model', 400, 'gpt-0 is not a valid model ID'],
  ['unknown-model', 403, 'Project has no access to model', 'model_not_found'],
  ['auth', 403, 'Country, region, or territory not supported'],
  ['auth', 400, 'API key not valid. Please pass a valid API key.'],
  ['bad-request', 422, 'Unprocessable'],
  ['server', 529, 'Overloaded'],
  ['server', 408, 'Timeout'],
];

describe('sdkFailure', () => {
  for (const [reason, status, message, code] of WORDINGS) {
    it(`classifies "${message.slice(0, 50)}" (${status ?? 'in the stream'}) as ${reason}`, () => {
      assert.equal(failureFor(status, message, code).reason, reason);
    });
  }

  it('reports that an account has no credit left', () => {
    assert.match(failureFor(429, 'You exceeded your current quota', 'insufficient_quota').message, /no credit left/);
    assert.match(failureFor(400, 'Your credit balance is too low to access the API').message, /no credit left/);
  });

  it('explains network errors by their code, with the address but without its query', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const thrown = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause }) });
    const { reason, message } = sdkFailure(thrown, { target, key: 'k', phase: 'opening', signal: NEVER });
    assert.equal(reason, 'unreachable');
    assert.match(message, /^https:\/\/example\.test\/v1 \(OpenAI\) could not be found/);
    assert.doesNotMatch(message, /secret/);
  });

  it('accepts anything that can be thrown', () => {
    const nested: unknown = JSON.parse(`${'{"error":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    for (const thrown of [undefined, null, 'text', 7, {}, { error: 'text' }, nested, { status: 500, error: nested }]) {
      const { message } = sdkFailure(thrown, { target, key: '', phase: 'opening', signal: NEVER });
      assert.ok(message.length > 0);
    }
  });
});
