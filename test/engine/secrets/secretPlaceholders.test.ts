import assert from 'node:assert/strict';
import { resolveSecrets } from '../../../src/engine/secrets/secretPlaceholders';

describe('A secret in configuration', () => {
  const vault = new Map([
    ['TOKEN', '$& {{OTHER}}'],
    ['OTHER', 'other'],
    ['AZURE-KEY', 'dashed'],
  ]);
  const values = { get: (name: string) => Promise.resolve(vault.get(name)) };
  const resolve = (text: string) => resolveSecrets(text, values);

  it('replaces its name literally, and its value is not expanded again (P-1.3)', async () => {
    assert.deepEqual(await resolve('Bearer {{TOKEN}}, {{ OTHER }} and {{AZURE-KEY}}'), {
      text: 'Bearer $& {{OTHER}}, other and dashed',
      missing: [],
    });
  });

  it('that is missing stays as written and is listed once, while the others are inserted', async () => {
    assert.deepEqual(await resolve('{{GONE}} {{OTHER}} {{ GONE }}'), {
      text: '{{GONE}} other {{ GONE }}',
      missing: ['GONE'],
    });
  });

  it('is not recognized between empty or unbalanced braces', async () => {
    for (const text of ['{{}}', '{{ }}', '{TOKEN}', '{{{}}}']) {
      assert.deepEqual(await resolve(text), { text, missing: [] });
    }
  });
});
