import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { chapter } from '../editor/chapter';
import { pageFrame } from '../editor/pageFrame';
import { pressKey } from '../editor/pressKey';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { beginGraph, FLOW, nodeBox as box } from '../support/graphStory';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };
const file = (agent: string) => `.cairn/agents/${agent}/graph.yaml`;

const PLANS = [
  { when: ({ lastText }: ModelRequest) => lastText === 'Plan a tower', step: { say: 'A tower of stones.' } },
];

const button = (frame: Frame, name: string | RegExp) => frame.getByRole('button', { name, exact: true });

describe('A graph run controlled from its page', () => {
  const scene = chapter({ settings, viewport: { width: 1900, height: 1000 } });

  scene(
    'pauses after the current node, and continues without asking again',
    { model: PLANS, files: { [file('flow')]: FLOW } },
    async ({ window, panel, model }) => {
      const frame = await beginGraph(window, panel, 'a tower');
      await box(frame, /^gate, asking you · /).waitFor();
      // Next to the drawing, because there is room for both.
      const lanes = frame.getByRole('group', { name: 'Timeline' }).getByRole('rowheader');
      await until('a lane for each node so far', async () => (await lanes.count()) === 2);
      await pressKey(button(frame, 'Pause'));
      await frame.getByText('Pausing after this step…').waitFor();
      await panel.answer('Do it');
      await frame.getByText(/^paused · /).waitFor();
      await frame.getByText('Pausing after this step…').waitFor({ state: 'detached' });
      await pressKey(button(frame, 'Continue'));
      await frame.getByText(/^completed · /).waitFor();
      await panel.waitForText('Built: A tower of stones.', 'text');
      assert.equal(model.requests.filter(({ lastText }) => lastText === 'Plan a tower').length, 1);
    },
  );

  scene(
    'continues after the window is reloaded while it asks',
    { model: PLANS, files: { [file('flow')]: FLOW } },
    async ({ window, panel, model }) => {
      const before = await beginGraph(window, panel, 'a tower');
      await box(before, /^gate, asking you · /).waitFor();
      await window.reload();
      await panel.open();
      await panel.waitForText('interrupted', 'notice');
      await panel.press('Continue');
      await (await panel.frame()).getByText('Do this? A tower of stones.').first().waitFor();
      await panel.press('Show the graph flow');
      const frame = await pageFrame(window, 'Graph run: flow');
      await box(frame, /^plan, done · /).waitFor();
      await box(frame, /^gate, asking you · /).waitFor();
      await panel.answer('Do it');
      await frame.getByText(/^completed · /).waitFor();
      await panel.waitForText('Built: A tower of stones.', 'text');
      assert.equal(model.requests.filter(({ lastText }) => lastText === 'Plan a tower').length, 1);
    },
  );

  scene(
    'can be stopped while it asks',
    { model: PLANS, files: { [file('flow')]: FLOW } },
    async ({ window, panel }) => {
      const frame = await beginGraph(window, panel, 'a tower');
      await box(frame, /^gate, asking you · /).waitFor();
      await pressKey(button(frame, 'Stop'));
      await frame.getByText(/^stopped · /).waitFor();
      await box(frame, /^gate, stopped/).waitFor();
    },
  );

  scene(
    'can be repeated from a node with an edited state, and both runs can be compared',
    { model: PLANS, files: { [file('flow')]: FLOW } },
    async ({ window, panel }) => {
      const frame = await beginGraph(window, panel, 'a tower');
      await panel.answer('Leave it');
      await frame.getByText(/^completed · /).waitFor();
      await pressKey(box(frame, /^gate, done · /));
      await pressKey(button(frame, 'Retry from here…'));
      const state = frame.getByRole('textbox', { name: 'State to begin with, as JSON' });
      const before = await state.inputValue();
      await state.fill('{ "plan": ');
      await pressKey(button(frame, 'Retry'));
      await frame.getByText('The state is not a JSON object.').waitFor();
      await state.fill(before.replace('stones', 'glass'));
      await pressKey(button(frame, 'Retry'));
      const chat = await panel.frame();
      await chat.getByText('Do this? A tower of glass.').first().waitFor();
      await panel.answer('Do it');
      await panel.waitForText('Built: A tower of glass.', 'text');

      await until('the page of the first run to be hidden', () => frame.isDetached());
      const again = await pageFrame(window, 'Graph run: flow');
      await pressKey(button(again, 'Compare…'));
      const list = new QuickList(window);
      await list.waitForRow(/flow.*completed/);
      await list.accept();
      const rows = again.getByRole('region', { name: 'Comparison' }).getByRole('row');
      await rows.filter({ hasText: 'went to left' }).waitFor();
      const words = (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
      assert.match(words.find((row) => row.startsWith('plan')) ?? '', /same/);
      assert.match(words.find((row) => row.startsWith('gate')) ?? '', /went to done.*went to left.*differs/);
      assert.match(words.find((row) => row.startsWith('left')) ?? '', /did not run.*done/);
    },
  );
});
