import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { EditorSession } from '../editor/editorSession';
import { Panel } from '../editor/panel';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const WAITS = 'This session is running in another window';
const HELD = { say: 'The first answer, and after a while its end.', chunk: 17, hold: 'first' };

describe('Two windows with one session', () => {
  story(
    'take turns: the second queues messages until the first is done, and each shows what the other wrote',
    { settings, model: [HELD, { say: 'The second answer.' }] },
    async ({ session, panel, model }) => {
      const other = await besideOneAtWork(panel, session);
      await other.waitForText('from the first window', 'user');
      await other.waitForText(WAITS, 'notice');
      assert.equal((await other.entries()).filter(({ text }) => text.includes('interrupted')).length, 0);
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
      await panel.waitForText('The second answer.', 'text');
    },
  );

  story(
    'lose nothing when the second is stopped and reloaded: the queued message is kept and can be edited',
    { settings, model: [{ say: 'Here I am.' }] },
    async ({ session, window, panel }) => {
      await panel.open();
      await panel.send('before');
      await panel.waitForText('Here I am.', 'text');
      await until('the run to be whole on disk', async () => (await kept(session, 'run-finished')).length === 1);
      // This test's process acts as the other window.
      await writeFile(path.join(await folderOf(session), 'run.lock'), `${hostname()} ${process.pid} other`);
      await panel.send('from the second window');
      await until('the message to wait', async () => (await waiting(panel)).includes('from the second window'));
      await panel.stop();
      await until('the run to be over', async () => (await (await panel.button('Stop')).count()) === 0);

      await window.reload();
      await until('the message to wait again', async () => (await waiting(panel)).includes('from the second window'));
      await panel.press('Edit queued message');
      const typed = async () => (await panel.composer()).inputValue();
      await until('the words to be in the composer', async () => (await typed()) === 'from the second window');
      assert.equal((await kept(session, 'message')).length, 2);
    },
  );
});

/** The panel of a second window, on a session in which the first one waits for the rest of an answer. */
async function besideOneAtWork(panel: Panel, session: EditorSession): Promise<Panel> {
  await panel.open();
  await panel.send('from the first window');
  await panel.waitForText('The first answer,', 'text');
  const other = new Panel(await session.openWindow());
  await other.open();
  return other;
}

const FIRST = ['from the first window', HELD.say];

/** The queued messages as shown. */
async function waiting(panel: Panel): Promise<string> {
  return (await (await panel.locate('.queued')).allInnerTexts()).join('\n');
}

/** The history lines of that type in the only session. */
async function kept(session: EditorSession, type: string): Promise<string[]> {
  const lines = (await readFile(path.join(await folderOf(session), 'history.jsonl'), 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith(`{"type":"${type}"`));
}

/** The folder of the only session. */
async function folderOf({ configDir }: EditorSession): Promise<string> {
  const sessions = path.join(configDir, 'sessions');
  const [id = '', ...others] = await readdir(sessions);
  assert.deepEqual(others, []);
  return path.join(sessions, id);
}
