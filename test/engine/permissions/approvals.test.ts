import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRequest, EditWatcher, FileSystem } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import { neverAnswered } from '../../support/neverAnswered';

const write = (path: string, contents: string) => ({ name: 'fs_write', arguments: { path, contents } });

/**
 * Puts a link to a folder outside in the place of a workspace folder before the `at`th use of the disk in a change, and fails if
 * the change ends up there. Returns false if there were fewer uses.
 */
async function replacedAt(at: number, contents: string | null): Promise<boolean> {
  const swap = { use: () => undefined as void };
  const edit = { path: 'sub/a.txt', old_string: 'one', new_string: 'two' };
  const change = contents === null ? write('sub/a.txt', 'two\n') : { name: 'fs_edit', arguments: edit };
  let [used, isReplaced, isChanging] = [0, false, false];
  const disk = (files: FileSystem): FileSystem => {
    const use = () => {
      if (isChanging && ++used === at) swap.use();
    };
    return {
      ...files,
      readFile: (path) => (use(), files.readFile(path)),
      realPath: (path) => (use(), files.realPath(path)),
      writeFile: (path, bytes, real) => (use(), files.writeFile(path, bytes, real)),
    };
  };
  const edits: EditWatcher = { around: (_edit, work) => ((isChanging = true), work()) };
  const story = [{ call: [change] }, { say: 'Done.' }];
  await withWorld({ approvalMode: 'nothing', story, disk, edits, files: { 'sub/.keep': '' } }, async (world) => {
    const outside = join(world.sessionsFolder, '..', 'outside');
    await mkdir(outside);
    for (const folder of [outside, join(world.folder, 'sub')])
      if (contents !== null) await writeFile(join(folder, 'a.txt'), contents);
    swap.use = () => {
      renameSync(join(world.folder, 'sub'), join(world.folder, 'moved'));
      symlinkSync(outside, join(world.folder, 'sub'));
      isReplaced = true;
    };
    await world.play('change it');
    const there = await readFile(join(outside, 'a.txt'), 'utf8').catch(() => null);
    assert.equal(there, contents, `replaced before use ${at} of the disk`);
    if (!isReplaced) assert.equal(await world.read('sub/a.txt'), 'two\n');
  });
  return isReplaced;
}

