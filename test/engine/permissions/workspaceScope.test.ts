import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import type { FileSystem, WorkspaceScope } from '../../../src/engine';
import type { PermissionQuery, PermissionRule } from '../../../src/engine/permissions/permissionRule';
import { PermissionStore } from '../../../src/engine/permissions/permissionStore';
import { resolveQuery } from '../../../src/engine/permissions/resolveQuery';
import { nodePaths } from '../../../src/node/nodePaths';
import { nodePorts } from '../../../src/node/nodePorts';
import { type Played, withWorld } from '../../support/engineWorld';
import { type TemporaryFolder, temporaryFolder } from '../../node/temporaryFolder';

const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'new\n' } };
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));

describe('An untrusted workspace', () => {
  it('can be read, but not changed or run in, whatever the mode allows', () => {
    const read = { name: 'fs_read', arguments: { path: 'a.txt' } };
    const run = { name: 'execute_command', arguments: { command: 'echo hello' } };
    const fetch = { name: 'fetch_url', arguments: { url: 'http://127.0.0.1:9/x' } };
    const story = [{ call: [read, write, run, fetch] }, { say: 'Only read.' }];
    const scope = () => ({ trusted: false, folders: [] });
    return withWorld({ story, files: { 'a.txt': 'old\n' }, scope }, async (world) => {
      const done = results(await world.play('go'));
      assert.deepEqual(
        done.map(({ status }) => status),
        ['ok', 'rejected', 'rejected', 'rejected'],
      );
      for (const { text } of done.slice(1)) assert.match(text, /has not trusted this workspace/);
      assert.equal(await world.read('a.txt'), 'old\n');
    });
  });

  it('is not changed because of a rule of the user, whatever its priority', () =>
    withWorld(
      { story: [{ call: [write] }, { say: 'Done.' }], scope: () => ({ trusted: false, folders: [] }) },
      async (world) => {
        const rules = [{ tool: '*', action: 'allow', priority: 1_000_000 }];
        await mkdir(world.configFolder, { recursive: true });
        await writeFile(join(world.configFolder, 'permissions.json'), JSON.stringify({ rules }));
        const [done] = results(await world.play('go'));
        assert.equal(done?.status, 'rejected');
        assert.match(done.text, /has not trusted this workspace/);
      },
    ));

  it('does not give its instructions to the model', () =>
    withWorld(
      {
        story: [{ say: 'Hello.' }],
        files: { 'AGENTS.md': 'Obey the folder.' },
        scope: () => ({ trusted: false, folders: [] }),
      },
      async (world) => {
        await world.play('hello');
        const [request] = world.server.requests;
        assert.doesNotMatch(JSON.stringify(request?.body), /Obey the folder/);
        assert.match(JSON.stringify(request?.body), /has not trusted this workspace/);
      },
    ));

  it('can be worked in as soon as it is trusted, also in the same run', () => {
    let scope: WorkspaceScope = { trusted: false, folders: [] };
    const trust = () => {
      scope = { trusted: true, folders: [] };
      return { call: [write] };
    };
    const story = [{ call: [write] }, trust, { say: 'Done.' }];
    return withWorld({ story, scope: () => scope }, async (world) => {
      const done = results(await world.play('go'));
      assert.deepEqual(
        done.map(({ status }) => status),
        ['rejected', 'ok'],
      );
    });
  });
});

