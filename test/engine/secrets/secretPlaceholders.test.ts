import assert from 'node:assert/strict';
import { resolveSecrets } from '../../../src/engine/secrets/secretPlaceholders';

describe('a secret in configuration', () => {
  const vault = new Map([
    ['TOKEN', '$& {{OTHER}}'],
    ['OTHER', 'other'],
    ['AZURE-KEY', 'dashed'],
  ]);
  const values = { get: (name: string) => Promise.resolve(vault.get(name)) };
  const resolve = (text: string) => resolveSecrets(text, values);

  it('is put where its name stands, to the letter, and what is in it is not looked at again (P-1.3)', async () => {
    assert.deepEqual(await resolve('Bearer {{TOKEN}}, {{ OTHER }} and {{AZURE-KEY}}'), {
      text: 'Bearer $& {{OTHER}}, other and dashed',
      missing: [],
    });
  });

  it('that is missing stays as it was written and is named once, and the others are there all the same', async () => {
    assert.deepEqual(await resolve('{{GONE}} {{OTHER}} {{ GONE }}'), {
      text: '{{GONE}} other {{ GONE }}',
      missing: ['GONE'],
    });
  });

  it('is not seen where the braces hold nothing, or more braces', async () => {
    for (const text of ['{{}}', '{{ }}', '{TOKEN}', '{{{}}}']) {
      assert.deepEqual(await resolve(text), { text, missing: [] });
    }
  });
});
