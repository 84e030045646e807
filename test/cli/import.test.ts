import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../editor/until';
import { homeWith, stateOf, textBelow } from './importedFolders';
import { inShell } from './inShell';

const KEYS = ['sk-live-4f7Qm2Zx9LpR8tVb1NcD', 'gsk_Hn27dKq0sVbT5xYpLw3R', 'ghp_0123456789abcdefghijABCDEFGHIJ012345'];
const PASSPHRASE = { CAIRN_VAULT_PASSPHRASE: 'correct horse battery staple' };

describe('cairn import', function () {
  this.timeout(60_000);

  it('lists what it found and where, and copies nothing unless asked', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'coyote');
      const listed = await shell.cairn(['import']);
      assert.equal(listed.status, 0);
      assert.match(listed.err, /^cairn: run cairn import --from TOOL to copy it; .*\n$/m);
      assert.doesNotMatch(listed.err, /no other tool/);
      assert.ok(listed.out.startsWith(`coyote\t${place}\t1 file of settings, 2 agents, 2 roles, 1 skill, 1 macro`));
      const dry = await shell.cairn(['import', '--from', 'coyote', '--dry-run']);
      assert.match(dry.out, /role poet: would be copied to .*\/config\/roles\/poet\.md/);
      await assert.rejects(readdir(join(shell.folder, 'config')), { code: 'ENOENT' });
    }));

  it('says so when there is nothing to import', () =>
    inShell([], async ({ cairn }) => {
      assert.deepEqual(await cairn(['import']), {
        ...{ status: 0, out: '' },
        err: 'cairn: no other tool was found here. Use --from FOLDER to look somewhere else.\n',
      });
    }));

  it('lists in advance that only the settings of one tool take effect', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'coyote');
      await homeWith(shell, 'opencode', '.');
      const both = ['--from', 'coyote', '--from', 'opencode'];
      const { out } = await shell.cairn(['import', ...both, '--only', 'settings', '--dry-run']);
      assert.match(out, /would be copied to \S+\/config\.yaml\b/);
      assert.match(out, /would be copied to \S+\/config\.opencode\.yaml\b/);
      assert.equal(out.split('has no effect').length, 2, out);
    }));

  it('converts Coyote content to work here and leaves the original unchanged', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'coyote');
      const before = await stateOf(place);
      const { out } = await shell.cairn(['import', '--from', 'coyote']);
      assert.deepEqual(await stateOf(place), before);
      assert.match(out, /coder already exists, so it was renamed to coder-coyote/);
      assert.match(out, /“use_tools” is called “enabled_tools” here/);
      assert.match(out, /Line 4: “save_session” was left out/);
      const list = async (what: string) => (await shell.cairn(['--list', what])).out;
      assert.match(await list('agents'), /^planner\b.*Plans work/m);
      assert.match(await list('agents'), /^coder-coyote\b/m);
      assert.match(await list('roles'), /^poet\b/m);
      assert.match(await list('skills'), /^tidy-notes\b/m);
      assert.equal((await shell.cairn(['--validate', join(shell.folder, 'config')])).status, 0);
      const { mode } = await stat(join(shell.folder, 'config', 'functions', 'tools', 'greet.sh'));
      assert.equal(mode & 0o100, 0o100);
    }));

  it('imports session history without keys, and reports what is broken with its line', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'coyote');
      const { out, status } = await shell.cairn(['import', '--from', 'coyote', '--only', 'sessions']);
      assert.equal(status, 1);
      assert.match(out, /session torn: not copied\n.*torn\.yaml:2:1/);
      assert.match(out, /harbour\.yaml:33: this is not a message/);
      const listed = (await shell.cairn(['--list', 'sessions'])).out;
      assert.match(listed, /harbour \(from Coyote\)/);
      assert.match(listed, /planner.*garden|garden \(from Coyote\)/);
      const kept = await textBelow(join(shell.folder, 'config', 'sessions'));
      assert.match(kept, /Twelve metres at low tide[^]*search_wikipedia[^]*Built in 1822/);
      for (const key of KEYS) assert.ok(!kept.includes(key), key);
    }));

  it('copies nothing twice, and renames what already exists here', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'coyote');
      const config = join(shell.folder, 'config');
      await mkdir(join(config, 'roles'), { recursive: true });
      await writeFile(join(config, 'roles', 'poet.md'), 'Mine.');
      await writeFile(join(config, 'config.yaml'), 'model: openai:mine\n');
      await writeFile(join(config, 'mcp.json'), '{"mcpServers":{"github":{"command":"mine"}}}');
      const first = await shell.cairn(['import', '--from', 'coyote']);
      assert.match(first.out, /poet already exists, so it was renamed to poet-coyote/);
      assert.match(first.out, /A server named github already exists, so it was renamed to github-coyote/);
      assert.match(first.out, /config\.coyote\.yaml has no effect/);
      assert.equal(await readFile(join(config, 'roles', 'poet.md'), 'utf8'), 'Mine.');
      assert.equal(await readFile(join(config, 'config.yaml'), 'utf8'), 'model: openai:mine\n');
      const after = await stateOf(config);
      const second = await shell.cairn(['import', '--from', 'coyote']);
      assert.match(second.out, /: 0 copied, \d+ already imported/);
      assert.deepEqual(await stateOf(config), after);
    }));

  it('writes no secret to a file, and stores it in the vault on request', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'coyote');
      const plain = await shell.cairn(['import', '--from', 'coyote']);
      assert.match(plain.out, /secret OPENAI_API_KEY was left out\. Store it with: cairn vault add OPENAI_API_KEY/);
      const config = join(shell.folder, 'config');
      const kept = `${await textBelow(config)}${plain.out}`;
      for (const key of [...KEYS, 'tvly-9a8b7c6d5e4f3a2b1c0d']) assert.ok(!kept.includes(key), key);
      assert.match(kept, /"Authorization": "Bearer \{\{GITHUB_AUTHORIZATION\}\}"/);
      const again = await shell.cairn(['import', '--from', 'coyote', '--secrets'], { env: PASSPHRASE });
      assert.match(again.out, /Its secret is in the vault as OPENAI_API_KEY/);
      const vault = await shell.cairn(['vault', 'list'], { env: PASSPHRASE });
      for (const name of ['OPENAI_API_KEY', 'GITHUB_AUTHORIZATION', 'TAVILY_API_KEY'])
        assert.match(vault.out, new RegExp(name));
      assert.equal((await shell.cairn(['vault', 'get', 'OPENAI_API_KEY'], { env: PASSPHRASE })).out, KEYS[0]);
    }));

  it('follows no link out of the folder, opens no pipe, and survives malicious input', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'coyote');
      await symlink('/etc', join(place, 'skills', 'host'));
      await symlink('/etc/passwd', join(place, 'roles', 'users.md'));
      await mkdir(join(place, 'skills', 'trap'));
      execFileSync('mkfifo', [join(place, 'skills', 'trap', 'SKILL.md')]);
      await writeFile(join(place, 'sessions', 'huge.yaml'), '');
      await truncate(join(place, 'sessions', 'huge.yaml'), 1024 ** 3);
      const levels = 'abcdefghi'.split('');
      const bomb = levels.map(
        (name, at) => `${name}: &${name} [${`*${levels[at - 1] ?? ''},`.repeat(at === 0 ? 0 : 9)}1]`,
      );
      await writeFile(join(place, 'sessions', 'bomb.yaml'), `${bomb.join('\n')}\nmessages: *i\n`);
      await writeFile(join(place, 'sessions', 'deep.yaml'), `messages: ${'['.repeat(20_000)}`);
      await writeFile(join(place, 'functions', 'mcp.json'), `{"mcpServers":${'{"a":'.repeat(5000)}`);
      await writeFile(join(place, 'macros', '..\\..\\x.yaml'), 'steps: []\n');
      await writeFile(join(place, 'roles', 'con.md'), 'A device on Windows.');
      const { out, status } = await shell.cairn(['import', '--from', 'coyote']);
      assert.equal(status, 1);
      assert.match(out, /session huge: not copied\n.*larger than Cairn imports/);
      assert.match(out, /session bomb: not copied/);
      assert.match(out, /session deep: not copied/);
      assert.match(out, /mcp\.json is nested too deeply/);
      assert.match(out, /users\.md is a link and is not followed/);
      assert.match(out, /macro \.\.\\\.\.\\x: copied to \S*\/config\/macros\/x\.yaml/);
      const kept = await textBelow(join(shell.folder, 'config'));
      assert.equal(kept.split('root:x:').length, 1);
      assert.match(await readFile(join(shell.folder, 'config', 'roles', 'con-.md'), 'utf8'), /A device/);
    }));

  it('leaves configuration from a named folder inactive', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'coyote', 'found');
      await writeFile(join(place, 'config.yaml'), 'clients:\n- type: openai\n  api_base: https://evil.example/v1\n');
      const { out } = await shell.cairn(['import', '--from', 'coyote:found']);
      const config = join(shell.folder, 'config');
      await assert.rejects(stat(join(config, 'config.yaml')), { code: 'ENOENT' });
      assert.match(await readFile(join(config, 'config.coyote.yaml'), 'utf8'), /evil\.example/);
      assert.match(out, /config\.coyote\.yaml has no effect/);
      assert.match(out, /tool script greet: copied .*\n.*Read it before an agent runs it/);
      assert.equal((await readFile(join(config, 'mcp.json'), 'utf8')).split('"disabled": true').length, 3);
    }));

  it('stops when interrupted and continues with the rest the next time', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'coyote');
      const text = await readFile(join(place, 'agents', 'planner', 'sessions', 'garden.yaml'), 'utf8');
      for (let at = 0; at < 150; at++) await writeFile(join(place, 'sessions', `s${at}.yaml`), `${text}# ${at}\n`);
      const sessions = join(shell.folder, 'config', 'sessions');
      const only = ['import', '--from', 'coyote', '--only', 'session'];
      const started = shell.terminal(only);
      await until('a session to be copied', async () => (await readdir(sessions).catch(() => [])).length > 3);
      started.type('\u0003');
      assert.equal(await started.ended, 130);
      const before = (await readdir(sessions)).length;
      assert.ok(before < 150, String(before));
      const { out } = await shell.cairn(only);
      const [, copied, already] = /: (\d+) copied, (\d+) already imported/.exec(out) ?? [];
      assert.equal(Number(copied) + Number(already), 153);
      assert.ok(Number(already) >= before - 1, out.split('\n')[0]);
      assert.ok((await readdir(sessions)).every((name) => !name.startsWith('.')));
    }));

  it('rejects an unknown tool, a missing folder, an unknown word and a corrupt ledger', () =>
    inShell([], async (shell) => {
      const said = async (args: string[]) => {
        const { err, status } = await shell.cairn(['import', ...args]);
        assert.equal(status, 2, err);
        return err;
      };
      assert.match(
        await said(['--from', 'aichat']),
        /AIChat was not found here; its folder would be \S+\/\.config\/aichat/,
      );
      assert.match(await said(['--from', 'coyot']), /Did you mean coyote\?/);
      await mkdir(join(shell.folder, 'empty'));
      await mkdir(join(shell.folder, 'config', 'roles'), { recursive: true });
      assert.match(await said(['--from', 'config']), /is Cairn’s own folder/);
      assert.match(await said(['--from', 'empty']), /does not look like a tool that Cairn imports from/);
      assert.match(await said(['coyote']), /Write --from coyote/);
      assert.match(await said(['--only', 'poems']), /--only takes settings, agent/);
      await homeWith(shell, 'coyote');
      await writeFile(join(shell.folder, 'config', 'imports.json'), '{"version":');
      const { err } = await shell.cairn(['import', '--from', 'coyote']);
      assert.match(err, /imports\.json cannot be read, so earlier imports are unknown/);
    }));
});
