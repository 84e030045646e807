import { until } from '../editor/until';
import { QuickList } from '../support/quickList';
import type { Scene } from './scene';

/** Scenes of the walkthrough that appear in no other screenshot. */
export const walkthroughScenes: readonly Scene[] = [
  {
    name: 'models',
    story: [],
    play: () => Promise.resolve(),
    async pose(window) {
      const list = new QuickList(window);
      // The previous screenshot's list stays open through a change of theme.
      if (await list.input().isVisible()) await list.dismiss();
      await list.open('cairn.chooseModel');
      await list.waitForRow('GPT-5');
    },
    after: (window) => new QuickList(window).dismiss(),
  },
  {
    name: 'context',
    story: [],
    async play(panel, window) {
      await window.ev(({ vscode }) => {
        const editor = vscode.window.activeTextEditor;
        if (editor) editor.selection = new vscode.Selection(6, 0, 8, 0);
        return null;
      });
      await window.command('cairn.addSelection');
      const chip = (await panel.frame()).locator('.chip', { hasText: 'parseDate.ts' });
      await until('the selection in the message', async () => (await chip.count()) > 0);
      await (await panel.composer()).fill('Why is the time zone of the user ignored here?');
    },
  },
];
