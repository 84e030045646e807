import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportSession } from '../../src/engine';
import type { EngineWorld } from '../support/engineWorld';
import { withWorld } from '../support/engineWorld';
import type { StepCall } from '../support/modelServer/story';

/** Returns the results, as the model received them, of the calls in its first answer. */
const told = (world: EngineWorld) =>
  (world.server.requests[1]?.messages ?? []).flatMap(({ results }) => results.map(({ text }) => text));

const call = (name: string, args: Record<string, unknown>): StepCall => ({ name, arguments: args });

describe('A file that tools cannot read', () => {
  it('of 1 TB is rejected unread by every reading tool, with an alternative', () =>
    withWorld(
      {
        files: { 'huge.log': 'begin' },
        story: [
          {
            call: [
              call('fs_read', { path: 'huge.log' }),
              call('fs_cat', { path: 'huge.log' }),
              call('fs_edit', { path: 'huge.log', old_string: 'begin', new_string: 'x' }),
            ],
          },
          { say: 'I see.' },
        ],
      },
      async (world) => {
        // Far too large to be read within the timeout of a test.
        await truncate(join(world.folder, 'huge.log'), 1_000_000_000_000);
        assert.equal((await world.play('read')).outcome.kind, 'completed');
        assert.equal(told(world).length, 3);
        for (const text of told(world)) assert.match(text, /huge\.log is 1000000\.0 MB.*execute_command/);
      },
    ));

  for (const [what, target] of [
    ['outside the workspace', '../secret.txt'],
    ['behind a link out of the workspace', 'link.txt'],
  ] as const) {
    it(`because it is ${what} always needs approval, and is not read when rejected`, () => {
      const asked: string[] = [];
      return withWorld(
        {
          story: [{ call: [call('fs_read', { path: target })] }, { say: 'As you like.' }],
          approve: (request) => {
            asked.push(request.reason);
            return { kind: 'reject', by: 'person', reason: 'not yours' };
          },
        },
        async (world) => {
          await writeFile(join(world.folder, '..', 'secret.txt'), 'the secret');
          await symlink(join('..', 'secret.txt'), join(world.folder, 'link.txt'));
          assert.equal((await world.play('read')).outcome.kind, 'rejected');
          assert.match(asked.join(), /outside/);
          assert.match(told(world).join(), /not yours/);
          assert.doesNotMatch(JSON.stringify(world.server.requests[1]?.body), /the secret/);
        },
      );
    });
  }
});

describe('A workspace whose folder does not exist', () => {
  it('is reported by tools that need it, and is created by a new file', () =>
    withWorld(
      {
        story: [
          {
            call: [
              call('fs_ls', {}),
              call('fs_glob', { pattern: '**' }),
              call('execute_command', { command: 'pwd' }),
              call('fs_read', { path: 'a.txt' }),
            ],
          },
          { call: [call('fs_write', { path: 'a.txt', contents: 'x' })] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const workspace = join(world.folder, 'no-folder');
        const { id } = await world.engine.sessions.create({
          ...{ workspace, model: 'openai:test-model', approvalMode: 'nothing', name: null },
        });
        assert.equal((await world.play('look', { sessionId: id })).outcome.kind, 'completed');
        assert.equal(told(world).length, 4);
        for (const text of told(world)) assert.match(text, /[Nn]o (folder|file)|does not exist/, text);
        assert.equal(await world.read('no-folder/a.txt'), 'x');
      },
    ));
});

describe('A full disk', () => {
  it('ends the run with an error that names the file, and the session resumes once there is space', function () {
    if (!existsSync('/dev/full')) this.skip();
    return withWorld({ story: [{ say: 'Kept.' }] }, async (world) => {
      const history = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      // Every write to it fails as on a full disk.
      await symlink('/dev/full', history);
      const { outcome } = await world.play('precious words');
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'session');
      assert.match(
        outcome.message,
        /history\.jsonl cannot be written: the disk is full\. Free some space and try again\./,
      );
      assert.equal(world.server.requests.length, 0);
      await rm(history);
      assert.deepEqual((await world.play('precious words')).outcome, { kind: 'completed', answer: 'Kept.' });
      const again = await (await world.restart()).engine.sessions.open(world.sessionId);
      assert.equal(again.messages.length, 2);
    });
  });
});

describe('A key', () => {
  const KEY = 'sk-live-0123456789abcdef';
  const body = { error: { message: `Your key ${KEY} may not do this (Authorization: Bearer ${KEY})` } };

  for (const provider of ['openai', 'anthropic', 'custom']) {
    it(`that ${provider} repeats in an error appears in no message, session, export or log`, () =>
      withWorld({ story: [{ fail: { status: 400, body } }], key: KEY, acceptedKey: KEY }, async (world) => {
        const { outcome, events } = await world.play('hello', { model: `${provider}:test-model` });
        assert.ok(outcome.kind === 'failed');
        assert.match(outcome.message, /It says: "Your key … may not/);
        const session = await world.engine.sessions.open(world.sessionId);
        const exports = [exportSession(session, 'json'), exportSession(session, 'markdown')];
        assert.match(exports.join(), /Your key … may not/);
        const seen = [JSON.stringify(events), ...exports, ...world.warnings, await textBelow(world.folder, '..')];
        assert.match(seen.join(), /run-finished/);
        assert.equal(seen.join().includes(KEY), false);
      }));
  }

  it('is not in the environment of any command', () =>
    withWorld(
      {
        key: KEY,
        acceptedKey: KEY,
        story: [{ call: [call('execute_command', { command: 'env; set' })] }, { say: 'Seen.' }],
      },
      async (world) => {
        await world.play('look');
        assert.match(told(world).join(), /PATH=/);
        assert.equal((await textBelow(world.folder, '..')).includes(KEY), false);
      },
    ));
});

/** Returns the text of all files below a folder. */
async function textBelow(...folder: string[]): Promise<string> {
  const entries = await readdir(join(...folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}
