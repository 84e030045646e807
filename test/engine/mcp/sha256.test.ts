import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sha256 } from '../../../src/engine/mcp/running/sha256';

describe('SHA-256', () => {
  it('is that of node:crypto for a text of any length', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'Größe 🦀 '.repeat(30).slice(0, length);
      assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'), `${length} characters`);
    }
  });
});
