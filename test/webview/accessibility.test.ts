import assert from 'node:assert/strict';
import { scenes } from './preview/scenes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

describe('The panel for everyone', () => {
  const open = panelSuite();

  const all = scenes();

  it('moves nothing for those who do not want it', async () => {
    for (const name of ['thinking', 'command', 'approval']) {
      const { page } = await open({ state: all[name] ?? chat(), reduceMotion: true });
      const moving =
        "document.getAnimations().filter((one) => one.timeline === document.timeline && one.playState === 'running').length";
      assert.equal(await page.evaluate<number>(moving), 0, name);
    }
  });
});
