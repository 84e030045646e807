import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const reads = (path: string) => ({ call: [{ name: 'fs_read', arguments: { path } }] });

/** Returns what the model received, as one text per request. */
const sent = ({ server }: EngineWorld) =>
  server.requests.map(({ messages }) => messages.map(({ text }) => text).join('\n'));

describe('Instructions for some files of a workspace', () => {
  const FILES = {
    'src/web/page.ts': 'export {};\n',
    'src/web/AGENTS.md': 'Pages use tabs.',
    'src/CLAUDE.md': 'Sources are strict.',
    'lib/AGENTS.md': 'Never heard.',
    '.claude/CLAUDE.md': 'Always heard.',
    '.claude/rules/style.md': 'Be brief.',
    '.claude/rules/api.md': '---\npaths:\n  - "src/**/*.ts"\n---\nDocument the interface.',
    '.github/instructions/pages.instructions.md': '---\napplyTo: "**/*.{tsx,ts},*.css"\n---\nPages are accessible.',
    '.github/instructions/python.instructions.md': '---\napplyTo: "**/*.py"\n---\nUse types in Python.',
    '.github/instructions/named.instructions.md': 'Only by name.',
    '.github/instructions/README.md': 'For people.',
    '.cursor/rules/all.mdc': '---\nalwaysApply: true\n---\nFrom Cursor.',
    'node_modules/x/AGENTS.md': 'From a package.',
    'node_modules/x/index.ts': '1\n',
  };

  it('are sent once when a matching file is read, and not before', () =>
    withWorld(
      { files: FILES, story: [reads('src/web/page.ts'), { say: 'Read.' }, { say: 'Still.' }] },
      async (world) => {
        await world.play('look');
        const [first = '', second = ''] = sent(world);
        for (const always of ['Always heard.', 'Be brief.', 'From Cursor.']) assert.ok(first.includes(always), always);
        const nearby = ['Pages use tabs.', 'Sources are strict.', 'Document the interface.', 'Pages are accessible.'];
        for (const text of nearby) {
          assert.ok(!first.includes(text), text);
          assert.ok(second.includes(text), text);
        }
        for (const text of ['Never heard.', 'Use types in Python.', 'Only by name.', 'For people.'])
          assert.ok(!second.includes(text), text);
        assert.ok(second.indexOf('Sources are strict.') < second.indexOf('Pages use tabs.'));
        await world.play('again');
        assert.equal(sent(world)[2]?.split('Pages use tabs.').length, 2);
      },
    ));

  const CHANGES: Readonly<Record<string, Record<string, string>>> = {
    fs_write: { path: 'src/web/new.ts', contents: '1\n' },
    fs_edit: { path: 'src/web/page.ts', old_string: '{}', new_string: '{ one }' },
    fs_patch: { path: 'src/web/page.ts', contents: '@@ -1 +1 @@\n-export {};\n+export { one };\n' },
  };
  for (const [name, input] of Object.entries(CHANGES))
    it(`are sent once with the result of ${name}, in a file that was not read`, () => {
      const change = { call: [{ name, arguments: input }] };
      const story = [change, { say: 'Done.' }, { say: 'Still.' }];
      return withWorld({ files: FILES, story, approvalMode: 'commands' }, async (world) => {
        await world.play('change');
        const [first = '', second = ''] = sent(world);
        for (const text of [
          'Pages use tabs.',
          'Sources are strict.',
          'Document the interface.',
          'Pages are accessible.',
        ]) {
          assert.ok(!first.includes(text), text);
          assert.ok(second.includes(text), text);
        }
        await world.play('again');
        assert.equal(sent(world)[2]?.split('Pages use tabs.').length, 2);
      });
    });

  it('are sent once when several files of a folder have the same text', () =>
    withWorld(
      {
        files: {
          'GEMINI.md': 'Only for Gemini.',
          'CLAUDE.md': 'Say it once.\n',
          'AGENTS.md': 'Say it once.',
          'src/GEMINI.md': 'Sources are strict.',
          'src/CLAUDE.md': 'Sources are strict.',
          'src/a.ts': '1\n',
        },
        story: [reads('src/a.ts'), { say: 'Read.' }],
      },
      async (world) => {
        await world.play('look');
        const [first = '', second = ''] = sent(world);
        assert.ok(first.includes('Only for Gemini.'));
        assert.equal(first.split('Say it once.').length, 2);
        assert.match(first, /AGENTS\.md[^]*Say it once\./);
        assert.equal(second.split('Sources are strict.').length, 2);
      },
    ));

  it('are also read in other open folders, where paths are absolute', async () => {
    const other = await mkdtemp(join(tmpdir(), 'other-'));
    const rules = {
      'AGENTS.md': 'Other folder.',
      'CLAUDE.md': 'The same in both.',
      'src/b.ts': '1\n',
      'src/AGENTS.md': 'Its sources.',
      '.claude/rules/ts.md': '---\npaths: "src/*.ts"\n---\nIts rule.',
      '.cursor/rules/ask.mdc': '---\ndescription: For pages\n---\nOn request.',
    };
    try {
      for (const [file, text] of Object.entries(rules)) {
        await mkdir(dirname(join(other, file)), { recursive: true });
        await writeFile(join(other, file), text);
      }
      const options = {
        files: { 'AGENTS.md': 'First folder.', 'CLAUDE.md': 'The same in both.', 'src/a.ts': '1\n' },
        story: [reads('src/a.ts'), reads(join(other, 'src/b.ts')), { say: 'Read.' }],
        scope: () => ({ trusted: true, folders: [other] }),
      };
      await withWorld(options, async (world) => {
        await world.play('look');
        const [first = '', second = '', third = ''] = sent(world);
        assert.ok(first.includes(`# From ${other}/AGENTS.md of this workspace\nOther folder.`), first);
        assert.match(first, /Other folder\.[^]*# From AGENTS\.md of this workspace\nFirst folder\./);
        assert.equal(first.split('The same in both.').length, 2);
        assert.ok(first.includes(`Read ${other}/.cursor/rules/ask.mdc first where this fits the task.`));
        for (const text of ['Its sources.', 'Its rule.']) {
          assert.ok(!second.includes(text), text);
          assert.ok(third.includes(text), text);
        }
      });
      const closed = { ...options, scope: () => ({ trusted: true, isHeard: false, folders: [other] }) };
      await withWorld(closed, async (world) => {
        await world.play('look');
        assert.ok(!sent(world).join('').includes('Other folder.'));
      });
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it('are also rules in a subfolder, once a file there is read', () =>
    withWorld(
      {
        files: {
          'src/web/page.ts': '1\n',
          'src/a.ts': '1\n',
          'src/web/.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\nPages are fast.',
          'src/web/.cursor/rules/near.mdc': '---\nglobs: *.ts\n---\nPages have types.',
          'src/web/.cursor/rules/far.mdc': '---\nglobs: src/web/**/*.ts\n---\nPages are small.',
          'src/web/.cursor/rules/other.mdc': '---\nglobs: *.css\n---\nColors have names.',
          'src/.claude/rules/open.md': 'Sources are strict.',
          'lib/.claude/rules/open.md': 'Never heard.',
        },
        story: [reads('src/a.ts'), reads('src/web/page.ts'), { say: 'Read.' }],
      },
      async (world) => {
        await world.play('look');
        const [first = '', second = '', third = ''] = sent(world);
        assert.doesNotMatch(first, /Sources|Pages/);
        assert.match(second, /From src\/\.claude\/rules\/open\.md[^]*Sources are strict\./);
        assert.doesNotMatch(second, /Pages/);
        for (const text of ['Pages are fast.', 'Pages have types.', 'Pages are small.'])
          assert.ok(third.includes(text), text);
        assert.doesNotMatch(third, /Colors have names|Never heard/);
        assert.equal(third.split('Sources are strict.').length, 2);
      },
    ));

  it('come after the user’s own of any tool, which are sent once and only in a workspace that is heard', async () => {
    const home = await mkdtemp(join(tmpdir(), 'cairn-home-'));
    const own = {
      '.claude/CLAUDE.md': 'Answer in one line.\n',
      '.codex/AGENTS.md': 'Use short names.',
      '.config/opencode/AGENTS.md': 'Use short names.\n',
      '.gemini/GEMINI.md': 'Add no comments.',
    };
    for (const [name, text] of Object.entries(own)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
    }
    const files = { 'a.ts': '1\n', '.claude/rules/style.md': 'Be brief.' };
    const story = [reads('a.ts'), { say: 'Read.' }];
    const scope = () => ({ trusted: true, isHeard: false, folders: [] });
    try {
      await withWorld({ files, story, agents: { homeFolder: home } }, async (world) => {
        await world.play('look');
        const last = sent(world).at(-1) ?? '';
        assert.match(last, /From ~\/\.claude\/CLAUDE\.md of the user\nAnswer in one line\.[^]*Be brief\./);
        assert.match(last, /From ~\/\.gemini\/GEMINI\.md of the user\nAdd no comments\./);
        for (const text of Object.values(own)) assert.equal(last.split(text.trim()).length, 2, text);
      });
      await withWorld({ files, story, scope, agents: { homeFolder: home } }, async (world) => {
        await world.play('look');
        assert.doesNotMatch(sent(world).join('\n'), /Answer in one line|Use short names|Add no comments/);
      });
    } finally {
      await rm(home, { recursive: true });
    }
  });

  it('may be in any encoding of text, in the root, in a folder, and in a file that is imported', () =>
    withWorld({ files: { 'src/a.ts': '1\n' }, story: [reads('src/a.ts'), { say: 'Read.' }] }, async (world) => {
      const write = (name: string, text: string) =>
        writeFile(join(world.folder, name), Buffer.from(`\uFEFF${text}`, 'utf16le'));
      await write('CLAUDE.md', 'Tides rise. @more.md');
      await write('more.md', 'Tides fall.');
      await write('src/AGENTS.md', 'Tides turn.');
      await writeFile(join(world.folder, 'AGENTS.md'), Buffer.from([0x50, 0, 1, 2]));
      const { events } = await world.play('look');
      const last = sent(world).at(-1) ?? '';
      for (const text of ['Tides rise.', 'Tides fall.', 'Tides turn.']) assert.ok(last.includes(text), text);
      const told = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
      assert.deepEqual(told, ['The instructions in AGENTS.md were left out: the file is not text.']);
    }));

  it('are only listed when the model must judge whether they apply', () =>
    withWorld(
      {
        files: {
          '.cursor/rules/moves.mdc': '---\ndescription: For migrations\nalwaysApply: "false"\n---\nNever drop a table.',
          '.cursor/rules/by-hand.mdc': '---\nalwaysApply: false\n---\nOnly when named.',
        },
        story: [{ say: 'Hi.' }],
      },
      async (world) => {
        await world.play('hi');
        const [first = ''] = sent(world);
        assert.match(first, /For migrations\n\nRead .cursor\/rules\/moves.mdc first where this fits the task\./);
        assert.doesNotMatch(first, /Never drop a table|Only when named/);
      },
    ));

  it('follow the conditions of Cline and Windsurf, without workflows', () =>
    withWorld(
      {
        files: {
          'src/a.ts': '1\n',
          '.clinerules/always.md': 'Cline always.',
          '.clinerules/plain.txt': 'Cline text.',
          '.clinerules/some.md': '---\npaths:\n  - "src/**"\n---\nCline sources.',
          '.clinerules/workflows/ship.md': 'Cline workflow.',
          '.windsurf/rules/on.md': '---\ntrigger: always_on\n---\nWindsurf always.',
          '.windsurf/rules/glob.md': '---\ntrigger: glob\nglobs: *.ts\n---\nWindsurf sources.',
          '.windsurf/rules/judged.md': '---\ntrigger: model_decision\ndescription: For tides\n---\nWindsurf tides.',
          '.windsurf/rules/manual.md': '---\ntrigger: manual\ndescription: By hand\n---\nWindsurf manual.',
        },
        story: [reads('src/a.ts'), { say: 'Read.' }],
      },
      async (world) => {
        const { events } = await world.play('look');
        const [first = '', second = ''] = sent(world);
        for (const text of ['Cline always.', 'Cline text.', 'Windsurf always.', 'For tides'])
          assert.ok(first.includes(text), text);
        for (const text of ['Cline sources.', 'Windsurf sources.'])
          assert.deepEqual([first.includes(text), second.includes(text)], [false, true], text);
        assert.doesNotMatch(second, /Cline workflow|Windsurf tides|Windsurf manual|By hand/);
        assert.deepEqual(
          events.filter(({ type }) => type === 'notice'),
          [],
        );
      },
    ));

  it('are those of Roo Code and Kilo Code for every mode, whatever is read', () =>
    withWorld(
      {
        files: {
          '.roo/rules/style.md': 'Roo style.',
          '.roo/rules/words.txt': 'Roo words.',
          '.roo/rules-architect/plan.md': 'Only in a mode.',
          '.kilocode/rules/style.md': 'Kilo style.',
        },
        story: [{ say: 'Known.' }],
      },
      async (world) => {
        await world.play('look');
        const [first = ''] = sent(world);
        for (const text of ['Roo style.', 'Roo words.', 'Kilo style.']) assert.ok(first.includes(text), text);
        assert.ok(!first.includes('Only in a mode.'));
      },
    ));

  it('are sent once when one rule is kept for several tools, and not if the root says the same', () =>
    withWorld(
      {
        files: {
          'src/a.ts': '1\n',
          'AGENTS.md': 'Tides are tables.',
          'src/AGENTS.md': 'Tides are tables.',
          '.cursor/rules/root.mdc': '---\nalwaysApply: true\n---\nTides are tables.',
          '.cursor/rules/units.mdc': '---\nglobs: src/**\n---\nHeights in metres.',
          '.claude/rules/units.md': '---\npaths: src/**\n---\nHeights in metres.',
          '.clinerules/units.md': 'Heights in metres.',
          'src/CLAUDE.local.md': 'My tides.',
        },
        story: [reads('src/a.ts'), { say: 'Read.' }],
      },
      async (world) => {
        await world.play('look');
        const [first = '', second = ''] = sent(world);
        for (const text of ['Tides are tables.', 'Heights in metres.'])
          assert.equal(second.split(text).length, 2, text);
        assert.ok(first.includes('Heights in metres.') && second.includes('My tides.'));
        assert.doesNotMatch(second, /no longer count/);
      },
    ));

  it('are known after a restart without being sent again', () =>
    withWorld(
      { files: FILES, story: [reads('src/web/page.ts'), { say: 'Read.' }, { say: 'Still.' }] },
      async (world) => {
        await world.play('look');
        const next = await world.restart();
        await next.play('again');
        assert.equal(sent(world)[2]?.split('Pages use tabs.').length, 2);
        assert.doesNotMatch(sent(world)[2] ?? '', /no longer count/);
      },
    ));

  it('from packages, links to elsewhere and untrusted folders are ignored', () =>
    withWorld(
      { files: FILES, story: [reads('node_modules/x/index.ts'), reads('away/a.ts'), { say: 'Read.' }] },
      async (world) => {
        await writeFile(join(world.configFolder, '..', 'secret.txt'), 'KEY=1');
        await writeFile(join(world.folder, 'src', 'a.ts'), '1\n');
        await symlink(join(world.configFolder, '..', 'secret.txt'), join(world.folder, 'src', 'AGENTS.md'));
        await symlink(join(world.folder, 'src'), join(world.folder, 'away'));
        const { events } = await world.play('look');
        const last = sent(world).at(-1) ?? '';
        assert.ok(last.includes('Sources are strict.'), 'the folder behind the link is one of the workspace');
        assert.ok(!last.includes('From a package.') && !last.includes('KEY=1'));
        assert.ok(events.some((event) => event.type === 'notice' && /src\/AGENTS\.md were left out/.test(event.text)));
      },
    ));

  it('are not read when the folder is not trusted', () =>
    withWorld(
      {
        files: FILES,
        scope: () => ({ trusted: true, isHeard: false, folders: [] }),
        story: [reads('src/web/page.ts'), { say: 'Read.' }],
      },
      async (world) => {
        await world.play('look');
        assert.doesNotMatch(sent(world).join('\n'), /Pages use tabs|Be brief|Always heard/);
      },
    ));

  it('beyond the limit are listed as omitted, once per run', () =>
    withWorld(
      {
        files: {
          'a.ts': 'export {};\n',
          ...Object.fromEntries(
            Array.from({ length: 26 }, (_, at) => [`.claude/rules/r${String(at).padStart(2, '0')}.md`, `Rule ${at}.`]),
          ),
        },
        story: [reads('a.ts'), { say: 'Read.' }],
      },
      async (world) => {
        const { events } = await world.play('look');
        const [first = ''] = sent(world);
        assert.deepEqual([first.includes('Rule 23.'), first.includes('Rule 24.')], [true, false]);
        const told = events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])).join('\n');
        for (const name of ['r24.md', 'r25.md'])
          assert.equal(told.split(`${name} were left out: more than 24 apply at once`).length, 2, told);
      },
    ));

  it('that are invalid are reported with the reason, and pathological patterns match nothing', () =>
    withWorld(
      {
        files: {
          ...FILES,
          '.claude/rules/broken.md': '---\npaths: { a: 1 }\n---\nBroken.',
          '.github/instructions/slow.instructions.md': `---\napplyTo: "${'**/a*'.repeat(20)}"\n---\nSlow.`,
        },
        story: [reads('src/web/page.ts'), { say: 'Read.' }],
      },
      async (world) => {
        const { events } = await world.play('look');
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.ok(
          notices.some((text) => /\.claude\/rules\/broken\.md were left out: /.test(text)),
          notices.join('\n'),
        );
        assert.doesNotMatch(sent(world).join('\n'), /Slow\.|Broken\./);
      },
    ));
});
