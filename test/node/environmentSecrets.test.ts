import assert from 'node:assert/strict';
import { environmentSecrets } from '../../src/node/nodePorts';

describe('environmentSecrets', () => {
  it('reads the provider keys and nothing else', async () => {
    const secrets = environmentSecrets({ OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: '', HOME: '/home' });
    assert.equal(await secrets.get('apiKey.openai'), 'one');
    assert.equal(await secrets.get('apiKey.anthropic'), undefined);
    assert.equal(await secrets.get('HOME'), undefined);
    assert.equal(await secrets.get('constructor'), undefined);
  });
});
