import assert from 'node:assert/strict';
import type { PendingQuestion } from '../../src/protocol/chatState';
import { until } from '../editor/until';
import { chat, run, text, tool } from './support/chats';
import { TWO_FRAMES } from './support/frames';
import { panelSuite } from './support/panelSuite';

const asking = (parts: Partial<PendingQuestion>) =>
  chat({
    entries: [
      text('t', 'I have to ask.'),
      tool('a', { tool: 'user__ask', category: 'user', title: 'Ask: Which one?', status: 'waiting', durationMs: null }),
    ],
    questions: [
      { questionId: 'q', entryId: 'a', agent: 'Cairn', question: 'Which one?', kind: 'choice', options: [], ...parts },
    ],
    run: run('waiting-for-answer'),
  });
const answered = (...answers: string[]) => ({ sessionId: 'session', questionId: 'q', answers });

describe('A question of the agent', () => {
  const open = panelSuite();

  it('of the kind choice is answered with an option by keys, or with text', async () => {
    const { page, host } = await open({ state: asking({ options: ['Left', 'Right'] }) });
    const block = page.locator('[data-question-id=q]');
    await block.getByRole('button', { name: 'Left' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('the option', () => host.asked('question/answer').length === 1);
    await block.getByRole('textbox', { name: 'Answer' }).fill('Neither');
    await page.keyboard.press('Enter');
    await until('the words', () => host.asked('question/answer').length === 2);
    assert.deepEqual(host.asked('question/answer'), [answered('Right'), answered('Neither')]);
  });

  it('has its final size from the first frame, before the toolkit has set the tokens of its controls', async () => {
    const { page } = await open({ state: asking({ options: ['Left', 'Right'] }) });
    await page.locator('[data-question-id=q]').getByRole('button', { name: 'Left' }).waitFor();
    const sizes = (before: string) =>
      page.evaluate<string[]>(`(() => {
        ${before};
        return [...document.querySelectorAll('vscode-button, vscode-text-field')].map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return one.textContent.trim() + ': ' + width + ' × ' + height;
        });
      })()`);
    await page.evaluate(TWO_FRAMES);
    const last = await sizes('');
    assert.equal(last.length, 2);
    assert.deepEqual(await sizes('document.adoptedStyleSheets = []'), last);
  });

  it('of the kind checkbox sends the selected options, which survive a reload', async () => {
    const { page, host } = await open({ state: asking({ kind: 'checkbox', options: ['Tests', 'Docs', 'Changelog'] }) });
    const block = page.locator('[data-question-id=q]');
    await block.getByRole('checkbox', { name: 'Tests' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await until('the last tick', () => block.getByRole('checkbox', { name: 'Changelog' }).isChecked());
    await page.reload();
    await until('the ticks', () => block.getByRole('checkbox', { name: 'Changelog' }).isChecked());
    assert.equal(await block.getByRole('checkbox', { name: 'Docs' }).isChecked(), false);
    await block.getByRole('button', { name: 'Answer' }).press('Enter');
    await until('the answer', () => host.asked('question/answer').length === 1);
    assert.deepEqual(host.asked('question/answer'), [answered('Tests', 'Changelog')]);
  });

  it('of the kind checkbox can be answered with nothing', async () => {
    const { page, host } = await open({ state: asking({ kind: 'checkbox', options: ['Tests', 'Docs'] }) });
    await page.locator('[data-question-id=q]').getByRole('button', { name: 'Answer' }).click();
    await until('the answer', () => host.asked('question/answer').length === 1);
    assert.deepEqual(host.asked('question/answer'), [answered()]);
  });

  it('of the kind confirm is answered with yes or no', async () => {
    const { page, host } = await open({ state: asking({ kind: 'confirm', question: 'Remove it?' }) });
    const block = page.locator('[data-question-id=q]');
    await block.getByRole('button', { name: 'Yes' }).waitFor();
    assert.equal(await block.getByRole('textbox').count(), 0);
    await block.getByRole('button', { name: 'Yes' }).press('Enter');
    await until('the yes', () => host.asked('question/answer').length === 1);
    await block.getByRole('button', { name: 'No' }).press('Enter');
    await until('the no', () => host.asked('question/answer').length === 2);
    assert.deepEqual(host.asked('question/answer'), [answered('yes'), answered('no')]);
  });

  it('of the kind input requires text', async () => {
    const { page, host } = await open({ state: asking({ kind: 'input' }) });
    const box = page.locator('[data-question-id=q]').getByRole('textbox', { name: 'Answer' });
    await box.press('Enter');
    await box.fill('convert');
    await box.press('Enter');
    await until('the answer', () => host.asked('question/answer').length === 1);
    assert.deepEqual(host.asked('question/answer'), [answered('convert')]);
  });

  it('stays with its answer once answered', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', 'Hi')], run: run('thinking') }) });
    const { entries, questions } = asking({ kind: 'confirm' });
    const [, entry] = entries;
    const [question] = questions;
    assert.ok(entry && question);
    host.emit({ type: 'entry-added', entry }, { type: 'question-added', question });
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    host.emit(
      { type: 'question-removed', questionId: 'q' },
      {
        type: 'tool-changed',
        entryId: 'a',
        changes: { status: 'ok', detail: { kind: 'text', text: 'The user answered: yes' } },
      },
    );
    const block = page.locator('article[data-entry-id=a]');
    await block.getByText('yes', { exact: true }).waitFor();
    assert.equal(await block.innerText(), 'Which one?\n\nyes');
    // Written by earlier versions.
    const before = { kind: 'text', text: 'The person answered: no' } as const;
    host.emit({ type: 'tool-changed', entryId: 'a', changes: { detail: before } });
    await block.getByText('no', { exact: true }).waitFor();
    assert.equal(await block.innerText(), 'Which one?\n\nno');
  });
});
