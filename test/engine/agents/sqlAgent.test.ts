import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';

const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
const run = (line: string) => ({ call: [{ name: 'execute_command', arguments: { command: line } }] });

describe('The database agent', () => {
  it('reads a real SQLite file through the shell with approved queries, and cannot change it by reading', async function () {
    if (!hasSqlite) this.skip();
    const asked: string[] = [];
    await withWorld(
      {
        story: [
          run('sqlite3 -readonly -header -csv shop.db "SELECT count(*) AS orders FROM orders"'),
          run('sqlite3 -readonly shop.db "DELETE FROM orders"'),
          (request) => ({ say: request.lastText }),
        ],
        approvalMode: 'edits-and-commands',
        approve: (request) => {
          asked.push(request.command ?? '');
          return { kind: 'once' };
        },
      },
      async (world) => {
        const file = join(world.folder, 'shop.db');
        execFileSync('sqlite3', [file, 'CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2), (3);']);
        const { outcome, events } = await world.play('How many orders?', {
          agent: 'sql',
          variables: { dsn: 'shop.db' },
        });
        assert.equal(outcome.kind, 'completed');
        assert.deepEqual(
          asked.map((line) => line.split(' ', 2).join(' ')),
          ['sqlite3 -readonly', 'sqlite3 -readonly'],
        );
        const [first, second] = events
          .filter(({ type }) => type === 'tool-finished')
          .map((event) => JSON.stringify(event));
        assert.match(first ?? '', /orders\\+r?\\*n3/);
        assert.match(second ?? '', /readonly database/);
        assert.equal(execFileSync('sqlite3', [file, 'SELECT count(*) FROM orders']).toString().trim(), '3');
        const offered = world.server.requests[0]?.tools ?? [];
        assert.ok(offered.includes('execute_command') && !offered.includes('fs_write'));
      },
    );
  });
});
