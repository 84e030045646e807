import assert from 'node:assert/strict';
import { scenes } from './preview/scenes';
import { themes } from './preview/themes';
import { packageFile } from './support/bundlePanel';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[];
}

describe('The panel for everyone', () => {
  const open = panelSuite();

  const all = scenes();
  const chosen = {
    darkModern: Object.keys(all),
    lightModern: Object.keys(all),
    highContrast: ['approval', 'notices', 'edits', 'review'],
    highContrastLight: ['approval', 'finished', 'parts'],
  };
  for (const theme of ['darkModern', 'lightModern', 'highContrast', 'highContrastLight'] as const) {
    for (const name of chosen[theme]) {
      it(`has nothing for axe to find in "${name}" in ${theme}`, async () => {
        const { page } = await open({ state: all[name] ?? chat(), theme: themes[theme] });
        await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
        const { violations } = await page.evaluate<AxeResult>('axe.run()');
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`),
          [],
        );
      });
    }
  }
});
