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
});
