import assert from 'node:assert/strict';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { sdkFailure } from '../../../../src/engine/llm/sdk/sdkFailure';
import type { SdkTarget } from '../../../../src/engine/llm/sdk/sdkTarget';

const target: SdkTarget = {
  label: 'OpenAI',
  baseUrl: 'https://models.example/v1',
  model: unlistedModel('openai:test-model'),
  keyVariable: 'OPENAI_API_KEY',
  needsKey: true,
  apiKey: () => Promise.resolve('test-key'),
};
/** The error that the SDKs throw over Node's own fetch if the tunnel is refused. */
const tunnel = new Error('Connection error.', {
  cause: new TypeError('fetch failed', {
    cause: new Error('Request was cancelled.', {
      cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
    }),
  }),
});

describe('A proxy that requires a password', () => {
  for (const [how, thrown] of [
    ['responds directly', Object.assign(new Error('407 Who are you?'), { status: 407 })],
    ['refuses the tunnel', tunnel],
  ] as const) {
    it(`is named, with where its address is configured, when it ${how}`, () => {
      const signal = new AbortController().signal;
      const context = { target, key: 'test-key', phase: 'opening' as const, signal };
      const told = sdkFailure(thrown, context);
      assert.deepEqual([told.reason, told.status], ['unreachable', 407]);
      const named = sdkFailure(thrown, {
        ...context,
        target: { ...target, proxySignIn: ({ host }) => `Sign in for ${host}.` },
      });
      assert.deepEqual(named, { ...told, message: 'Sign in for models.example.' });
      assert.match(told.message, /^The proxy on the way to https:\/\/models\.example.*"http\.proxy".*HTTPS_PROXY\.$/);
    });
  }
});
