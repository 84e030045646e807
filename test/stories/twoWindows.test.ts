import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { EditorSession } from '../editor/editorSession';
import { Panel } from '../editor/panel';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const WAITS = 'This session is at work in another window';
const HELD = { say: 'The first answer, and after a while its end.', chunk: 17, hold: 'first' };

describe('two windows on one session', () => {
  story(
    'take turns: the second keeps what is sent until the first is done, shows what that wrote, and goes on',
    { settings, model: [HELD, { say: 'The second answer.' }] },
    async ({ session, panel, model }) => {
      const other = await besideOneAtWork(panel, session);
      await other.waitForText('from the first window', 'user');
      await other.waitForText(WAITS, 'notice');
      assert.equal((await other.entries()).filter(({ text }) => text.includes('cut off')).length, 0);
      await other.send('from the second window');
      await until('the message to wait', async () => (await waiting(other)).includes('from the second window'));
      await until('the state to say so', async () => /Waiting for another window/.test(await other.runState()));
      assert.equal(model.requests.length, 1);

      model.release('first');
      await panel.waitForText('and after a while its end.', 'text');
      await other.waitForText('The second answer.', 'text');
      const told = (await other.entries()).filter(({ kind }) => kind === 'user' || kind === 'text');
      const words = told.map(({ text }) => text.split('\n').at(-1));
      assert.deepEqual(words, [...FIRST, 'from the second window', 'The second answer.']);
      await until('nothing to wait', async () => (await waiting(other)) === '');
      assert.deepEqual(
        model.requests
          .find(({ lastText }) => lastText === 'from the second window')
          ?.messages.filter(({ role }) => role !== 'system')
          .map(({ text }) => text),
        words.slice(0, -1),
      );
      await until('both runs to be whole on disk', async () => (await kept(session, 'run-finished')).length === 2);
      assert.equal((await kept(session, 'message')).length, 4);
    },
  );

  story(
    'lose nothing when the second gives up waiting: what was typed is in its composer again',
    { settings, model: [HELD] },
    async ({ session, panel, model }) => {
      const other = await besideOneAtWork(panel, session);
      await other.waitForText(WAITS, 'notice');
      await other.send('from the second window');
      await until('the message to wait', async () => (await waiting(other)).includes('from the second window'));
      await other.stop();
      await until('the run to be over', async () => (await (await other.button('Stop')).count()) === 0);
      await other.press('Edit queued message');
      const typed = async () => (await other.composer()).inputValue();
      await until('the words to be in the composer', async () => (await typed()) === 'from the second window');

      model.release('first');
      await panel.waitForText('and after a while its end.', 'text');
      await until('the run to be whole on disk', async () => (await kept(session, 'run-finished')).length === 1);
      assert.equal((await kept(session, 'message')).length, 2);
    },
  );
});

/** The panel of a second window, on the session in which the first waits for the rest of an answer. */
async function besideOneAtWork(panel: Panel, session: EditorSession): Promise<Panel> {
  await panel.open();
  await panel.send('from the first window');
  await panel.waitForText('The first answer,', 'text');
  const other = new Panel(await session.openWindow());
  await other.open();
  return other;
}

const FIRST = ['from the first window', HELD.say];

/** The messages that wait, as they are shown. */
async function waiting(panel: Panel): Promise<string> {
  return (await (await panel.locate('.queued')).allInnerTexts()).join('\n');
}

/** The lines of that type in the history of the one session. */
async function kept({ configDir }: EditorSession, type: string): Promise<string[]> {
  const sessions = path.join(configDir, 'sessions');
  const [id = '', ...others] = await readdir(sessions);
  assert.deepEqual(others, []);
  const lines = (await readFile(path.join(sessions, id, 'history.jsonl'), 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith(`{"type":"${type}"`));
}