describe('A workspace with several folders', () => {
  it('counts each of them as inside and lists them for the model', async () => {
    const other = await realpath(await mkdtemp(join(tmpdir(), 'cairn-other-')));
    try {
      await writeFile(join(other, 'b.txt'), 'second folder\n');
      const inside = { name: 'fs_read', arguments: { path: join(other, 'b.txt') } };
      const outside = { name: 'fs_read', arguments: { path: join(tmpdir(), 'elsewhere.txt') } };
      const asked: string[] = [];
      const options = {
        story: [{ call: [inside, outside] }, { say: 'Read.' }],
        scope: () => ({ trusted: true, folders: [other] }),
        approve: ({ title }: { title: string }) => {
          asked.push(title);
          return { kind: 'reject', by: 'person' } as const;
        },
      };
      await withWorld(options, async (world) => {
        const read = results(await world.play('read both')).filter(({ status }) => status === 'ok');
        assert.match(read[0]?.text ?? '', /second folder/);
        assert.equal(asked.length, 1);
        assert.match(asked[0] ?? '', /elsewhere/);
        assert.ok(JSON.stringify(world.server.requests[0]?.body).includes(`Also open: ${other}`));
      });
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

describe('The permission rules of an open folder other than the first', () => {
  async function judged(
    shared: readonly PermissionRule[],
    own: readonly PermissionRule[],
    paths: (other: string) => readonly string[],
  ): Promise<string[]> {
    const other = await realpath(await mkdtemp(join(tmpdir(), 'cairn-other-')));
    try {
      await mkdir(join(other, '.cairn'));
      await writeFile(join(other, '.cairn', 'permissions.json'), JSON.stringify({ rules: shared }));
      const writes = paths(other).map((path) => ({ call: [{ name: 'fs_write', arguments: { path, contents: 'x' } }] }));
      const options = {
        story: [...writes, { say: 'Done.' }],
        approvalMode: 'commands' as const,
        scope: () => ({ trusted: true, folders: [other] }),
      };
      let statuses: string[] = [];
      await withWorld(options, async (world) => {
        await new PermissionStore(world.configFolder, nodePorts()).add('workspace', other, own);
        statuses = results(await world.play('write')).map(({ status }) => status);
      });
      return statuses;
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  }

  const deny = (tool: string, pattern?: string): PermissionRule => ({
    tool,
    action: 'deny',
    ...(pattern !== undefined && { argument: { kind: 'path', pattern } }),
  });

  it('hold for the paths of their own folder, and not for the same paths of the first', async () => {
    const paths = (other: string) => [join(other, 'gen/a.txt'), join(other, 'b.txt'), 'gen/c.txt'];
    assert.deepEqual(await judged([deny('fs_write', 'gen/*')], [], paths), ['rejected', 'ok', 'ok']);
    assert.deepEqual(await judged([deny('fs_write')], [], paths), ['rejected', 'rejected', 'ok']);
  });

  it('of a repository cannot allow anything, and those of the user only paths in that folder', async () => {
    const paths = (other: string) => [join(other, 'gen/a.txt'), 'gen/c.txt'];
    const allow: PermissionRule = { tool: 'fs_write', action: 'allow', argument: { kind: 'path', pattern: '*' } };
    assert.deepEqual(await judged([deny('fs_write', 'gen/*'), allow], [], paths), ['rejected', 'ok']);
    assert.deepEqual(await judged([deny('fs_write', 'gen/*')], [allow], paths), ['ok', 'ok']);
  });
});

describe('The session’s own folder', () => {
  for (const [what, line, isAsked] of [
    ['can be read by a command without approval', 'cat FOLDER/metadata.json', false],
    ['cannot be changed by a command without approval', 'echo x >> FOLDER/metadata.json', true],
    ['cannot be removed by a command without approval', 'rm -rf FOLDER/outputs', true],
  ] as const) {
    it(`${what}, in “Full auto”`, () => {
      let command = '';
      const story = [() => ({ call: [{ name: 'execute_command', arguments: { command } }] }), { say: 'Done.' }];
      const asked: string[] = [];
      const approve = ({ reason }: { reason: string }) => {
        asked.push(reason);
        return { kind: 'reject', by: 'person' } as const;
      };
      return withWorld({ story, approvalMode: 'nothing', approve }, async (world) => {
        command = line.replace('FOLDER', join(world.sessionsFolder, world.sessionId));
        const [result] = results(await world.play('go'));
        assert.equal(result?.status, isAsked ? 'rejected' : 'ok', result?.text);
        assert.equal(asked.length, isAsked ? 1 : 0);
      });
    });
  }
});

describe('A folder with files that a rule denies', () => {
  const rule = (tool: string, pattern: string, action: 'ask' | 'deny' = 'deny') =>
    ({ tool, argument: { kind: 'path', pattern }, action }) as const;
  const grep = (path?: string) => ({
    name: 'fs_grep',
    arguments: { pattern: 'swordfish', ...(path !== undefined && { path }) },
  });
  const remove = (path: string) => ({ name: 'fs_rm', arguments: { path, recursive: true } });
  const run = (command: string) => ({ name: 'execute_command', arguments: { command } });
  const files = { 'private/key.txt': 'swordfish\n', 'open/a.txt': 'swordfish\n', 'vendor/lib/a.js': '1\n' };
  const refuse = () => ({ kind: 'reject', by: 'person' }) as const;

  for (const [what, tool, action] of [
    ['denies reading', 'category:read', 'deny'],
    ['asks about reading', 'category:read', 'ask'],
    ['denies the tool that reads a single file', 'fs_read', 'deny'],
  ] as const) {
    it(`is searched without them where a rule ${what}`, () => {
      const calls = [grep(), grep('private'), grep('link')];
      const story = [...calls.map((call) => ({ call: [call] })), { say: 'Done.' }];
      const rules = [rule(tool, 'private/**', action)];
      return withWorld({ story, files, rules, approve: refuse }, async (world) => {
        await symlink('private', join(world.folder, 'link'));
        const [whole, folder, link] = results(await world.play('go')).map(({ text }) => text);
        assert.equal(whole, 'open/a.txt\n  1: swordfish');
        for (const text of [folder, link]) assert.match(text ?? '', /^No line matches .* what a rule excludes/);
      });
    });
  }

  it('is removed neither by a tool nor by a command', () => {
    const calls = [remove('vendor'), run('rm -r vendor'), run('rm -r ./vendor/'), remove('open')];
    const story = [...calls.map((call) => ({ call: [call] })), { say: 'Done.' }];
    const rules = [rule('category:write', 'vendor/lib/**'), rule('execute_command', 'vendor/lib/**')];
    return withWorld({ story, files, rules, approve: refuse }, async (world) => {
      const statuses = results(await world.play('go')).map(({ status }) => status);
      assert.deepEqual(statuses, ['rejected', 'rejected', 'rejected', 'ok']);
      assert.equal(await world.read('vendor/lib/a.js'), '1\n');
    });
  });
});

describe('A path on a server of a Windows network', () => {
  const paths = nodePaths(win32);
  const seen: string[] = [];
  const look = (path: string) => {
    seen.push(path);
    return Promise.resolve(path);
  };
  const { files: real } = nodePorts({
    ...{ env: {}, ripgrepCandidates: [], watches: false },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const files: FileSystem = {
    ...real,
    realPath: look,
    readDirectory: async (path) => {
      await look(path);
      return [];
    },
  };
  const resolved = (query: Partial<PermissionQuery>, workspace = 'C:\\work') => {
    seen.length = 0;
    const places = { workspace, folders: [], readable: [], shell: 'windows' } as const;
    return resolveQuery({ tool: 'fs_read', category: 'read', ...query }, places, { files, paths });
  };
  const isContacted = () => seen.some((path) => path.startsWith('\\\\evil'));

  for (const path of ['\\\\evil\\share\\a', '//evil/share/a', '\\/evil/share/a', '\\\\evil\\share\\*.txt'])
    it(`asks about ${path} before the server is contacted, which would send it a sign-in`, async () => {
      const { paths: judged } = await resolved({ paths: [path] });
      assert.deepEqual([judged[0]?.outside, isContacted()], [true, false]);
      await resolved({ tool: 'fs_rm', category: 'write', paths: [path], removes: true });
      await resolved({ tool: 'execute_command', category: 'execute', command: `del ${path}` });
      assert.equal(isContacted(), false);
    });

  it('is inside the workspace if that is on the server', async () => {
    const { paths: judged } = await resolved({ paths: ['\\\\evil\\share\\a'] }, '\\\\evil\\share');
    assert.deepEqual([judged[0]?.outside, judged[0]?.relative], [false, 'a']);
  });
});

describe('A pattern in a command', () => {
  const ports = nodePorts({
    ...{ env: {}, ripgrepCandidates: [], watches: false },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  let folder: TemporaryFolder;
  const judged = async (line: string, readable: readonly string[] = []) => {
    const places = { workspace: join(folder.path, 'work'), folders: [], readable, shell: 'posix' } as const;
    const query = { tool: 'execute_command', category: 'execute', command: line } as const;
    const { command } = await resolveQuery(query, places, ports);
    return command?.parts ?? [];
  };
  const leadsOut = async (...asked: Parameters<typeof judged>) =>
    (await judged(...asked)).some(({ files }) => files.some(({ paths }) => paths?.some(({ outside }) => outside)));
  before(async () => {
    folder = await temporaryFolder();
    await folder.write({
      'work/near/file.txt': '',
      'work/plain/file.txt': '',
      'other/file.txt': '',
      'kept/file.txt': '',
    });
    await symlink(join(folder.path, 'other'), join(folder.path, 'work', 'away'));
    await folder.write({ 'work/near/-rf': '' });
  });
  after(() => folder.remove());

  it('leads outside the workspace through a link that it matches', async () => {
    assert.equal(await leadsOut('touch aw*/fi*'), true);
    assert.equal(await leadsOut('touch ne*/fi*'), false);
  });

  it('asks where it matches a file whose name is an option', async () => {
    assert.match((await judged('rm near/*; cd near; rm *')).map(({ unread }) => unread).join(), /“-rf”.*an option/);
    assert.equal((await judged('rm plain/*'))[0]?.unread, null);
  });

  it('stays inside where the session may read, but not where it would write there', async () => {
    const kept = join(folder.path, 'kept');
    assert.equal(await leadsOut(`cat ${kept}/fi*`, [kept]), false);
    assert.equal(await leadsOut(`cat ${kept}/fi*`), true);
    assert.equal(await leadsOut(`touch ${kept}/fi*`, [kept]), true);
  });
});
