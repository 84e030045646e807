import assert from 'node:assert/strict';
import { PROVIDER_KEYS } from '../../../src/engine';
import { KEY_PAGES } from '../../../src/host/commands/keyPages';

describe('The pages for creating API keys', () => {
  it('exist for every provider that needs a key, and for no other name', () => {
    const ids = PROVIDER_KEYS.map(({ id }) => id);
    assert.deepEqual(
      PROVIDER_KEYS.filter(({ id, needed }) => needed && !KEY_PAGES.has(id)),
      [],
    );
    assert.deepEqual(
      [...KEY_PAGES.keys()].filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('use an encrypted connection', () => {
    for (const [id, address] of KEY_PAGES) assert.equal(new URL(address).protocol, 'https:', id);
  });
});
