import assert from 'node:assert/strict';
import { scenes } from './preview/scenes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

describe('Accessibility of the panel', () => {
  const open = panelSuite();

  const all = scenes();

  it('includes no animation when reduced motion is preferred', async () => {
    for (const name of ['thinking', 'command', 'approval']) {
      const { page } = await open({ state: all[name] ?? chat(), reduceMotion: true });
      const moving =
        "document.getAnimations().filter((one) => one.timeline === document.timeline && one.playState === 'running').length";
      assert.equal(await page.evaluate<number>(moving), 0, name);
    }
  });
});
