import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRequest } from '../../../src/engine';
import { attachFile } from '../../../src/engine/tools/attachments';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { nodePaths } from '../../../src/node/nodePaths';
import { type EngineWorld, type Played, withWorld, type WorldOptions } from '../../support/engineWorld';
import type { StepCall, Story } from '../../support/modelServer/story';
import { LEAD } from '../agents/team/leadWorld';
import { calls, callsThenSays, idsIn, LEAD_AND_WORKER, says, spawn } from '../agents/team/teamStory';

const read = (path: string, more: object = {}) => ({ name: 'fs_read', arguments: { path, ...more } });
const write = (path: string, contents = 'new\n') => ({ name: 'fs_write', arguments: { path, contents } });
const edit = (path: string, old: string, now: string) => ({
  name: 'fs_edit',
  arguments: { path, old_string: old, new_string: now },
});
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));
/** Makes each call in a separate answer. */
const oneByOne = (...calls: StepCall[]): Story => [...calls.map((call) => ({ call: [call] })), { say: 'Done.' }];

/** Makes these calls in one run; returns what the user was asked and what the model received. */
async function told(
  calls: readonly StepCall[],
  options: WorldOptions,
  check: (world: EngineWorld) => Promise<unknown> = () => Promise.resolve(),
  prepare: (world: EngineWorld) => Promise<unknown> = () => Promise.resolve(),
) {
  const asked: ApprovalRequest[] = [];
  const answers: { status: string; text: string }[] = [];
  const approve: WorldOptions['approve'] = (request) => {
    asked.push(request);
    return { kind: 'once' };
  };
  await withWorld({ approvalMode: 'everything', approve, ...options, story: oneByOne(...calls) }, async (world) => {
    await prepare(world);
    answers.push(...results(await world.play('go')));
    await check(world);
  });
  return { titles: asked.map(({ title }) => title), texts: answers.map(({ text }) => text) };
}

const files = { 'a.txt': 'precious\n' };

