import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { KeptSecret } from '../../../src/node/import/writeItems';
import { importedFrom } from './importedFrom';

const serversSchema = z.object({ mcpServers: z.record(z.string(), z.looseObject({})) });
const ROLE = { 'roles/poet.md': 'You rhyme.\n' };
const servers = (server: object) => ({ 'mcp.json': JSON.stringify({ mcpServers: { tides: server } }) });
const REMOTE = { url: 'https://tides.example/mcp' };

/** Records what it is asked to keep. */
function sink(outcome: KeptSecret) {
  const names: string[] = [];
  const keep = (secrets: readonly (readonly [string, string])[]) => {
    names.push(...secrets.map(([name]) => name));
    return Promise.resolve(secrets.map(() => outcome));
  };
  return { names, keep };
}

describe('What an import writes', () => {
  it('is nothing in a dry run, not even a secret', () => {
    const rule = { 'settings.json': '{"env":{"MY_TOKEN":"tok-1234567890"},"permissions":{"deny":["Bash(git push)"]}}' };
    const files = { ...rule, 'commands/tidy.md': 'Tidy up.', '.claude.json': '{"mcpServers":{"a":{"command":"a"}}}' };
    return importedFrom('claude', files, async ({ run, config }) => {
      const secrets = sink('kept');
      const rows = await run({ dryRun: true, secrets });
      assert.deepEqual(rows.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted(), [
        'command copied',
        'rule copied',
        'secret copied',
        'server copied',
      ]);
      assert.deepEqual([secrets.names, existsSync(config)], [[], false]);
      await run({ secrets });
      assert.deepEqual(secrets.names, ['MY_TOKEN']);
    });
  });

  for (const [outcome, note] of [
    ['kept', 'Its secret is in the vault as TIDE_TOKEN.'],
    ['same', 'Its secret is in the vault as TIDE_TOKEN.'],
    ['other', 'the vault already has another TIDE_TOKEN, which was kept. Compare the two.'],
  ] as const)
    it(`is reported for a secret of which the store says: ${outcome}`, () =>
      importedFrom('coyote', { '.env': 'TIDE_TOKEN=tok-1234567890\n' }, async ({ run }) => {
        const rows = await run({ secrets: sink(outcome) });
        assert.deepEqual(
          rows.flatMap(({ notes }) => notes),
          [note],
        );
      }));

  it('is written again if the user has removed it since', () =>
    importedFrom('coyote', { ...ROLE, ...servers(REMOTE) }, async ({ run, config }) => {
      const outcomes = async () => (await run()).map(({ outcome }) => outcome);
      assert.deepEqual(await outcomes(), ['copied', 'copied']);
      assert.deepEqual(await outcomes(), ['already', 'already']);
      await rm(path.join(config, 'roles', 'poet.md'));
      await writeFile(path.join(config, 'mcp.json'), '{"mcpServers":{}}');
      assert.deepEqual(await outcomes(), ['copied', 'copied']);
      assert.equal(await readFile(path.join(config, 'roles', 'poet.md'), 'utf8'), 'You rhyme.\n');
    }));

  it('is one server, even if it is turned off in the other tool later or already exists', () =>
    importedFrom('coyote', servers(REMOTE), async ({ run, config, folder }) => {
      await run();
      await folder.write({
        'theirs/mcp.json': JSON.stringify({ mcpServers: { tides: { ...REMOTE, disabled: true } } }),
      });
      assert.deepEqual(
        (await run()).map(({ outcome }) => outcome),
        ['already'],
      );
      await rm(path.join(config, 'imports.json'));
      await folder.write({ 'theirs/mcp.json': JSON.stringify({ mcpServers: { tides: REMOTE } }) });
      const [row] = await run();
      assert.deepEqual([row?.outcome, row?.notes], ['skipped', ['The same server already exists.']]);
      const { mcpServers } = serversSchema.parse(JSON.parse(await readFile(path.join(config, 'mcp.json'), 'utf8')));
      assert.deepEqual(Object.keys(mcpServers), ['tides']);
    }));

  it('gets another name if only the case differs, because many file systems do not tell them apart', () =>
    importedFrom('coyote', ROLE, async ({ run, config }) => {
      await mkdir(path.join(config, 'roles'), { recursive: true });
      await writeFile(path.join(config, 'roles', 'Poet.md'), 'Mine.');
      await writeFile(path.join(config, 'roles', 'poet-coyote.md'), 'Mine as well.');
      await run();
      const all = (await readdir(path.join(config, 'roles'))).toSorted();
      assert.deepEqual(all, ['Poet.md', 'poet-coyote-2.md', 'poet-coyote.md']);
    }));

  it('keeps its name if only something else has it: a role, or the same tool in another language', () =>
    importedFrom(
      'coyote',
      {
        ...ROLE,
        ...{ 'agents/poet/config.yaml': 'instructions: You rhyme.\n', 'skills/poet/SKILL.md': 'Rhyme.' },
        ...{ 'functions/tools/rhyme.sh': '# @describe Rhymes.\nmain() { :; }\n' },
        'functions/tools/rhyme.py': 'def run():\n    "Rhymes."\n',
      },
      async ({ run, config }) => {
        const rows = await run();
        assert.deepEqual(rows.map(({ to }) => to && path.relative(config, to)).toSorted(), [
          'agents/poet',
          'functions/tools/rhyme.py',
          'functions/tools/rhyme.sh',
          'roles/poet.md',
          'skills/poet',
        ]);
        assert.deepEqual(
          rows.flatMap(({ notes }) => notes),
          [],
        );
      },
    ));

  it('includes what the scripts of Coyote’s agents load from a folder next to them', () =>
    importedFrom(
      'coyote',
      {
        'agents/poet/config.yaml': 'instructions: You rhyme.\n',
        'agents/.shared/utils.sh': 'rhyme() { :; }\n',
        'agents/.git/config': '[core]\n',
      },
      async ({ run, config }) => {
        await run();
        assert.deepEqual((await readdir(path.join(config, 'agents'))).toSorted(), ['.shared', 'poet']);
        assert.equal(await readFile(path.join(config, 'agents', '.shared', 'utils.sh'), 'utf8'), 'rhyme() { :; }\n');
      },
    ));

  it('includes what the scripts of AIChat’s agents and tools load from the folder above them', () =>
    importedFrom(
      'aichat',
      {
        'functions/agents/poet/index.yaml': 'instructions: You rhyme.\n',
        'functions/agents/poet/tools.sh': '# @cmd Rhymes.\nrhyme() { :; }\n',
        'functions/utils/guard_path.sh': '#!/usr/bin/env bash\n',
      },
      async ({ run, config }) => {
        await run();
        for (const folder of ['.', 'functions'])
          assert.ok(existsSync(path.join(config, folder, 'utils/guard_path.sh')));
      },
    ));

  it('is called inside what it is called outside', () =>
    importedFrom(
      'coyote',
      {
        'skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies\n---\nname: stays\n',
        'skills/tidy/a.md': 'name: a',
      },
      async ({ run, config }) => {
        await mkdir(path.join(config, 'skills', 'tidy'), { recursive: true });
        await run();
        const text = (name: string) => readFile(path.join(config, 'skills', 'tidy-coyote', name), 'utf8');
        assert.equal(await text('SKILL.md'), '---\nname: tidy-coyote\ndescription: Tidies\n---\nname: stays\n');
        assert.equal(await text('a.md'), 'name: a');
      },
    ));

  it('can be read like any other folder, and leaves no temporary files', () =>
    importedFrom('coyote', { ...ROLE, 'skills/tidy/SKILL.md': 'Tidy up.' }, async ({ run, config }) => {
      await run();
      assert.equal((await stat(path.join(config, 'skills', 'tidy'))).mode & 0o777, 0o755);
      const all = await readdir(config, { recursive: true });
      assert.deepEqual(
        all.filter((name) => path.basename(name).startsWith('.')),
        [],
      );
    }));

  it('is written once if two imports run at the same time', () =>
    importedFrom('coyote', { ...ROLE, ...servers(REMOTE) }, async ({ run, config }) => {
      const rows = (await Promise.all([run(), run()])).flat();
      assert.deepEqual(rows.map(({ outcome }) => outcome).toSorted(), ['already', 'already', 'copied', 'copied']);
      assert.deepEqual(await readdir(path.join(config, 'roles')), ['poet.md']);
    }));
});
