import assert from 'node:assert/strict';
import { openedParts, type Pose } from './preview/openedParts';
import { scenes } from './preview/scenes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';
import { resizePage } from './support/resizePage';
import { SMALL_TARGETS } from './support/targetProbes';

describe('A click target', () => {
  const open = panelSuite();
  const all = scenes();
  const unopened = Object.keys(all).map((scene): [string, Pose] => [scene, { scene, act: () => Promise.resolve() }]);

  for (const [name, { scene, act }] of [...unopened, ...Object.entries(openedParts)]) {
    it(`in “${name}” is at least 24 pixels wide and high, even in a narrow panel`, async function () {
      this.timeout(120_000);
      const { page, host } = await open({ state: all[scene] ?? chat(), width: 240 });
      await act(page, host);
      for (const width of [240, 380]) {
        await resizePage(page, width);
        assert.deepEqual(await page.evaluate<string[]>(SMALL_TARGETS), [], `${width} pixels wide`);
      }
    });
  }
});
