import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { writeUsql } from '../../support/usqlStandIn';
import { call, resultsIn } from './team/teamStory';

const ADDRESS = 'postgres://localhost/shop';
const QUERY = 'SELECT count(*) AS orders FROM orders';

/** Returns the texts between backticks in the agent's prompt, among them the address that it was given. */
function quotedIn({ messages }: ModelRequest): string[] {
  const prompt = (messages[0]?.text ?? '').replaceAll(/\s+/g, ' ');
  return [...prompt.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text ?? []);
}

/** Returns the command in the prompt that begins with `program`, with its placeholders filled in. */
function commandOf(request: ModelRequest, program: string, database: string): string {
  const written = quotedIn(request).find((text) => text.startsWith(`${program} `));
  assert.ok(written, `The prompt has a command for ${program}.`);
  return written.replace(/<address>|<file>/, database).replace('<query>', QUERY);
}

/**
 * A model that follows its prompt: checks which programs exist, runs the command that the prompt has for one of them, and repeats
 * the result.
 */
function believing(database: string) {
  return [
    (request: ModelRequest) => call('execute_command', { command: commandOf(request, 'command', '') }),
    (request: ModelRequest) => {
      const found = resultsIn(request).join('\n');
      const program = ['sqlite3', 'usql'].find(
        (name) => found.includes(`/${name}`) && !(isAddress(database) && name === 'sqlite3'),
      );
      return program === undefined
        ? { say: 'Neither sqlite3 nor usql is there.' }
        : call('execute_command', { command: commandOf(request, program, database) });
    },
    (request: ModelRequest) => ({ say: resultsIn(request).join() }),
  ];
}

const isAddress = (database: string) => database.includes('://');

describe('The programs of the database agent', function () {
  const looked = spawnSync('sh', ['-c', 'command -v sqlite3'], { encoding: 'utf8' });
  const sqlite3 = looked.error ? '' : looked.stdout.trim();
  let bin = '';
  let shop = '';
  before(function () {
    if (process.platform === 'win32' || sqlite3 === '') this.skip();
  });
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'cairn-programs-'));
    shop = join(bin, 'shop.db');
    execFileSync(sqlite3, [shop, 'CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2), (3);']);
  });
  afterEach(() => rm(bin, { recursive: true, force: true }));

  /** Returns what the agent answers about a database if these programs are on PATH, and the commands that it ran. */
  async function asked(
    database: string,
    programs: readonly ('sqlite3' | 'usql')[],
  ): Promise<{ answer: string; ran: string[] }> {
    if (programs.includes('usql')) await writeUsql(bin, sqlite3, shop, ADDRESS);
    if (programs.includes('sqlite3')) await symlink(sqlite3, join(bin, 'sqlite3'));
    const ran: string[] = [];
    let answer = '';
    await withWorld(
      {
        story: believing(database),
        commandEnvironment: { PATH: bin },
        approvalMode: 'edits-and-commands',
        approve: ({ command }) => {
          ran.push(command ?? '');
          return { kind: 'once' };
        },
      },
      async (world) => {
        const { outcome } = await world.play('How many orders?', { agent: 'sql', variables: { dsn: database } });
        answer = 'answer' in outcome ? outcome.answer : JSON.stringify(outcome);
        assert.ok(quotedIn(world.server.requests[0] ?? assert.fail()).includes(database), 'it knows its database');
      },
    );
    return { answer, ran: ran.filter((line) => !line.startsWith('command')) };
  }

  it('are usql for an address, with the command from its prompt', async () => {
    const { answer, ran } = await asked(ADDRESS, ['usql', 'sqlite3']);
    assert.match(answer, /orders\r?\n3/);
    assert.deepEqual(ran, [`usql '${ADDRESS}' --csv -c '${QUERY}'`]);
  });

  it('are sqlite3 for a file, read-only, or usql when sqlite3 is missing', async () => {
    const { answer, ran } = await asked(shop, ['usql']);
    assert.match(answer, /orders\r?\n3/);
    assert.match(ran[0] ?? '', /^usql /);
    const second = await asked(shop, ['sqlite3']);
    assert.match(second.answer, /orders\r?\n3/);
    assert.match(second.ran[0] ?? '', /^sqlite3 -readonly /);
  });

  it('are reported as missing when neither is installed', async () => {
    assert.deepEqual(await asked(ADDRESS, []), { answer: 'Neither sqlite3 nor usql is there.', ran: [] });
  });

  it('are found in every shell, even one that looks up a single name only', async () => {
    await writeUsql(bin, sqlite3, shop, ADDRESS);
    await withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('x', { agent: 'sql', variables: { dsn: ADDRESS } });
      const look = commandOf(world.server.requests[0] ?? assert.fail(), 'command', '');
      for (const shell of ['/bin/bash', '/bin/sh', '/bin/dash']) {
        const { stdout, error } = spawnSync(shell, ['-c', look], { env: { PATH: bin } });
        if (!error) assert.equal(stdout.toString().trim(), join(bin, 'usql'), shell);
      }
    });
  });
});
