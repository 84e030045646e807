import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRequest } from '../../../src/engine';
import { type EngineWorld, type Played, withWorld, type WorldOptions } from '../../support/engineWorld';

const SECRET = 'PASSWORD=swordfish';
const edit = (path: string, old: string) => ({
  name: 'fs_edit',
  arguments: { path, old_string: old, new_string: 'PASSWORD=x' },
});
const patch = (path: string) => ({
  name: 'fs_patch',
  arguments: { path, contents: '@@ -1,1 +1,1 @@\n-PASSWORD=sword\n+PASSWORD=x\n' },
});
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));
const refuse = () => ({ kind: 'reject', by: 'person' }) as const;

/** Makes each of these calls once; returns what was asked, and everything that the model received about them. */
async function told(
  calls: readonly ReturnType<typeof edit | typeof patch>[],
  options: WorldOptions,
  prepare: (world: EngineWorld) => Promise<unknown> = () => Promise.resolve(),
) {
  const asked: ApprovalRequest[] = [];
  const answers: { status: string; text: string }[] = [];
  const story = [...calls.map((call) => ({ call: [call] })), { say: 'Done.' }];
  const approve: WorldOptions['approve'] = (request, signal) => {
    asked.push(request);
    return options.approve?.(request, signal) ?? refuse();
  };
  await withWorld({ ...options, story, approve }, async (world) => {
    await prepare(world);
    answers.push(...results(await world.play('go')));
  });
  return { asked, answers };
}

describe('What the model learns about a file before approval', () => {
  const near = 'PASSWORD=swordfisch';

  it('is nothing for a protected file, whether its change fits or not', async () => {
    const files = { '.env': `${SECRET}\n`, 'app/.env.local': `${SECRET}\n` };
    const calls = [edit('.env', near), patch('app/.env.local'), edit('.env', SECRET)];
    const { asked, answers } = await told(calls, { files });
    assert.equal(asked.length, 3, 'each is asked for');
    assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1, 'a refusal tells nothing either');
    assert.doesNotMatch(JSON.stringify(answers), /swordfish/);
    assert.match(asked[0]?.title ?? '', /does not fit/, 'the user is told that nothing would be written');
  });

  it('is nothing where no one can be asked', async () => {
    const files = { '.env': `${SECRET}\n` };
    const approve = () => ({ kind: 'reject', by: 'nobody' }) as const;
    const { answers } = await told([edit('.env', near), edit('.env', SECRET)], { files, approve });
    assert.deepEqual(answers[0]?.text, answers[1]?.text);
    assert.match(answers[0]?.text ?? '', /\.env is protected/);
  });

  it('is the workspace file that an outside path may mean, and nothing about the outside', async () => {
    const files = { 'src/todos.ts': 'export {};\n', '.env': `${SECRET}\n` };
    const approve = () => ({ kind: 'reject', by: 'nobody' }) as const;
    const read = (path: string) => ({ name: 'fs_read', arguments: { path } });
    const edits = [edit('/src/todos.ts', 'x'), edit('/.env', 'x'), edit('/etc/passwd', 'root')];
    const story = [...[read('/src/todos.ts'), ...edits].map((call) => ({ call: [call] })), { say: 'Done.' }];
    await withWorld({ files, approve, story }, async (world) => {
      const texts = results(await world.play('go')).map(({ text }) => text);
      assert.equal(texts.length, 4);
      for (const text of texts.slice(0, 2)) assert.match(text, /Did you mean src\/todos\.ts, in the workspace\?$/);
      for (const text of texts.slice(2)) assert.doesNotMatch(text, /Did you mean/);
    });
  });

  it('is nothing for paths outside, even through a link, nor the names of neighboring files', async () => {
    const outside = async ({ folder }: EngineWorld) => {
      await mkdir(join(folder, '..', 'elsewhere'));
      await writeFile(join(folder, '..', 'elsewhere', 'notes.txt'), `${SECRET}\n`);
      await symlink(join(folder, '..', 'elsewhere'), join(folder, 'link'));
    };
    const calls = [
      edit('../elsewhere/notes.txt', near),
      edit('link/notes.txt', near),
      edit('link/note.txt', near),
      patch('../elsewhere/note.txt'),
    ];
    const { asked, answers } = await told(calls, {}, outside);
    assert.equal(asked.length, 4);
    assert.doesNotMatch(JSON.stringify(answers), /swordfish|notes\.txt.*Nearby|Nearby/);
  });

  it('is nothing in an untrusted folder', async () => {
    const scope = () => ({ trusted: false, folders: [] });
    const { asked, answers } = await told([edit('.env', near), edit('a.txt', near)], {
      files: { '.env': SECRET, 'a.txt': SECRET },
      scope,
    });
    assert.equal(asked.length, 0);
    assert.doesNotMatch(JSON.stringify(answers), /swordfish/);
    for (const { text } of answers) assert.match(text, /has not trusted this workspace/);
  });

  it('is why a change does not fit once approved, or at once where it may read the file', async () => {
    const files = { '.env': `${SECRET}\n`, 'a.txt': `${SECRET}\n` };
    const { asked, answers } = await told([edit('.env', near), edit('a.txt', near)], {
      files,
      approvalMode: 'edits-and-commands',
      approve: () => ({ kind: 'once' }),
    });
    assert.deepEqual(
      asked.map(({ title }) => title),
      ['Edit .env (does not fit the file, so nothing would be written)'],
    );
    for (const { status, text } of answers) {
      assert.equal(status, 'error');
      assert.match(text, /swordfish/);
    }
  });

  it('never includes names near a missing file outside, even if access to that file was allowed', async () => {
    const { answers } = await told([edit('../gone.txt', near)], {
      approve: () => ({ kind: 'once' }),
    });
    assert.match(answers[0]?.text ?? '', /^No file .*gone\.txt\.( To create it use fs_write\.)?$/);
  });
});
