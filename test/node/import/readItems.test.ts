import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { ImportItem } from '../../../src/node/import/importItem';
import { importedFrom } from './importedFrom';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const line = (text: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } });

function textsOf(item: ImportItem | undefined): Record<string, string> {
  const files = item?.content.type === 'files' ? item.content.files : [];
  return Object.fromEntries(files.map((file) => [file.path, Buffer.from(file.bytes).toString()]));
}

describe('What an import reads', () => {
  it('does not include a folder whose name only begins like that of the tool', () =>
    importedFrom('coyote', { 'roles/mine.md': 'Mine.' }, async ({ scan, folder }) => {
      await folder.write({ 'theirs-private/diary.md': 'Secret.' });
      await mkdir(path.join(folder.path, 'theirs', 'skills'));
      await symlink(path.join(folder.path, 'theirs-private'), path.join(folder.path, 'theirs', 'agents'));
      const { items, problems } = await scan();
      assert.deepEqual(
        items.map(({ name }) => name),
        ['mine'],
      );
      assert.match(problems.join('\n'), /theirs\/agents leads out of \S+theirs and is not read/);
    }));

  it('does not include files with keys, and replaces a token in any other file', () =>
    importedFrom(
      'coyote',
      {
        'skills/tidy/SKILL.md': `Use ${TOKEN} here.`,
        'skills/tidy/.env': 'KEY=1',
        'skills/tidy/keys/id_rsa': 'key',
        'skills/tidy/my-credentials.json': '{}',
        'skills/tidy/node_modules/a/index.js': 'a',
        'skills/tidy/picture.png': new Uint8Array([0, 1, 2]),
        'roles/credentials.json.md': 'A role.',
        'functions/tools/.env.sh': 'KEY=1',
      },
      async ({ scan }) => {
        const { items } = await scan();
        const skill = items.find(({ kind }) => kind === 'skill');
        assert.deepEqual(Object.keys(textsOf(skill)), ['SKILL.md', 'picture.png']);
        assert.equal(textsOf(skill)['SKILL.md'], 'Use {{TIDY_SECRET}} here.');
        assert.deepEqual(skill?.notes, [
          '.env was left out: such files hold secrets.',
          'SKILL.md: what looks like a secret was replaced by a {{NAME}}; check that line.',
          'keys/id_rsa was left out: such files hold secrets.',
          'my-credentials.json was left out: such files hold secrets.',
        ]);
        assert.deepEqual(
          items.filter(({ kind }) => kind === 'tool'),
          [],
        );
      },
    ));

  it('does not include a folder that is too large as a whole', () => {
    const large = new Uint8Array(4_900_000);
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`skills/large/${number}.bin`, large]));
    return importedFrom('coyote', { ...files, 'skills/small/SKILL.md': 'Small.' }, async ({ scan }) => {
      const { items, problems } = await scan();
      assert.deepEqual(
        items.map(({ name }) => name),
        ['small'],
      );
      assert.match(problems.join('\n'), /skills\/large is larger than Cairn imports \(20 MB\)/);
    });
  });

  it('includes Claude Code’s rules about servers, files anywhere, and whole tools', () => {
    const deny = [
      'mcp__github',
      'mcp__github__delete_repo',
      'mcp__github(x)',
      'Read(//etc/hosts)',
      'WebFetch',
      'Edit(*)',
    ];
    return importedFrom('claude', { 'settings.json': JSON.stringify({ permissions: { deny } }) }, async ({ scan }) => {
      const { items } = await scan();
      const rules = items.flatMap(({ content }) => (content.type === 'rules' ? content.rules : []));
      assert.deepEqual(
        rules.map(({ tool, argument, action }) => [tool, argument, action]),
        [
          ['mcp__github__*', undefined, 'deny'],
          ['mcp__github__delete_repo', undefined, 'deny'],
          ['category:read', { kind: 'path', pattern: '/etc/hosts' }, 'deny'],
          ['category:network', undefined, 'deny'],
          ['category:write', undefined, 'deny'],
        ],
      );
      const left = items.filter(({ content }) => content.type === 'left').map(({ name }) => name);
      assert.deepEqual(left, ['deny mcp__github(x)']);
    });
  });

  it('leaves a server turned off that the other tool does not start', () => {
    const mcpServers = { off: { command: 'a', enabled: false }, on: { command: 'a', enabled: true } };
    return importedFrom('coyote', { 'mcp.json': JSON.stringify({ mcpServers }) }, async ({ scan }) => {
      const { items } = await scan(true);
      assert.deepEqual(
        items.map(({ content }) => (content.type === 'server' ? content.server['disabled'] : content)),
        [true, undefined],
      );
    });
  });

  it('includes the lists of a server’s tools, in the words of the other tool', () => {
    const limits = { includeTools: ['read'], excludeTools: ['drop'] };
    const mcpServers = { db: { command: 'a', ...limits, timeout: 5 } };
    return importedFrom('gemini', { 'settings.json': JSON.stringify({ mcpServers }) }, async ({ scan }) => {
      const [item] = (await scan(true)).items;
      const server = item?.content.type === 'server' ? item.content.server : {};
      assert.deepEqual({ includeTools: server['includeTools'], excludeTools: server['excludeTools'] }, limits);
      assert.equal(item?.notes[0], 'Left out, because only the other tool has it: timeout.');
    });
  });

  it('reports servers that are not in a map', () =>
    importedFrom('coyote', { 'mcp.json': '{"mcpServers":["a"]}' }, async ({ scan }) => {
      const { items, problems } = await scan();
      assert.deepEqual([items.length, problems.length], [0, 1]);
      assert.match(problems[0] ?? '', /mcp\.json:1: the MCP servers must be an object/);
    }));

  it('includes each line of a session, however it is cut into pieces, and only a few of its problems', () => {
    const texts = Array.from({ length: 9 }, (_, at) => `${at} ${'é'.repeat(50_000)} end ${at}`);
    const broken = Array.from({ length: 9 }, () => 'broken');
    const file = [...texts.map(line), ...broken, line('the last one')].join('\n');
    return importedFrom('claude', { 'projects/-work/one.jsonl': file }, async ({ run, config }) => {
      const [row] = await run();
      assert.equal(row?.outcome, 'copied');
      const problems = row.notes.filter((note) => /not JSON|more of it/.test(note));
      assert.deepEqual([problems.length, problems.at(-1)], [6, '4 more of it could not be read.']);
      const history = await readFile(path.join(row.to ?? config, 'history.jsonl'), 'utf8');
      for (const text of [...texts, 'the last one'])
        assert.ok(history.includes(JSON.stringify(text)), text.slice(0, 9));
    });
  });

  it('hides known secrets in sessions, but no ordinary word that happens to be one', () =>
    importedFrom(
      'claude',
      {
        'settings.json': '{"env":{"A_TOKEN":"harbour","B_TOKEN":"Zq7Wx9KvJy4B"}}',
        'projects/-work/one.jsonl': line('The harbour opens with Zq7Wx9KvJy4B.'),
      },
      async ({ run, config }) => {
        const rows = await run();
        const session = rows.find(({ kind }) => kind === 'session');
        const history = await readFile(path.join(session?.to ?? config, 'history.jsonl'), 'utf8');
        assert.match(history, /The harbour opens with •••\./);
      },
    ));
});