describe('A file about to be overwritten', () => {
  it('stays unchanged until the model has read it, without a prompt or any of its content', async () => {
    const { titles, texts } = await told([write('a.txt'), read('a.txt'), write('a.txt')], { files }, async (world) =>
      assert.equal(await world.read('a.txt'), 'new\n'),
    );
    assert.equal(
      texts[0],
      'a.txt exists and you have not read it; nothing was written. Read it first with fs_read, then write it, or change a part of it with fs_edit.',
    );
    assert.equal(texts[2], 'Wrote a.txt (+1 -1).');
    assert.deepEqual(titles, ['Read a.txt', 'Write a.txt'], 'only what can be done is asked for');
  });

  it('is also protected in the mode that asks for nothing', async () => {
    const { texts } = await told([write('a.txt')], { files, approvalMode: 'nothing' }, async (world) =>
      assert.equal(await world.read('a.txt'), 'precious\n'),
    );
    assert.match(texts[0] ?? '', /you have not read it/);
  });

  it('must be read again after a command changed it', async () => {
    const calls = [
      read('a.txt'),
      { name: 'execute_command', arguments: { command: 'echo more >> a.txt' } },
      write('a.txt'),
      read('a.txt'),
      write('a.txt'),
    ];
    const { titles, texts } = await told(calls, { files });
    assert.match(texts[2] ?? '', /^a\.txt was changed since you read it; nothing was written\. Read it again/);
    assert.equal(texts[4], 'Wrote a.txt (+1 -2).');
    assert.equal(titles.filter((title) => title === 'Write a.txt').length, 1);
  });

  it('does not count as read by a read in the same answer', () =>
    withWorld(
      { files, story: [{ call: [read('a.txt'), write('a.txt')] }, { call: [write('a.txt')] }, { say: 'Done.' }] },
      async (world) => {
        const statuses = results(await world.play('go')).map(({ status }) => status);
        assert.deepEqual(statuses, ['ok', 'error', 'ok']);
      },
    ));

  it('counts as read when the model wrote it itself, even twice in one answer, and edited it since', () =>
    withWorld(
      {
        story: [
          { call: [write('new.txt', 'one\n'), write('new.txt', 'two\n')] },
          { call: [edit('new.txt', 'two', 'three')] },
          { call: [write('new.txt', 'four\n')] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const statuses = results(await world.play('go')).map(({ status }) => status);
        assert.deepEqual(statuses, ['ok', 'ok', 'ok', 'ok']);
        assert.equal(await world.read('new.txt'), 'four\n');
      },
    ));

  it('does not count as read in full after an edit of a part', async () => {
    const { texts } = await told([edit('a.txt', 'precious', 'cheap'), write('a.txt')], { files });
    assert.match(texts[1] ?? '', /you have not read it/);
  });

  it('is recognized under another name', async () => {
    const link = ({ folder }: EngineWorld) => symlink(join(folder, 'a.txt'), join(folder, 'link.txt'));
    const { texts } = await told([read('link.txt'), write('./a.txt')], { files }, undefined, link);
    assert.match(texts[1] ?? '', /^Wrote/);
  });
});

describe('A long file about to be overwritten', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
  const options = { files: { 'long.txt': lines, 'wide.txt': `short\n${'x'.repeat(5000)}\n` } };

  it('must be read to its end, in parts of any order', async () => {
    const calls = [
      read('long.txt', { offset: 11, limit: 10 }),
      read('long.txt', { limit: 10 }),
      write('long.txt'),
      read('long.txt', { offset: 20 }),
      write('long.txt'),
    ];
    const { texts } = await told(calls, options);
    assert.match(
      texts[2] ?? '',
      /not read all of long\.txt, of its 30 lines only 1-20; nothing was written\. Read the rest/,
    );
    assert.equal(texts[4], 'Wrote long.txt (+1 -30).');
  });

  it('must be read again if it changed between the parts', async () => {
    const change = { name: 'execute_command', arguments: { command: 'echo more >> long.txt' } };
    const calls = [read('long.txt', { limit: 20 }), change, read('long.txt', { offset: 21 }), write('long.txt')];
    const { texts } = await told(calls, options);
    assert.match(texts[3] ?? '', /of its 31 lines only 21-31/);
  });

  it('does not count as read where lines were cut, but does with fs_cat', async () => {
    const cat = { name: 'fs_cat', arguments: { path: 'wide.txt' } };
    const { texts } = await told([read('wide.txt'), write('wide.txt'), cat, write('wide.txt')], options);
    assert.match(texts[1] ?? '', /of its 2 lines only 1; .*fs_cat/);
    assert.match(texts[3] ?? '', /^Wrote/);
  });
});

describe('The files that a session has read', () => {
  it('are remembered after a restart, and in a branch of it', () =>
    withWorld(
      { files, story: [...oneByOne(read('a.txt')), ...oneByOne(write('a.txt', 'b\n')), ...oneByOne(write('a.txt'))] },
      async (world) => {
        await world.play('read');
        const again = await world.restart();
        assert.deepEqual(
          results(await again.play('write')).map(({ text }) => text),
          ['Wrote a.txt (+1 -1).'],
        );
        const { messages } = await again.engine.sessions.open(world.sessionId);
        const second = messages.findLast(({ role }) => role === 'user');
        await writeFile(join(world.folder, 'a.txt'), 'precious\n');
        const branch = await again.engine.sessions.branch(world.sessionId, second?.id ?? '');
        const [result] = results(await again.play('write here', { sessionId: branch.id }));
        assert.equal(result?.text, 'Wrote a.txt (+1 -1).', 'the branch read it, and never wrote it');
      },
    ));

  it('are its own: another session must read the file itself', () =>
    withWorld({ files, story: [...oneByOne(read('a.txt')), ...oneByOne(write('a.txt'))] }, async (world) => {
      await world.play('read');
      const { id } = await world.engine.sessions.create({
        ...{ workspace: world.folder, model: 'openai:test-model', approvalMode: 'nothing', name: null },
      });
      const [result] = results(await world.play('write', { sessionId: id }));
      assert.match(result?.text ?? '', /you have not read it/);
    }));

  it('survive a summary, even though it replaces what was read', () =>
    withWorld(
      { files, story: [...oneByOne(read('a.txt')), { say: 'Two.' }, { say: 'NOTES' }, ...oneByOne(write('a.txt'))] },
      async (world) => {
        await world.play('read');
        await world.play('and then?');
        await world.play(undefined, { compacts: true });
        const [result] = results(await world.play('write'));
        assert.doesNotMatch(JSON.stringify(world.server.requests.at(-2)?.messages), /precious/);
        assert.equal(result?.text, 'Wrote a.txt (+1 -1).');
      },
    ));

  it('are not shared with the agents it started, in either direction', () => {
    const worker = calls(['fs_write', write('a.txt').arguments], ['fs_edit', edit('a.txt', 'pre', 'PRE').arguments]);
    const story = [
      callsThenSays('worker', worker, 'Tried.'),
      says('lead', (request) => {
        const done = request.messages.flatMap((message) => message.results).length;
        if (done === 0) return { call: [read('a.txt')] };
        if (done === 1) return calls(spawn('worker', 'Write it.'));
        if (done === 2) return { call: [{ name: 'agent__collect', arguments: { id: idsIn(request)[0] } }] };
        return done === 3 ? { call: [write('a.txt')] } : { say: 'Done.' };
      }),
    ];
    return withWorld({ files: { ...files, ...LEAD_AND_WORKER }, story }, async (world) => {
      const all = results(await world.play('go', LEAD)).filter(({ name }) => name.startsWith('fs_'));
      const [, ofWorker, edited, ofLead] = all.map(({ text }) => text);
      assert.match(ofWorker ?? '', /exists and you have not read it/);
      assert.match(edited ?? '', /^Wrote/);
      assert.match(ofLead ?? '', /was changed since you read it/);
      assert.equal(await world.read('a.txt'), 'PREcious\n');
    });
  });

  it('include files that the user attached, in their state at that time', () =>
    withWorld(
      { files: { ...files, 'b.txt': 'b\n' }, story: oneByOne(write('a.txt'), write('b.txt')) },
      async (world) => {
        const ports = { files: nodeFileSystem(), paths: nodePaths() };
        const attach = (path: string) => attachFile(ports, world.folder, { kind: 'file', label: path, path });
        const attachments = [await attach('a.txt'), await attach('b.txt')];
        await writeFile(join(world.folder, 'b.txt'), 'changed\n');
        const texts = results(await world.play({ text: 'rewrite them', attachments })).map(({ text }) => text);
        assert.match(texts[0] ?? '', /^Wrote a\.txt/);
        assert.match(texts[1] ?? '', /^b\.txt was changed since/);
      },
    ));

  it('do not include a file outside, of which only its existence is reported', async () => {
    const outside = async ({ folder }: EngineWorld) => {
      await mkdir(join(folder, '..', 'elsewhere'));
      await writeFile(join(folder, '..', 'elsewhere', 'notes.txt'), 'swordfish\n');
    };
    const { titles, texts } = await told([write('../elsewhere/notes.txt')], {}, undefined, outside);
    assert.deepEqual(titles, []);
    assert.match(texts[0] ?? '', /notes\.txt exists and you have not read it/);
    assert.doesNotMatch(texts.join(), /swordfish/);
  });

  it('cannot include a file whose reading is denied, so it stays unchanged without a prompt', async () => {
    const rules = [{ tool: 'fs_read', argument: { kind: 'path', pattern: 'a.txt' }, action: 'deny' }];
    const denied = { ...files, '.cairn/permissions.json': JSON.stringify({ rules }) };
    const { titles, texts } = await told([write('a.txt')], { files: denied, approvalMode: 'nothing' }, async (world) =>
      assert.equal(await world.read('a.txt'), 'precious\n'),
    );
    assert.deepEqual(titles, []);
    assert.match(texts[0] ?? '', /nothing was written\. Reading it is not allowed, so nothing more can be said\./);
  });
});
