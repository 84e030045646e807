import assert from 'node:assert/strict';
import { scenes } from './preview/scenes';
import { themes } from './preview/themes';
import { packageFile } from './support/bundlePanel';
import { panelSuite } from './support/panelSuite';

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[];
}

describe('The panel for everyone', () => {
  const open = panelSuite();

  for (const theme of ['darkModern', 'lightModern', 'highContrast', 'highContrastLight'] as const) {
    for (const [name, state] of Object.entries(scenes())) {
      it(`has nothing for axe to find in "${name}" in ${theme}`, async () => {
        const { page } = await open({ state, theme: themes[theme] });
        await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
        const { violations } = (await page.evaluate('axe.run()')) satisfies unknown as AxeResult;
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`),
          [],
        );
      });
    }
  }
});
