import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { COMMAND_RECORDS } from '../../src/host/commands/commandRecords';
import { until } from '../editor/until';
import { chat, run, text, tool, user } from './support/chats';
import { scrollTop } from './support/domProbes';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';

describe('Panel and host', () => {
  const open = panelSuite();

  it('reopen the chat after a gap', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    host.silently({ type: 'entry-added', entry: text('lost', 'Missed words') });
    host.emit({ type: 'entry-added', entry: text('t', 'Later words') });
    await page.getByText('Missed words').waitFor();
    await page.getByText('Later words').waitFor();
    assert.equal(host.asked('chat/open').length, 2);
    assert.equal(await page.locator('article').count(), 3);
  });

  it('do not apply an event twice', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', 'One.', true)] }) });
    const more = { type: 'text-appended', entryId: 't', text: ' Two.' } as const;
    host.emit(more);
    host.repeat(1, more);
    host.emit({ type: 'text-finished', entryId: 't', durationMs: null });
    await page.locator('article[data-streaming=false]').waitFor();
    assert.equal(await page.locator('article .markdown').innerText(), 'One. Two.');
  });

  it('show another session when the host says so', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Old')] }) });
    await showSession(page, host, chat({ sessionId: 'other', title: 'Another one', entries: [user('u', 'Other')] }));
    await page.getByText('Other', { exact: true }).waitFor();
    assert.equal(await page.locator('[data-role=session-title]').innerText(), 'Another one');
    assert.deepEqual(host.asked('chat/open').at(-1), { sessionId: 'other' });
  });

  it('send what is written while another session is being opened to that one', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Old')] }) });
    const answer = new Deferred<void>();
    host.lateOpen = answer.promise;
    host.showSession(chat({ sessionId: 'other', entries: [user('u', 'Other')] }));
    await until('the other session to be asked for', () => host.asked('chat/open').length === 2);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('For the other one');
    await box.press('Enter');
    await until('an empty box', async () => (await box.inputValue()) === '');
    answer.resolve();
    await until('the message to be sent', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'other', text: 'For the other one' }]);
  });

  it('have the same state after a reload', async () => {
    const entries = [user('u', 'Hi'), tool('r', { output: 'what was read' }), text('t', 'word\n\n'.repeat(80))];
    const { page } = await open({ state: chat({ entries }) });
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thou');
    await page.locator('.transcript').hover();
    await page.mouse.wheel(0, -5_000);
    await page.getByRole('button', { name: 'Read src/date.ts' }).click();
    await page.getByText('what was read').waitFor();
    await page.mouse.wheel(0, -5_000);
    await until('the top', async () =>
      (await page.evaluate('sessionStorage.getItem("state")'))?.toString().includes('"entryId":"u"'),
    );
    await page.reload();
    await page.getByText('what was read').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a thou');
    await until('the place', async () => (await page.locator('.transcript').evaluate(scrollTop)) < 40);
  });

  it('keep the message when it could not be sent, and show why', async () => {
    const { page, host } = await open({ state: chat() });
    host.failing.set('run/start', 'The workspace is not trusted.');
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('Fix it');
    await box.press('Enter');
    await page.getByRole('alert').getByText('The message could not be sent. The workspace is not trusted.').waitFor();
    assert.equal(await box.inputValue(), 'Fix it');
    host.failing.delete('run/start');
    await box.press('Enter');
    await until('the message to be sent', () => host.asked('run/start').length === 2);
    await until('an empty box', async () => (await box.inputValue()) === '');
    await page.getByText('The message could not be sent').waitFor({ state: 'detached' });
  });

  it('do not show a message again that was sent right before the panel was closed', async () => {
    const { page, host } = await open({ state: chat() });
    const accepted = new Deferred<void>();
    host.lateStart = accepted.promise;
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('Fix it');
    await box.press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    await page.reload();
    await page.locator('textarea[data-role=message]').waitFor();
    assert.equal(await box.inputValue(), '');
    accepted.resolve();
  });

  it('offer a retry when the chat cannot be opened', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    host.failing.set('chat/open', 'The log is damaged.');
    await page.reload();
    await page.getByText('The log is damaged.').waitFor();
    host.failing.delete('chat/open');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Hi', { exact: true }).waitFor();
  });

  it('steer with text and stop without it during a run', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], run: run('thinking') }) });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('Only the parser');
    await page.getByRole('button', { name: 'Send' }).click();
    const chord = COMMAND_RECORDS.find(({ name }) => name === 'stopRun')?.keys?.[0]?.key ?? '';
    await page.getByTitle(`Stop (${chord.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())})`).click();
    await until('the stop', () => host.asked('run/cancel').length === 1);
    assert.deepEqual(host.asked('run/steer'), [{ sessionId: 'session', text: 'Only the parser' }]);
    assert.equal(await page.locator('[data-role=run-state]').innerText(), 'Thinking…');
  });

  it('count down to the next try, which is no silence, and can be stopped meanwhile', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    const now = Date.now();
    await page.clock.install({ time: now });
    const line = page.locator('[data-role=run-state]');
    const shows = async (text: RegExp) => {
      await page.clock.runFor(1000);
      return text.test(await line.innerText());
    };
    host.emit({ type: 'run-changed', run: { ...run('thinking'), retryAt: now + 40_000 } });
    await until('the wait', () => shows(/^Trying again in 3\d s$/));
    await page.clock.runFor(15_000);
    assert.match(await line.innerText(), /^Trying again in [12]\d s$/);
    await page.getByTitle(/^Stop \(/).click();
    await until('the stop', () => host.asked('run/cancel').length === 1);
    await until('the next try', () => shows(/^Thinking…$/));
    await until('a silence after it', () => shows(/^No response for 1\d s/));
  });

  it('offer only the tour when the model is the tour', async () => {
    const { page, host } = await open({ state: chat({ model: { id: 'demo:tour', label: 'Tour', scripted: true } }) });
    await page.getByText('scripted demo').waitFor();
    assert.deepEqual(await page.locator('.starter').allInnerTexts(), ['Show me the tour']);
    await page.getByRole('button', { name: 'Choose a model' }).click();
    await page.getByRole('button', { name: 'Show me the tour' }).click();
    await until('the run', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseModel' }]);
  });

  it('send a starter, and leave the empty state with the first entry', async () => {
    const { page, host } = await open({ state: chat() });
    await page.getByRole('heading', { name: 'date-tools' }).waitFor();
    await page.getByRole('button', { name: 'Find and fix a failing test' }).click();
    await until('the run', () => host.asked('run/start').length === 1);
    host.emit({ type: 'entry-added', entry: user('u', 'Find and fix a failing test') });
    await page.locator('article[data-kind=user]').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'date-tools' }).count(), 0);
  });
});
