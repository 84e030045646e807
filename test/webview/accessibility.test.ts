import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { scenes } from './preview/scenes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

describe('Accessibility of the panel', () => {
  const open = panelSuite();

  const all = scenes();

  it('includes no animation when reduced motion is preferred', async () => {
    const moving =
      "document.getAnimations().filter((one) => one.timeline === document.timeline && one.playState === 'running').length";
    const lively = await open({ state: all['thinking'] ?? chat(), reduceMotion: false });
    await until('something to move otherwise', () => lively.page.evaluate<number>(moving));
    for (const name of ['thinking', 'command', 'approval']) {
      const { page } = await open({ state: all[name] ?? chat(), reduceMotion: true });
      assert.equal(await page.evaluate<number>(moving), 0, name);
    }
  });
});
