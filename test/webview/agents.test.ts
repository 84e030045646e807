import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { agentScenes } from './preview/agentScenes';
import { chat, run, user } from './support/chats';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';

const { agents = chat(), agentAsks = chat() } = agentScenes();

describe('Started agents', () => {
  const open = panelSuite();

  it('show their name, activity and usage', async () => {
    const { page } = await open({ state: agents });
    const working = page.getByRole('article', { name: 'explore, running' });
    await working.getByText('Reading test/date.test.ts 1–80 · 9.3k tokens · $0.02').waitFor();
    await page.getByRole('article', { name: 'file-reviewer, stopped' }).getByText('stopped').waitFor();
    assert.equal(await page.getByText('are not compared').count(), 0);
  });

  it('expand to their task and their answer by keyboard', async () => {
    const { page } = await open({ state: agents });
    await page.getByRole('button', { name: /^explore Find where dates/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('are not compared').waitFor();
    await page.getByText('18.4k tokens · $0.04').waitFor();
  });

  it('follow their events, and collapse when they are done', async () => {
    const { page, host } = await open({ state: agents });
    const card = page.locator('[data-entry-id=a3]');
    await card.getByText('Thinking').waitFor();
    host.emit({ type: 'agent-changed', entryId: 'a3', changes: { activity: 'Reading src/date.ts' } });
    await card.getByText('Reading src/date.ts').waitFor();
    const changes = { status: 'completed', activity: '', durationMs: 3_000, answer: 'The first.' } as const;
    host.emit({ type: 'agent-changed', entryId: 'a3', changes });
    await until('it to be folded', async () => (await card.locator('.card.folded').count()) === 1);
    await until('it to be said', async () =>
      (await page.locator('[role=status]').allInnerTexts()).join().includes('oracle, finished.'),
    );
  });

  it('are read-only until the user asks to write to them, and link back to their parent', async () => {
    const parent = { sessionId: 'above', title: 'Fix the date parser' };
    const setup = { ...chat().setup, agent: 'explore', isChosen: true, parent };
    const child = chat({ sessionId: 'below', title: 'Look around', setup, entries: [user('u', 'Look around here.')] });
    const { page, host } = await open({ state: chat() });
    await showSession(page, host, child);
    const message = page.locator('textarea[data-role=message]');
    await page.getByText('Transcript of explore').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Message', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Write to explore' }).click();
    await page.keyboard.type('Look in test/ too');
    await page.keyboard.press('Enter');
    await until('the message to be sent', () => host.asked('run/start').length === 1);
    await until('the box to stay when it is empty', async () => (await message.inputValue()) === '');
    await page.getByRole('button', { name: 'Back to Fix the date parser' }).click();
    await until('the session above to be asked for', () => host.asked('chat/open').length === 3);
    assert.deepEqual(host.asked('chat/open').at(-1), { sessionId: 'above' });
    await showSession(page, host, chat({ sessionId: 'above', title: 'Fix the date parser' }));
    await message.waitFor();
    await showSession(page, host, { ...child, sessionId: 'at-work', run: run('thinking') });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await until('the stop', () => host.asked('run/cancel').length === 1);
    await showSession(page, host, { ...child, sessionId: 'beside', setup: { ...setup, agent: 'oracle' } });
    await page.getByText('Transcript of oracle').waitFor();
  });

  it('keep text typed while their view was being opened', async () => {
    const setup = { ...chat().setup, agent: 'explore', parent: { sessionId: 'above', title: '' } };
    const { page, host } = await open({ state: chat() });
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('wait');
    await showSession(page, host, chat({ sessionId: 'below', setup }));
    await page.getByRole('button', { name: 'Back to The session that started this one' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'wait');
  });

  it('can be opened and stopped one by one', async () => {
    const { page, host } = await open({ state: agents });
    await page.getByRole('button', { name: 'Open the transcript of oracle' }).click();
    await page.getByRole('button', { name: 'Stop oracle' }).click();
    await until('both requests', () => host.asked('run/cancel').length === 1);
    assert.deepEqual(host.asked('session/open-in-editor'), [{ sessionId: 'session-a3' }]);
    assert.deepEqual(host.asked('run/cancel'), [{ sessionId: 'session-a3' }]);
  });

  it('ask in their own card, by name', async () => {
    const { page, host } = await open({ state: agentAsks });
    const coder = page.getByRole('article', { name: 'coder, running' });
    await coder.getByText('coder: Edit src/date.ts').waitFor();
    await coder.getByText('Waiting for your approval').waitFor();
    await coder.getByRole('button', { name: 'Accept', exact: true }).click();
    const oracle = page.getByRole('article', { name: 'oracle, running' });
    await oracle.getByRole('button', { name: 'All of them' }).click();
    await until('both answers', () => host.asked('question/answer').length === 1);
    assert.deepEqual(host.asked('approval/answer'), [
      { sessionId: 'session', approvalId: 'approval-a1', answer: { kind: 'once' } },
    ]);
    host.emit({ type: 'approval-removed', approvalId: 'approval-a1' });
    host.emit({ type: 'question-removed', questionId: 'q1' });
    await until(
      'nothing to be asked',
      async () => (await page.locator('[data-approval-id], [data-question-id]').count()) === 0,
    );
  });
});
