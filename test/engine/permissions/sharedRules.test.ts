import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PermissionStore } from '../../../src/engine/permissions/permissionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';
import { withWorld } from '../../support/engineWorld';
import { withProcesses } from '../../support/otherProcess/otherProcess';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

describe('Rules that several windows store in one file', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('are all preserved', () =>
    withProcesses(2, async (others) => {
      const config = join(folder.path, 'config');
      const tools = others.map((_, at) => Array.from({ length: 15 }, (_, index) => `tool_${at}_${index}`));
      const theirs = others.map((one, at) =>
        one.ask({ do: 'deny', config, workspace: folder.path, tools: tools[at] ?? [] }),
      );
      const own = new PermissionStore(config, ports);
      const mine = Array.from({ length: 15 }, (_, index) => `own_${index}`);
      await Promise.all(
        mine.map((tool, index) =>
          own.add(index % 2 === 0 ? 'user' : 'workspace', folder.path, [{ tool, action: 'allow' }]),
        ),
      );
      assert.deepEqual(await Promise.all(theirs), ['added', 'added']);
      const { user, workspace } = await own.rulesFor(folder.path);
      assert.deepEqual([...user, ...workspace].map(({ tool }) => tool).sort(), [...tools.flat(), ...mine].sort());
      assert.deepEqual(await readdir(config), ['permissions.json']);
    }));

  it('are kept in the order they were added, so that the last answer wins', async () => {
    const store = new PermissionStore(join(folder.path, 'config'), ports);
    const actions = ['deny', 'allow', 'ask'] as const;
    for (const scope of ['user', 'workspace'] as const)
      for (const action of actions) await store.add(scope, folder.path, [{ tool: 'execute_command', action }]);
    const { user, workspace } = await store.rulesFor(folder.path);
    for (const rules of [user, workspace])
      assert.deepEqual(
        rules.map(({ action }) => action),
        actions,
      );
  });

  it('of the user take precedence over those of the repository', async () => {
    await mkdir(join(folder.path, '.cairn'));
    const rule = (action: string) => ({ rules: [{ tool: 'execute_command', action }] });
    await writeFile(join(folder.path, '.cairn', 'permissions.json'), JSON.stringify(rule('deny')));
    const store = new PermissionStore(join(folder.path, 'config'), ports);
    await store.add('workspace', folder.path, [{ tool: 'execute_command', action: 'allow' }]);
    const { workspace } = await store.rulesFor(folder.path);
    // The last rule that matches wins.
    assert.deepEqual(
      workspace.map(({ action }) => action),
      ['deny', 'allow'],
    );
  });
});

describe('The rules file', () => {
  it('is created with its folder when first opened, and is not touched afterwards', async () => {
    const folder = await temporaryFolder();
    try {
      const config = join(folder.path, 'new', 'config');
      const store = new PermissionStore(config, ports);
      const path = join(config, 'permissions.json');
      assert.equal(await store.ensureFile(), path);
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { rules: [], workspaces: {} });
      await store.add('user', folder.path, [{ tool: 'fs_read', action: 'ask' }]);
      assert.equal(await store.ensureFile(), path);
      assert.match(await readFile(path, 'utf8'), /fs_read/);
    } finally {
      await folder.remove();
    }
  });
});

describe('Replaced rules', () => {
  it('take effect even when the file’s size and time are unchanged', async () => {
    const folder = await temporaryFolder();
    try {
      const store = new PermissionStore(join(folder.path, 'config'), ports);
      const then = new Date('2026-01-01');
      const putOnly = async (tool: string) => {
        await store.edit('user', folder.path, () => []);
        await store.add('user', folder.path, [{ tool, action: 'ask' }]);
        await utimes(store.path, then, then);
        return (await store.rulesFor(folder.path)).user.map((rule) => rule.tool);
      };
      assert.deepEqual(await putOnly('fs_read'), ['fs_read']);
      assert.deepEqual(await putOnly('fs_edit'), ['fs_edit']);
    } finally {
      await folder.remove();
    }
  });
});

describe('The audit log after a truncated line', () => {
  it('writes the next line intact', () => {
    const call = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'x' } };
    return withWorld({ story: [{ call: [call] }, { say: 'Done.' }] }, async (world) => {
      await mkdir(world.configFolder, { recursive: true });
      const path = join(world.configFolder, 'audit.jsonl');
      await appendFile(path, '{"time":"20');
      await world.play('write');
      const [, line = ''] = (await readFile(path, 'utf8')).split('\n');
      assert.match(line, /"tool":"fs_write"/);
      JSON.parse(line);
    });
  });
});
