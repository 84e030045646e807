import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const write = { name: 'fs_write', arguments: { path: 'new.txt', contents: 'here\n' } };

describe('A session', () => {
  const scene = chapter({ settings });

  story(
    'survives a kill of the extension host in the middle of a run',
    {
      settings,
      model: [{ say: 'First answer.' }, { say: 'Second, half', chunk: 8, hold: 'never' }, { say: 'Third.' }],
    },
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('one');
      await panel.waitForText('First answer.', 'text');
      await panel.waitForText(/\d s|ms/, 'turn');
      await panel.send('two');
      await panel.waitForText('Second,', 'text');
      await window.killExtensionHost();
      await window.page.reload();
      await window.ready();
      await panel.open();
      await panel.waitForText('First answer.', 'text');
      await panel.waitForText('two', 'user');
      await panel.press('Continue');
      await panel.waitForText('Third.', 'text');
    },
  );

  scene(
    'survives a reload of the panel in the middle of a stream',
    [{ say: 'The beginning, and after a while the end.', chunk: 13, hold: 'middle' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('tell me');
      await panel.waitForText('The beginning', 'text');
      await (await panel.composer()).fill('a draft that I was typing');
      // The panel saves its draft shortly after the last keystroke.
      await until('the draft to be kept', async () => (await draftOf(panel)) === 'a draft that I was typing');
      await window.reloadWebviews();
      await panel.waitForText('The beginning', 'text');
      await until('the draft to be back', async () => (await draftOf(panel)) === 'a draft that I was typing');
      model.release('middle');
      const entry = await panel.waitForText('and after a while the end.', 'text');
      assert.equal(entry.text.match(/The beginning/g)?.length, 1);
    },
  );

  scene(
    'survives a reload of the panel while an approval is pending',
    [{ call: [write] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('write');
      await panel.waitForApproval();
      await window.reloadWebviews();
      await panel.approve();
      await panel.waitForText('Written.', 'text');
      assert.equal(await workspace.read('new.txt'), 'here\n');
    },
  );

  scene(
    'survives a reload of the window while an approval is pending, and asks again',
    [{ call: [write] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('write');
      await panel.waitForApproval();
      await window.reload();
      await panel.open();
      await panel.waitForText('interrupted', 'notice');
      await panel.press('Continue');
      await panel.approve();
      await panel.waitForText('Written.', 'text');
      assert.equal(await workspace.read('new.txt'), 'here\n');
    },
  );

  scene(
    'is still there after another one is started, each with its own messages',
    [{ say: 'About apples.' }, { say: 'About pears.' }],
    async ({ panel }) => {
      await panel.open();
      await panel.send('apples');
      await panel.waitForText('About apples.', 'text');
      await panel.newSession();
      await until('an empty panel', async () => (await panel.entries()).length === 0);
      await panel.send('pears');
      await panel.waitForText('About pears.', 'text');
      assert.equal(
        (await panel.entries()).some(({ text }) => text.includes('apples')),
        false,
      );
      await panel.openSession('apples');
      await panel.waitForText('About apples.', 'text');
      assert.equal(
        (await panel.entries()).some(({ text }) => text.includes('pears')),
        false,
      );
    },
  );
});

async function draftOf(panel: { composer(): Promise<{ inputValue(): Promise<string> }> }): Promise<string> {
  return (await panel.composer()).inputValue();
}
