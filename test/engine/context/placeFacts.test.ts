import assert from 'node:assert/strict';
import path from 'node:path';
import { placeFacts } from '../../../src/engine/prompt/placeFacts';

/** Returns the date that an agent is given in this time zone. */
function dateIn(zone: string, now: number): string | undefined {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    const place = { workspace: '/work', folders: [], trusted: true, platform: 'linux', shell: undefined } as const;
    return placeFacts({ ...place, workMode: 'agent', now, instructions: [] }, path.posix)['date'];
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env['TZ'] = before;
  }
}

describe('The date in a prompt', () => {
  it("is the user's local date in any time zone", () => {
    const evening = Date.UTC(2026, 11, 31, 20);
    assert.equal(dateIn('Pacific/Auckland', evening), '- Date: 2027-01-01');
    assert.equal(dateIn('UTC', evening), '- Date: 2026-12-31');
    const night = Date.UTC(2027, 0, 1, 3);
    assert.equal(dateIn('America/Los_Angeles', night), '- Date: 2026-12-31');
  });
});
