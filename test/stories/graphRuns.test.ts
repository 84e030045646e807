import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pageFrame } from '../editor/pageFrame';
import { pressKey } from '../editor/pressKey';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { chooseAgent } from '../support/chooseAgent';
import { FLOW } from '../support/graphStory';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };

describe('The drawing of a graph run', () => {
  story(
    'follows its nodes while it asks and continues, and is shown again from its record next to another run',
    {
      settings,
      model: [
        { when: ({ lastText }) => lastText === 'Plan a tower', step: { say: 'A tower of stones.' } },
        { when: ({ lastText }) => lastText === 'Plan a wall', step: { say: 'A wall of bricks.' } },
      ],
    },
    async ({ session, window, panel }) => {
      const path = join(session.configDir, 'agents/flow/graph.yaml');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, FLOW);
      await panel.open();
      await chooseAgent(panel, 'flow');
      await panel.send('a tower');
      const chat = await panel.frame();
      await chat.getByText('Do this? A tower of stones.').first().waitFor();
      await panel.press('Show the graph flow');
      const frame = await pageFrame(window, 'Graph run: flow');
      const box = (name: RegExp) => frame.getByRole('button', { name });
      await box(/^plan, done · .*Went to gate$/).waitFor();
      await box(/^gate, asking you · /).waitFor();
      await box(/^done, waiting$/).waitFor();
      await panel.answer('Do it');
      await box(/^gate, done · .*Went to done$/).waitFor();
      await box(/^done, done · /).waitFor();
      await box(/^left, skipped$/).waitFor();
      await frame.getByText(/^completed · /).waitFor();

      await pressKey(box(/^plan, /));
      const detail = frame.getByRole('region', { name: 'What plan did' });
      await detail.getByText('Plan a tower').waitFor();
      await detail.getByRole('row', { name: 'plan not set A tower of stones.' }).waitFor();
      await pressKey(detail.getByRole('button', { name: 'Close' }));
      await detail.waitFor({ state: 'detached' });
      const toggle = frame.getByRole('button', { name: 'Show timeline' });
      if ((await toggle.getAttribute('aria-pressed')) === 'false') await pressKey(toggle);
      const lanes = frame.getByRole('group', { name: 'Timeline' }).getByRole('rowheader');
      await until('the lane of each node', async () => (await lanes.count()) === 3);
      assert.deepEqual(
        (await lanes.allInnerTexts()).map((text) => /\w+/.exec(text)?.[0]),
        ['plan', 'gate', 'done'],
      );

      await panel.send('a wall');
      await chat.getByText('Do this? A wall of bricks.').first().waitFor();
      await panel.answer('Leave it');
      await panel.waitForText('Nothing was done.', 'text');
      await window.startCommand('workbench.action.closeAllEditors');
      await until('the page to be closed', () => frame.isDetached());
      const list = new QuickList(window);
      await list.open('cairn.showGraphRuns');
      await until(
        'both runs',
        async () => (await list.rows()).filter((row) => /flow.*completed/.test(row)).length === 2,
      );
      await list.input().fill('tower');
      await until('the one that is meant', async () => (await list.rows()).length === 1);
      await list.accept();
      const again = await pageFrame(window, 'Graph run: flow');
      await again.getByRole('button', { name: /^done, done · / }).waitFor();
      await again.getByRole('button', { name: /^left, skipped$/ }).waitFor();
      await pressKey(again.getByRole('button', { name: /^plan, / }));
      await again.getByRole('region', { name: 'What plan did' }).getByText('Plan a tower').waitFor();
    },
  );
});
