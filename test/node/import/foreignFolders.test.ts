import assert from 'node:assert/strict';
import { scanSource, sourcesNamed } from '../../../src/node/import/importSources';
import type { ImportItem } from '../../../src/node/import/importItem';
import { temporaryFolder } from '../temporaryFolder';

const NOWHERE = { home: '/nowhere', env: {}, platform: 'linux', own: '/nowhere/cairn' } as const;

/** What can be imported from a tool's folder with these files. */
async function itemsOf(tool: string, files: Readonly<Record<string, string>>): Promise<ImportItem[]> {
  const folder = await temporaryFolder();
  try {
    await folder.write(files);
    const [source] = await sourcesNamed(`${tool}:${folder.path}`, NOWHERE, new AbortController().signal);
    assert.ok(source);
    const { found } = await scanSource(source, {});
    assert.deepEqual(found.problems, []);
    return [...found.items];
  } finally {
    await folder.remove();
  }
}

describe('An item imported from another tool’s folder', () => {
  it('is an AIChat agent, even if its functions folder itself is given', async () => {
    const [item] = await itemsOf('aichat', {
      'agents/baker/index.yaml': 'name: Baker\ndescription: Bakes\ninstructions: You bake.\n',
    });
    assert.ok(item?.content.type === 'files');
    assert.deepEqual(
      item.content.files.map(({ path }) => path),
      ['config.yaml'],
    );
  });

  it('is a Coyote graph, without a note that it does not run', async () => {
    const [item] = await itemsOf('coyote', { 'agents/flow/graph.yaml': 'nodes: {}\n' });
    assert.deepEqual(
      [item?.kind, item?.name, item?.notes.filter((note) => /graph/i.test(note))],
      ['agent', 'flow', []],
    );
  });

  it('also includes the denials of OpenCode’s old switches', async () => {
    const items = await itemsOf('opencode', {
      'opencode.json': '{"tools": {"bash": false, "slack_*": false, "read": true}}',
    });
    const rules = items.flatMap(({ content }) => (content.type === 'rules' ? content.rules : []));
    for (const tool of ['execute_command', 'mcp__slack__*'])
      assert.ok(
        rules.some((rule) => rule.tool === tool && rule.action === 'deny'),
        tool,
      );
    assert.ok(!rules.some((rule) => rule.tool === 'fs_read'));
  });

  it('is an agent of Claude Code, with its limits and the tools of its servers', async () => {
    const head = 'name: pilot\ndescription: Guides\ntools: Read, mcp__tides__next, Unknown\nmaxTurns: 7\nmodel: opus\n';
    const [item] = await itemsOf('claude', { 'agents/pilot.md': `---\n${head}---\nGuide.\n` });
    assert.ok(item?.content.type === 'files');
    const text = Buffer.from(item.content.files[0]?.bytes ?? []).toString();
    assert.match(
      text,
      /^---\ndescription: Guides\nmode: subagent\nmax_turns: 7\ntools:\n {2}- fs_read\n {2}- fs_cat\n {2}- mcp__tides__next\n---\nGuide\.\n$/,
    );
    assert.match(
      item.notes.join(' '),
      /“Unknown” was left out.*“opus” is a name that only Claude Code knows|“opus” is.*“Unknown” was/,
    );
  });
});

describe('A folder whose tool the user does not name', () => {
  const tools: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    coyote: { 'roles/a.md': 'A.' },
    aichat: { 'functions/agents/a/index.yaml': 'name: A\n' },
    claude: { 'projects/-work/a.jsonl': '' },
    opencode: { 'opencode.json': '{}' },
    goose: { 'config.yaml': 'GOOSE_MODEL: a\n' },
  };
  for (const [tool, files] of Object.entries(tools))
    it(`is recognized by what is in it: ${tool}`, async () => {
      const folder = await temporaryFolder();
      try {
        await folder.write(files);
        const sources = await sourcesNamed(folder.path, NOWHERE, new AbortController().signal);
        assert.deepEqual(
          sources.map((one) => [one.tool.id, one.isHome]),
          [[tool, false]],
        );
      } finally {
        await folder.remove();
      }
    });
});
