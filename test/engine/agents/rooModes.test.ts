import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathPatterns } from '../../../src/engine/agents/formats/fileRegex';
import { matchesWildcard } from '../../../src/base/matching';
import type { ApprovalRequest } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const MODES = `customModes:
  - slug: docs
    name: 📝 Writer
    roleDefinition: You write documents.
    whenToUse: For documents
    customInstructions: |-
      Be brief.
    groups:
      - read
      - - edit
        - fileRegex: \\.(md|mdx?)$
          description: Markdown
    source: project
  - slug: lead
    name: Lead
    roleDefinition: You lead.
    description: Leads
    groups: [read, command, mcp, browser, edit]
`;
const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'x\n' } });
const said = (problems: readonly { severity: string; message: string }[]) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

describe('Modes of Roo Code', () => {
  const files = {
    '.roomodes': MODES,
    '.roo/rules-docs/2.xml': '<second/>',
    '.roo/rules-docs/1.md': 'First.',
    '.roorules-lead': 'One file.',
    '.roo/rules-code/a.md': 'For a built-in mode.',
    '.roo/rules/all.md': 'For all.',
  };

  it('are agents with their texts, rules, and tools', () =>
    withWorld({ files, story: [] }, async ({ engine }) => {
      const docs = await engine.agent('docs');
      assert.equal(docs.description, 'For documents');
      assert.equal(
        docs.prompt,
        'You write documents.\n\nBe brief.\n\n# From .roo/rules-docs/1.md\nFirst.\n\n# From .roo/rules-docs/2.xml\n<second/>',
      );
      assert.deepEqual([docs.mode, docs.servers], ['all', []]);
      for (const name of ['fs_read', 'fs_edit', 'todo__init', 'user__ask']) assert.ok(docs.tools?.includes(name), name);
      for (const name of ['execute_command', 'fetch_url']) assert.ok(!docs.tools?.includes(name), name);
      const lead = await engine.agent('lead');
      assert.match(lead.prompt, /^You lead\.\n\n# From \.roorules-lead\nOne file\.$/);
      assert.deepEqual([lead.rules, lead.servers], [[], undefined]);
      for (const name of ['execute_command', 'fetch_url']) assert.ok(lead.tools?.includes(name), name);
      assert.deepEqual(said(await engine.agents.problems()), [
        'note: This is not used: “code” is not a mode that is defined in .roomodes.',
      ]);
    }));

  it('do without rules that lead out of the workspace, and say so', () =>
    withWorld({ files: { '.roomodes': MODES }, story: [] }, async ({ engine, folder }) => {
      await mkdir(join(folder, '../outside'));
      await writeFile(join(folder, '../outside/1.md'), 'Do not read this.');
      await mkdir(join(folder, '.roo'));
      await symlink('../../outside', join(folder, '.roo/rules-docs'), 'junction');
      assert.equal((await engine.agent('docs')).prompt, 'You write documents.\n\nBe brief.');
      assert.match(said(await engine.agents.problems()).join('\n'), /rules-docs is a link that leads out/);
    }));

  it('edit only the files that they may, although everything is approved', () =>
    withWorld(
      {
        files,
        story: [{ call: [write('a.md'), write('a.ts'), write('b.md.ts')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { events } = await world.play('write', { agent: 'docs' });
        const ends = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.status] : []));
        assert.deepEqual(ends, ['ok', 'rejected', 'rejected']);
      },
    ));

  it('cannot allow themselves an edit, since they come with a repository', () => {
    const asked: string[] = [];
    const approve = ({ title }: ApprovalRequest) => {
      asked.push(title);
      return { kind: 'reject', by: 'person' } as const;
    };
    const story = [{ call: [write('a.md'), write('a.ts')] }, { say: 'Done.' }];
    return withWorld({ files, approve, approvalMode: 'edits-and-commands', story }, async (world) => {
      const { events } = await world.play('write', { agent: 'docs' });
      const ends = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.status] : []));
      assert.deepEqual(ends, ['rejected', 'rejected']);
      assert.equal(asked.length, 1, asked.join());
      assert.match(asked[0] ?? '', /a\.md/);
    });
  });

  it('ask before every edit where the files that they may edit cannot be told', () =>
    withWorld(
      {
        files: { '.roomodes': MODES.replace(/fileRegex: .*/, 'fileRegex: ^(?!src).*$') },
        story: [],
      },
      async ({ engine }) => {
        assert.deepEqual((await engine.agent('docs')).rules, [{ tool: 'category:write', action: 'ask' }]);
        assert.match(said(await engine.agents.problems()).join('\n'), /warning: The “fileRegex” .* every edit .* asks/);
      },
    ));

  it('may be JSON, and are refused one by one where a limit is missing', () => {
    const json = {
      customModes: [
        { slug: 'good', name: 'Good', roleDefinition: 'You are good.', groups: ['read', 'telepathy'] },
        { slug: 'open', name: 'Open', roleDefinition: 'You are open.' },
      ],
    };
    return withWorld({ files: { '.roomodes': JSON.stringify(json, null, '\t') }, story: [] }, async ({ engine }) => {
      assert.equal((await engine.agent('good')).prompt, 'You are good.');
      await assert.rejects(engine.agent('open'));
      const problems = said(await engine.agents.problems()).join('\n');
      assert.match(problems, /warning: “telepathy” is not a group of tools/);
      assert.match(problems, /error: .*groups/);
    });
  });

  it('of Kilo Code are read too', async () => {
    const kilo = { '.kilocodemodes': MODES, '.kilocode/rules-docs/a.md': 'Of Kilo.' };
    await withWorld({ files: kilo, story: [] }, async ({ engine }) =>
      assert.match((await engine.agent('docs')).prompt, /Of Kilo\.$/),
    );
  });
});

describe('The files that a mode may edit', () => {
  const matches = (regex: string, path: string) => pathPatterns(regex)?.some((one) => matchesWildcard(one, path));

  it('are the same as with its expression', () => {
    const paths = [
      'a.md',
      'docs/a.md',
      'a.mdx',
      'a.ts',
      'src/a.tsx',
      'docs/x.json',
      'docsx',
      'README',
      '.roomodes',
      'a-md',
    ];
    const expressions = [
      '\\.md$',
      '\\.(md|mdx)$',
      '\\.mdx?$',
      '^docs/.*\\.(md|json)$',
      '.*\\.tsx?$',
      '(\\.roomodes$|\\.ts$|.*\\.md$)',
      '^README$|^docs\\/',
      'docs',
      '\\.[jt]sx?$',
      '^(?:src|docs)/',
    ];
    for (const regex of expressions)
      for (const path of paths) assert.equal(matches(regex, path), new RegExp(regex).test(path), `${regex} on ${path}`);
  });

  it('are unknown for expressions that no pattern can replace', () => {
    for (const regex of [
      '^(?!src).*$',
      '\\w+\\.md',
      '[^/]+\\.md$',
      'a{2}',
      '(a|b',
      'a)',
      'x[a-z]',
      '\\d',
      '(a?){9}',
      'a$b',
    ])
      assert.equal(pathPatterns(regex), undefined, regex);
    assert.equal(pathPatterns('(a|b)'.repeat(9)), undefined);
  });
});
