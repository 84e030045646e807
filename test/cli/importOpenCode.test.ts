import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { homeWith, stateOf, textBelow } from './importedFolders';
import { inShell } from './inShell';

const SECRETS =
  /gsk_Qx72LmZ9vTbK4RpW8YdN|wx_99aa88bb77cc|wk_5566778899aabb|mk_0123456789|sk-ant-api03-Qq11wwEe22rrTt33yyUu/;

describe('cairn import --from opencode', function () {
  this.timeout(60_000);

  it('imports agents, commands, servers and rules without keys and allow rules', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'opencode', '.');
      const before = await stateOf(join(place, '.config', 'opencode'));
      const { out } = await shell.cairn(['import', '--from', 'opencode']);
      assert.deepEqual(await stateOf(join(place, '.config', 'opencode')), before);
      const config = join(shell.folder, 'config');
      assert.match(
        await readFile(join(config, 'agents', 'gardener.md'), 'utf8'),
        /mode: subagent\n[^]*Prune the roses/,
      );
      assert.match(await readFile(join(config, 'agents', 'careful.md'), 'utf8'), /^---\nmode: primary\n/);
      assert.equal((await shell.cairn(['--validate', config])).status, 0);
      assert.match(await readFile(join(config, 'config.yaml'), 'utf8'), /^model: anthropic:claude-sonnet-4-5$/m);
      const rules = await readFile(join(config, 'permissions.json'), 'utf8');
      assert.match(rules, /"git",\s+"push"[^]*"ask"[^]*"fetch_url"[^]*"deny"/);
      assert.doesNotMatch(rules, /"allow"/);
      assert.match(out, /provider openai: skipped/);
      assert.match(out, /opencode\.jsonc:21: the agent is left out/);
      assert.doesNotMatch(`${out}${await textBelow(config)}`, SECRETS);
    }));

  it('does not read a prompt file outside the folder', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'opencode', '.');
      const { out } = await shell.cairn(['import', '--from', 'opencode', '--only', 'agent']);
      assert.match(out, /\/etc\/passwd leads out of \S+ and is not read/);
      assert.doesNotMatch(await textBelow(join(shell.folder, 'config')), /root:x:/);
    }));

  it('assembles a session from its many files, with no call left to run', () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'opencode', '.');
      const { out } = await shell.cairn(['import', '--from', 'opencode', '--only', 'session']);
      assert.match(out, /session When to prune: copied/);
      assert.match(out, /session 1 of sub-agents: skipped/);
      assert.match(out, /ses_torn\.json is not JSON/);
      const kept = await textBelow(join(shell.folder, 'config', 'sessions'));
      assert.match(kept, /When are the roses pruned\?[^]*A book may say[^]*In March\.[^]*before the buds open/);
      assert.match(kept, /"name":"bash","status":"error","text":"It had not ended/);
      assert.doesNotMatch(kept, /Called the Read tool/);
      assert.match(kept, /"workspace": "\/work\/garden"/);
    }));

  it('leaves out what an agent says that has no meaning here, and reports that', () =>
    inShell([], async (shell) => {
      const place = join(await homeWith(shell, 'opencode', 'found'), '.config', 'opencode');
      const agent = '---\ndescription: Hums\ncolor:\nhum: loudly\n---\nHum.\n';
      await writeFile(join(place, 'agent', 'hummer.md'), agent);
      const { out } = await shell.cairn(['import', '--from', place, '--only', 'agent']);
      assert.match(out, /agent hummer: copied .*\n +Left out, because it has no meaning here: hum\.$/m);
      const copy = await readFile(join(shell.folder, 'config', 'agents', 'hummer.md'), 'utf8');
      assert.equal(copy, '---\ndescription: Hums\n---\nHum.\n');
    }));

  it('strips permissions that an agent grants itself', () =>
    inShell([], async (shell) => {
      const place = join(await homeWith(shell, 'opencode', 'found'), '.config', 'opencode');
      const greedy =
        '---\ndescription: Greedy\npermission:\n  bash:\n    "*": allow\n    "rm *": deny\n  edit: allow\n---\nTake.\n';
      await writeFile(join(place, 'agent', 'greedy.md'), greedy);
      await writeFile(
        join(place, 'opencode.json'),
        '{"agent":{"grabber":{"prompt":"Grab.","permission":"allow"},"careful-one":{"prompt":"Ask.","permission":{"bash":"ask"}}}}',
      );
      const { out } = await shell.cairn(['import', '--from', place, '--only', 'agent']);
      const agents = join(shell.folder, 'config', 'agents');
      const text = async (name: string) => readFile(join(agents, `${name}.md`), 'utf8');
      assert.match(await text('greedy'), /permission:\n {2}bash:\n {4}rm \*: deny\n---/);
      assert.doesNotMatch(await text('grabber'), /permission/);
      assert.match(await text('careful-one'), /bash: ask/);
      assert.match(out, /agent grabber: copied .*\n(?: {6}.*\n)*.*What it allowed was left out/);
    }));

  it('imports the settings of version 2, without what an agent grants itself', () =>
    inShell([], async (shell) => {
      const place = join(await homeWith(shell, 'opencode', 'found'), '.config', 'opencode');
      const settings = {
        agents: {
          grabber: {
            prompt: 'Grab.',
            permissions: [
              { action: '*', resource: '*', effect: 'allow' },
              { action: 'edit', resource: '*', effect: 'deny' },
            ],
          },
        },
        commands: { tidy: { template: 'Tidy up.', description: 'Tidies' } },
        permissions: [
          { action: 'shell', resource: 'git push *', effect: 'ask' },
          { action: 'webfetch', resource: '*', effect: 'allow' },
        ],
        mcp: { servers: { notes: { type: 'local', command: ['notes-server', '-v'], environment: { A: '1' } } } },
      };
      await writeFile(join(place, 'opencode.json'), JSON.stringify(settings, undefined, 2));
      const listed =
        '---\ndescription: Listed\npermissions:\n  - { action: bash, resource: "*", effect: allow }\n---\nTake.\n';
      await writeFile(join(place, 'agent', 'listed.md'), listed);
      const { out } = await shell.cairn(['import', '--from', place]);
      const config = join(shell.folder, 'config');
      const text = (...path: string[]) => readFile(join(config, ...path), 'utf8');
      assert.match(
        await text('agents', 'grabber.md'),
        /^---\npermissions:\n {2}- action: edit\n[^]*effect: deny\n---\nGrab\.\n/,
      );
      assert.doesNotMatch(await text('agents', 'grabber.md'), /allow/);
      assert.equal(await text('agents', 'listed.md'), '---\ndescription: Listed\n---\nTake.\n');
      assert.match(await text('commands', 'tidy.md'), /description: Tidies\n---\nTidy up\./);
      const rules = await text('permissions.json');
      assert.match(rules, /"git",\s+"push"[^]*"ask"/);
      assert.doesNotMatch(rules, /"allow"/);
      const servers = z
        .object({ mcpServers: z.record(z.string(), z.looseObject({ command: z.optional(z.string()) })) })
        .parse(JSON.parse(await text('mcp.json'))).mcpServers;
      assert.deepEqual(Object.keys(servers), ['notes', 'weather', 'maps'], 'with those of opencode.jsonc');
      assert.equal(servers['notes']?.command, 'notes-server');
      assert.match(out, /rule of webfetch: skipped/);
      assert.equal((await shell.cairn(['--validate', config])).status, 0);
    }));

  it('imports a session that has since grown as a second one', () =>
    inShell([], async (shell) => {
      const place = await homeWith(shell, 'opencode', '.');
      const storage = join(place, '.local', 'share', 'opencode', 'storage');
      await rm(join(storage, 'session', 'global', 'ses_torn.json'));
      const run = () => shell.cairn(['import', '--from', 'opencode', '--only', 'session']);
      await run();
      assert.match((await run()).out, /0 copied, 1 already imported/);
      const file = join(storage, 'session', 'global', 'ses_6f1a2b3c4ffeAbCdEfGhIjKlMn.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('1759300090000', '1759300099999'));
      assert.match((await run()).out, /1 copied, 0 already imported/);
    }));
});
