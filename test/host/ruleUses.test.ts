import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleUses, useKey } from '../../src/host/pages/ruleUses';

const decided = (time: string, rule: string | null, what: string) =>
  JSON.stringify({ time, what, scope: rule === null ? null : 'user', rule, verdict: 'allow' });

describe('Rule uses', () => {
  let folder = '';
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'cairn-uses-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are counted since a given time, with the last use, skipping invalid lines', async () => {
    const path = join(folder, 'audit.jsonl');
    const lines = [
      decided('2026-01-01T00:00:00Z', 'allow a', 'long ago'),
      decided('2026-11-20T00:00:00Z', 'allow a', 'first'),
      'broken {',
      decided('2026-11-21T00:00:00Z', null, 'by the mode'),
      decided('2026-11-22T00:00:00Z', 'allow a', 'second'),
    ];
    await writeFile(path, `${lines.join('\n')}\n`);
    const uses = await ruleUses(path, Date.UTC(2026, 10, 1));
    assert.deepEqual(
      [...uses],
      [[useKey('user', 'allow a'), { times: 2, last: 'second', at: Date.UTC(2026, 10, 22) }]],
    );
  });

  it('cover the end of a long log, and are empty without one', async () => {
    const path = join(folder, 'audit.jsonl');
    const old = `${decided('2026-11-20T00:00:00Z', 'allow old', 'x'.repeat(900))}\n`;
    await writeFile(path, old.repeat(4000) + `${decided('2026-11-22T00:00:00Z', 'allow new', 'last')}\n`);
    const uses = await ruleUses(path, 0);
    assert.equal(uses.get(useKey('user', 'allow new'))?.times, 1);
    assert.ok((uses.get(useKey('user', 'allow old'))?.times ?? 0) < 3000);
    assert.equal((await ruleUses(join(folder, 'none'), 0)).size, 0);
  });
});
