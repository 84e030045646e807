import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ContentKind, Engine } from '../../../src/engine';
import { customizationRows, nodeText } from '../../../src/host/customize/customizationNode';
import { withWorld } from '../../support/engineWorld';

const agent = (head: string) => `---\n${head}\n---\nHelp.\n`;

async function rowsOf(engine: Engine): Promise<string[]> {
  const all = (await engine.agents.all()).map((one) => ({ ...one, agent: one }));
  const contents = { kind: 'agents' as ContentKind, all, problems: await engine.agents.problems() };
  return customizationRows(contents).map((row) =>
    row.type === 'item' ? `${row.name}: ${nodeText(row)}` : `${row.path}: ${row.problem.message}`,
  );
}

describe('The rows of the Customizations view', () => {
  it('show where each comes from, what replaces it, who may start it, and what is broken', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/coder.md': agent('description: Mine'),
          '.cairn/agents/mine.md': agent('description: Mine'),
          '.claude/agents/mine.md': agent('description: Of Claude'),
          '.opencode/agents/ghost.md': agent('mode: primary\nhidden: true'),
          '.github/agents/tester.agent.md': agent('description: Tests'),
          '.cairn/agents/demo.md': agent('disable: true'),
          '.cairn/agents/broken.md': agent('mood: good\nmodel: 1'),
        },
      },
      async ({ engine, folder }) => {
        const rows = await rowsOf(engine);
        const crew = [
          ...['oracle', 'sisyphus', 'explore', 'sql', 'code-reviewer', 'file-reviewer', 'report-writer', 'librarian'],
          ...['deep-research', 'careful-coder'],
        ];
        assert.deepEqual(
          rows.filter((row) => !crew.includes(row.split(':')[0] ?? '')),
          [
            'coder: workspace',
            'coder: built-in · replaced by workspace',
            'demo: workspace · turned off',
            'demo: built-in · replaced by workspace',
            'ghost: workspace, OpenCode · hidden',
            'mine: workspace',
            'mine: workspace, Claude · replaced by workspace',
            'tester: workspace, Copilot',
            `${join(folder, '.cairn/agents/broken.md')}: Unknown key “mood”. It has no effect here. Remove it.`,
          ],
        );
        assert.ok(rows.includes('file-reviewer: built-in · for other agents'), rows.join('\n'));
        assert.ok(rows.includes('careful-coder: built-in'), rows.join('\n'));
      },
    ));
});
