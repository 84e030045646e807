import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homeWith, stateOf, textBelow } from './importedFolders';
import { inShell } from './inShell';

const PROJECT = ['.claude', 'projects', '-work-island'];
const SESSION = '2b7c4f2e-6a31-4c0e-9b6b-0d5c5f1e8a11.jsonl';

describe('cairn import --from claude', function () {
  this.timeout(60_000);

  it('imports rules that ask or deny, reports those that allow, and leaves the original unchanged', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'claude', '.');
      const before = await stateOf(join(place, '.claude'));
      const { out, status } = await shell.cairn(['import', '--from', 'claude']);
      assert.equal(status, 0, out);
      assert.deepEqual(await stateOf(join(place, '.claude')), before);
      assert.match(out, /permission rule allow Bash\(npm run test:\*\): skipped\n.*Rules that allow are not imported/);
      assert.match(out, /permission rule deny Unknown\(thing\): skipped/);
      const { rules } = JSON.parse(await readFile(join(shell.folder, 'config', 'permissions.json'), 'utf8')) as {
        rules: { tool: string; action: string; argument: unknown }[];
      };
      assert.deepEqual(
        rules.map(({ tool, action, argument }) => [tool, action, argument]),
        [
          ['category:execute', 'ask', { kind: 'command', words: ['git', 'push'] }],
          ['category:read', 'deny', { kind: 'path', pattern: 'secrets/**' }],
          ['category:network', 'deny', { kind: 'host', pattern: 'example.com' }],
        ],
      );
      const again = await shell.cairn(['import', '--from', 'claude']);
      assert.match(again.out, /: 0 copied, 8 already imported/);
    }));

  it('builds one conversation from the lines of a session, with its folder and without hidden text', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'claude', '.');
      const { out } = await shell.cairn(['import', '--from', 'claude', '--only', 'session']);
      assert.match(out, /It is called “Tide at noon \(from Claude Code\)”/);
      assert.match(out, new RegExp(`${SESSION}:9: it is not JSON`));
      const kept = await textBelow(join(shell.folder, 'config', 'sessions'));
      assert.match(kept, /"workspace": "\/work\/island"/);
      assert.match(kept, /"name":"Read","status":"ok","text":"12:00 {2}3\.4 m"/);
      assert.match(kept, /the gate code is •••/);
      assert.doesNotMatch(kept, /Caveat|side show|EqQB|ghp_/);
    }));

  it('maps agent tools and disables MCP servers when importing from a folder', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'claude', 'backup');
      await mkdir(join(place, '.claude', 'skills', 'far'));
      await symlink('/etc/hosts', join(place, '.claude', 'skills', 'far', 'SKILL.md'));
      const { out } = await shell.cairn(['import', '--from', 'backup/.claude', '--only', 'agent,skill,server']);
      assert.match(out, /far\/SKILL\.md is a link and is not followed/);
      const config = join(shell.folder, 'config');
      const agent = await readFile(join(config, 'agents', 'harbour-pilot.md'), 'utf8');
      assert.match(agent, /tools:\n {2}- fs_read\n[^]*- mcp__tides__next\npermission:\n {2}fs_write: deny/);
      assert.match((await shell.cairn(['--list', 'skills'])).out, /brew-tea/);
      assert.equal((await shell.cairn(['--validate', config])).status, 0);
      const servers = await readFile(join(config, 'mcp.json'), 'utf8');
      assert.equal(servers.split('"disabled": true').length, 4);
      assert.doesNotMatch(servers, /nk-77aa88bb99cc|tok_5b1e7c3a9d2f/);
    }));

  it("writes the sources of a server's variables and sign-in, and reports missing ones", () =>
    inShell([], async ({ cairn, folder }) => {
      const server = (envFile: string) => ({ command: 'charts-mcp', envFile });
      const oauth = { clientId: 'cairn', clientSecret: 'cs-55aa66bb77cc', authorizationUrl: 'https://x.example' };
      const state = {
        mcpServers: {
          whole: server(join(folder, 'whole.env')),
          tilde: server('~/tilde.env'),
          gone: server('gone.env'),
          odd: server('${userHome}/odd.env'),
          each: server('${workspaceFolder}/.env'),
          far: { type: 'http', url: 'https://x.example/mcp', oauth, envFile: 'far.env' },
        },
        projects: { [join(folder, 'island')]: { mcpServers: { near: server('near.env') } } },
      };
      await mkdir(join(folder, '.claude'));
      await mkdir(join(folder, 'island'));
      await writeFile(join(folder, '.claude.json'), JSON.stringify(state));
      for (const name of ['whole.env', 'tilde.env', 'island/near.env'])
        await writeFile(join(folder, name), 'CHARTS_TOKEN=ct-11dd22ee33ff\n');
      const { out, status } = await cairn(['import', '--from', 'claude', '--only', 'server']);
      assert.equal(status, 0, out);
      const text = await readFile(join(folder, 'config', 'mcp.json'), 'utf8');
      const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { envFile?: string; oauth?: unknown }> };
      assert.deepEqual(
        Object.entries(mcpServers).map(([id, { envFile }]) => [id, envFile]),
        [
          ['whole', join(folder, 'whole.env')],
          ['tilde', join(folder, 'tilde.env')],
          ['gone', join(folder, 'gone.env')],
          ['odd', undefined],
          ['each', '${workspaceFolder}/.env'],
          ['far', undefined],
          ['near', join(folder, 'island', 'near.env')],
        ],
      );
      assert.match(out, /It takes variables from \S*near\.env, which was not copied\./);
      assert.match(out, /It takes variables from \S*gone\.env, where there is no file\. Cairn leaves the server out/);
      assert.match(out, /Its envFile was left out, because Cairn cannot find \$\{userHome\}\/odd\.env\./);
      assert.match(out, /Left out, because only the other tool has it: envFile\./);
      assert.deepEqual(mcpServers['far']?.oauth, { clientId: 'cairn', clientSecret: '{{CLIENT_SECRET}}' });
      assert.doesNotMatch(`${text}${out}`, /ct-11dd|cs-55aa/);
      const listed = await cairn(['mcp', 'list']);
      assert.match(`${listed.out}${listed.err}`, /“gone” is left out: its envFile cannot be read/);
      assert.match(listed.out, /near/);
    }));

  it('skips lines that are too long or too deep, and names that escape the folder', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'claude', '.');
      const file = join(place, ...PROJECT, SESSION);
      await appendFile(file, `{"type":"user","message":{"role":"user","content":"${'x'.repeat(50_000_000)}"}}\n`);
      await appendFile(file, `{"type":"user","message":${'['.repeat(100_000)}\n`);
      await writeFile(join(place, '.claude', 'agents', '..x.md'), '---\nname: ../../x\n---\nHa.');
      const { out } = await shell.cairn(['import', '--from', `claude:${join(place, '.claude')}`]);
      assert.match(out, /:12: it is too long/);
      assert.match(out, /:13: it is nested too deeply/);
      assert.match(out, /session -work-island\/2b7c4f2e: copied/);
    }));
});
