import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openedParts } from './preview/openedParts';
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
        assert.deepEqual(await findings(page), []);
      });
    }
    for (const [name, { scene, act }] of Object.entries(openedParts)) {
      it(`has nothing for axe to find with "${name}" open in ${theme}`, async () => {
        const { page, host } = await open({ state: all[scene] ?? chat(), theme: themes[theme] });
        await act(page, host);
        assert.deepEqual(await findings(page), []);
      });
    }
  }

  it('moves nothing for those who do not want it', async () => {
    for (const name of ['thinking', 'command', 'approval']) {
      const { page } = await open({ state: all[name] ?? chat(), reduceMotion: true });
      const moving =
        "document.getAnimations().filter((one) => one.timeline === document.timeline && one.playState === 'running').length";
      assert.equal(await page.evaluate<number>(moving), 0, name);
    }
  });
});

async function findings(page: Page): Promise<string[]> {
  await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
  const { violations } = await page.evaluate<AxeResult>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`);
}
