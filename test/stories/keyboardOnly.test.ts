import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import type { Panel } from '../editor/panel';
import { pressChord } from '../editor/pressChord';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const files = { 'notes.txt': 'one\ntwo\n' };
const edit = { name: 'fs_edit', arguments: { path: 'notes.txt', old_string: 'two', new_string: 'better' } };
const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const command = { name: 'execute_command', arguments: { command: 'echo unwanted > made.txt' } };
/** The maximum number of tab stops across the panel. */
const MOST_STOPS = 60;

/** The accessible name of the focused control. */
async function focused(panel: Panel): Promise<string> {
  return (await panel.frame()).evaluate<string>(`(() => {
    const { activeElement } = document;
    if (!document.hasFocus() || !activeElement) return '';
    return activeElement.ariaLabel || activeElement.title || activeElement.innerText || '';
  })()`);
}

/** Moves focus from stop to stop, each time once the last key has moved it, until a control with that name has it. */
async function tabTo(panel: Panel, name: RegExp, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  const seen: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    seen.push(await focused(panel));
    if (name.test(seen.at(-1) ?? '')) return;
    const frame = await panel.frame();
    await frame.evaluate('void (window.lastStop = document.activeElement)');
    await panel.window.page.keyboard.press(key);
    const hasMoved = '!document.hasFocus() || document.activeElement !== window.lastStop';
    await until(`${key} to move the focus`, () => frame.evaluate<boolean>(hasMoved));
  }
  assert.fail(`${key} did not come to ${String(name)}, but to ${seen.join(' | ')}`);
}

function isIn(panel: Panel, name: string): Promise<boolean> {
  return until(`the focus in ${name}`, async () => (await focused(panel)) === name);
}

describe('The keyboard alone', () => {
  const scene = chapter({ settings, files });

  scene(
    'is enough to send a message with a file, accept an edit, reject a command, and read the changes',
    [{ call: [read] }, { call: [edit] }, { call: [command] }, { say: 'All done.' }],
    async ({ panel, window, workspace }) => {
      const { keyboard } = window.page;
      await panel.open();
      await keyboard.type('Make it better, see @notes');
      await (await panel.frame()).getByRole('option', { name: /notes\.txt/, selected: true }).waitFor();
      await keyboard.press('Enter');
      await (await panel.frame()).getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
      await keyboard.press('Enter');
      await panel.answerByKeys('Control+Enter');
      await until('the edit to be written', async () => (await workspace.read('notes.txt')).includes('better'));
      await until('the command to be asked about', async () => (await panel.waitForApproval()).includes('made.txt'));
      await panel.answerByKeys('Control+Backspace');
      await until('it to be rejected', async () => (await panel.entries()).some(({ status }) => status === 'rejected'));
      await panel.waitForText('All done.', 'text');
      await panel.untilIdle();
      await isIn(panel, 'Message');
      await tabTo(panel, /^Edit notes\.txt/, 'Shift+Tab');
      await keyboard.press('Enter');
      await (await panel.frame()).getByRole('group', { name: 'Changes to notes.txt' }).waitFor();
      await keyboard.press('Escape');
      await isIn(panel, 'Message');
      await assert.rejects(workspace.read('made.txt'), /ENOENT/);
    },
  );

  scene(
    'is enough to choose a model, start another session, and return to the first one',
    [{ say: 'The first answer.' }],
    async ({ panel, window }) => {
      const { keyboard } = window.page;
      await panel.open();
      await keyboard.type('The first question');
      await keyboard.press('Enter');
      await panel.waitForText('The first answer.', 'text');
      await panel.untilIdle();
      await tabTo(panel, /^Model: /, 'Tab');
      await keyboard.press('Enter');
      await new QuickList(window).focused();
      await keyboard.press('Escape');
      await isIn(panel, 'Message');
      const isEmpty = async () => (await panel.entries()).length === 0;
      await pressChord(window, ['Control+K', 'Control+Shift+J'], isEmpty);
      await isIn(panel, 'Message');
      await tabTo(panel, /^New session$/, 'Shift+Tab');
      await keyboard.press('Enter');
      await isIn(panel, 'Search sessions');
      await keyboard.type('first question');
      const rows = await panel.locate('.session-row');
      await until('one row', async () => /^The first question/.test((await rows.allInnerTexts()).join()));
      await keyboard.press('ArrowDown');
      await until('the focus on it', async () => (await focused(panel)).startsWith('The first question'));
      await keyboard.press('Enter');
      await panel.waitForText('The first answer.', 'text');
    },
  );
});