describe('An approval', () => {
  it('shows the change before it is made, and applies it when accepted', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'one\ntwo\n' },
        approve: ({ diff }) => {
          assert.deepEqual(diff && [diff.path, diff.added, diff.removed], ['a.txt', 1, 1]);
          return { kind: 'once' };
        },
        story: [
          { call: [{ name: 'fs_edit', arguments: { path: 'a.txt', old_string: 'two', new_string: 'three' } }] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        assert.equal((await world.play('edit')).outcome.kind, 'completed');
        assert.equal(await world.read('a.txt'), 'one\nthree\n');
      },
    ));

  it('passes the reason for a rejection to the model, changes nothing, and ends as rejected', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'person', reason: 'use the other folder' }),
        story: [{ call: [write('new.txt', 'x')] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const { outcome } = await world.play('write');
        assert.ok(outcome.kind === 'rejected');
        assert.match(outcome.answer, /The user refused this and said: use the other folder/);
        await assert.rejects(world.read('new.txt'));
      },
    ));

  it('shows a command without its trailing line breaks', () => {
    const asked: (string | null)[] = [];
    const command = 'cat <<EOF > a.txt\nwords\nEOF\n\n';
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (request) => {
          asked.push(request.command);
          return { kind: 'once' };
        },
        story: [{ call: [{ name: 'execute_command', arguments: { command } }] }, { say: 'Done.' }],
      },
      async (world) => {
        await world.play('write');
        assert.deepEqual(asked, [command.trimEnd()]);
        assert.equal(await world.read('a.txt'), 'words\n');
      },
    );
  });

  it('is requested in “Full auto” when a command removes something protected or outside, even through a link', () => {
    const asked: string[] = [];
    const remove = (command: string) => ({ name: 'execute_command', arguments: { command } });
    return withWorld(
      {
        approvalMode: 'nothing',
        files: { '.env': 'KEY=1\n', 'build/a.txt': '1' },
        approve: ({ title }) => {
          asked.push(title);
          return { kind: 'reject', by: 'person' };
        },
        story: [{ call: ['build', 'link/sessions', '.env'].map((what) => remove(`rm -rf ${what}`)) }, { say: 'Done.' }],
      },
      async (world) => {
        await symlink(join(world.folder, '..'), join(world.folder, 'link'));
        await world.play('clean up');
        assert.deepEqual(asked, ['Run rm -rf link/sessions', 'Run rm -rf .env']);
        await assert.rejects(world.read('build/a.txt'));
        assert.equal(await world.read('.env'), 'KEY=1\n');
      },
    );
  });

  it('given as “always” is not requested again, in this session or after a restart', () => {
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: ({ title, offers }) => {
          asked.push(title);
          const [offer] = offers;
          return offer ? { kind: 'always', offer } : { kind: 'reject', by: 'person' };
        },
        story: [
          { call: [write('a.txt', '1')] },
          { call: [write('a.txt', '2')] },
          { say: 'Done.' },
          { call: [write('a.txt', '3')] },
          { say: 'Done again.' },
        ],
      },
      async (world) => {
        await world.play('write twice');
        const again = await world.restart();
        await again.play('and once more');
        assert.equal(asked.length, 1);
        assert.equal(await world.read('a.txt'), '3');
      },
    );
  });

  it('writes the user’s version of the proposal and tells the model', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'once', contents: 'better words\n' }),
        story: [{ call: [write('a.txt', 'words\n')] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const { outcome } = await world.play('write');
        assert.equal(await world.read('a.txt'), 'better words\n');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /better words/);
      },
    ));

  it('refuses to overwrite a file that changed in the meantime', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'one\n' },
        approve: async ({ change }) => {
          await writeFile(change?.path ?? '', 'someone else was here\n');
          return { kind: 'once' };
        },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
          { call: [write('a.txt', 'two\n')] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const { outcome } = await world.play('write');
        assert.equal(await world.read('a.txt'), 'someone else was here\n');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /changed/);
      },
    ));

  it('is emitted as an event together with its answer', () =>
    withWorld(
      { approvalMode: 'edits-and-commands', story: [{ call: [write('a.txt', 'x')] }, { say: 'Done.' }] },
      async (world) => {
        const { events } = await world.play('write');
        const request = events.find((event) => event.type === 'approval-requested');
        const answered = events.find((event) => event.type === 'approval-answered');
        assert.ok(request && answered);
        assert.equal(answered.requestId, request.request.id);
        assert.deepEqual(answered.answer, { kind: 'once' });
      },
    ));

  it('that no one is available to give is reported to the model with instructions', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'nobody' }),
        story: [{ call: [write('a.txt', 'x')] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const { outcome } = await world.play('write');
        assert.ok('answer' in outcome);
        assert.match(
          outcome.answer,
          /Not done: .+ Nobody is available to answer\. Continue without it and say what was/,
        );
        await assert.rejects(world.read('a.txt'));
      },
    ));

  it('overwrites the file when its text is based on the current contents', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'one\n' },
        approve: async ({ change }) => {
          await writeFile(change?.path ?? '', 'someone else was here\n');
          return { kind: 'once', contents: 'both\n', basedOn: 'someone else was here\n' };
        },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
          { call: [write('a.txt', 'two\n')] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('write');
        assert.equal(await world.read('a.txt'), 'both\n');
      },
    ));

  it('is withdrawn when the run is cancelled', () => {
    let asked: (request: ApprovalRequest) => void;
    const waiting = new Promise<ApprovalRequest>((resolve) => (asked = resolve));
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (request, signal) => {
          asked(request);
          return neverAnswered(signal);
        },
        story: [{ call: [write('a.txt', 'x')] }],
      },
      async (world) => {
        const handle = world.run('write');
        await waiting;
        assert.equal(handle.state, 'waiting-for-approval');
        handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        await assert.rejects(world.read('a.txt'));
      },
    );
  });

  it('is requested before writing to the session folder, although reading it needs none', () => {
    const asked: string[] = [];
    const metadata = { path: '' };
    return withWorld(
      {
        approvalMode: 'nothing',
        approve: ({ title }) => {
          asked.push(title);
          return { kind: 'reject', by: 'person' };
        },
        story: [
          () => ({ call: [{ name: 'fs_read', arguments: metadata }] }),
          () => ({
            call: [{ name: 'fs_edit', arguments: { ...metadata, old_string: '"version": 1', new_string: '{}' } }],
          }),
          { say: 'Done.' },
        ],
      },
      async (world) => {
        metadata.path = join(world.sessionsFolder, world.sessionId, 'metadata.json');
        const { events } = await world.play('look');
        const results = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.status] : []));
        assert.deepEqual(results, ['ok', 'rejected']);
        assert.equal(asked.length, 1);
      },
    );
  });

  for (const [what, contents] of [
    ['created', null],
    ['changed', 'one\n'],
  ] as const)
    it(`does not cover what a link leads to when it replaces a folder while a file is ${what}`, async () => {
      let isReplaced = true;
      // Before each use of the disk in turn.
      for (let at = 1; isReplaced; at++) isReplaced = await replacedAt(at, contents);
    });

  it('is requested when a link leads out of the workspace', () =>
    withWorld(
      {
        approve: () => ({ kind: 'reject', by: 'person' }),
        story: [{ call: [{ name: 'fs_read', arguments: { path: 'link/secret.txt' } }] }, { say: 'Not read.' }],
      },
      async (world) => {
        const outside = join(world.sessionsFolder, '..', 'outside');
        await mkdir(outside);
        await writeFile(join(outside, 'secret.txt'), 'secret');
        await symlink(outside, join(world.folder, 'link'));
        const { events, outcome } = await world.play('peek');
        const request = events.find((event) => event.type === 'approval-requested');
        assert.match(request?.request.reason ?? '', /outside the workspace/);
        assert.equal(outcome.kind, 'rejected');
      },
    ));
});
