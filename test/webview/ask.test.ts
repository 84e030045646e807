import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatEntry } from '../../src/protocol/chatState';
import { until } from '../editor/until';
import { scenes } from './preview/scenes';
import { approval, chat, dateDiff, run, text, tool, user } from './support/chats';
import { atRest } from './support/frames';
import { mayBeAllowed } from './support/mayBeAllowed';
import { panelSuite } from './support/panelSuite';

const edit = tool('c', { tool: 'fs_edit', category: 'write', title: 'Edit src/date.ts', status: 'waiting' });
const waiting = () =>
  chat({
    entries: [user('u', 'Fix it'), edit],
    approvals: [approval('c', { diff: dateDiff })],
    run: run('waiting-for-approval'),
  });
/** The baselines of a button's label and of the key behind it, in CSS pixels. */
const baselines = `(() => {
  const hint = document.querySelector('.key-hint');
  const context = document.createElement('canvas').getContext('2d');
  return [hint.previousSibling, hint.firstChild].map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const style = getComputedStyle(text.parentElement);
    context.font = style.fontSize + ' ' + style.fontFamily;
    return range.getBoundingClientRect().bottom - context.measureText('A').fontBoundingBoxDescent;
  });
})()`;
const answers = (answer: unknown) => [{ sessionId: 'session', approvalId: 'approval-c', answer }];

describe('A pending request', () => {
  const open = panelSuite();

  it('shows the change and accepts it by button', async () => {
    const { page, host } = await open({ state: waiting() });
    const block = page.locator('article[data-tool=fs_edit][data-status=waiting]');
    await block.getByText('throw new RangeError').waitFor();
    await page.locator('[data-approval-id]').getByRole('button', { name: 'Accept' }).click();
    await until('the answer', () => host.asked('approval/answer').length === 1);
    assert.deepEqual(host.asked('approval/answer'), answers({ kind: 'once' }));
    host.emit({ type: 'approval-removed', approvalId: 'approval-c' });
    await page.locator('[data-approval-id]').waitFor({ state: 'detached' });
    await until('the focus in the composer', () => page.evaluate('document.activeElement.dataset.role === "message"'));
  });

  it('shows the key of a button on the same baseline as its label', async () => {
    const { page } = await open({ state: waiting(), width: 600 });
    await page.locator('.key-hint').first().waitFor();
    const [label, hint] = await atRest<number[]>(page, baselines);
    assert.ok(Math.abs((label ?? 0) - (hint ?? 9)) < 0.6, `${label} ${hint}`);
  });

  it('opens the diff, and can be allowed always', async () => {
    const { page, host } = await open({ state: waiting() });
    await page.getByRole('button', { name: 'Open diff' }).click();
    assert.equal(await page.getByRole('button', { name: /Always allow/ }).count(), 0);
    await page.getByRole('button', { name: 'Always…' }).click();
    await page.getByRole('button', { name: 'Always allow edits in src/ in this session' }).click();
    await until('the answer', () => host.asked('approval/answer').length === 1);
    assert.deepEqual(host.asked('approval/open-diff'), [{ sessionId: 'session', approvalId: 'approval-c' }]);
    assert.deepEqual(host.asked('approval/answer'), answers({ kind: 'always', option: 0 }));
  });

  it('closes the list of rules on Escape, which goes back to the message', async () => {
    const { page, host } = await open({ state: waiting() });
    await page.getByRole('button', { name: 'Always…' }).click();
    await page
      .getByRole('button', { name: /Always allow/ })
      .first()
      .focus();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /Always allow/ })
      .first()
      .waitFor({ state: 'detached' });
    await until('the focus in the composer', () => page.evaluate('document.activeElement.dataset.role === "message"'));
    assert.deepEqual(host.asked('approval/answer'), []);
  });

  it('is rejected with a reason', async () => {
    const { page, host } = await open({ state: waiting() });
    await page.getByRole('button', { name: 'Reject with reason…' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Use the helper');
    await page.getByRole('button', { name: 'Send reason' }).click();
    await until('the answer', () => host.asked('approval/answer').length === 1);
    assert.deepEqual(host.asked('approval/answer'), answers({ kind: 'reject', reason: 'Use the helper' }));
  });

  it('is accepted and rejected by key, but Ctrl+Backspace still edits text being typed', async () => {
    const { page, host } = await open({ state: waiting() });
    const box = page.getByRole('textbox', { name: 'Message' });
    await mayBeAllowed(page, 'c');
    await box.fill('two words');
    await box.press('Control+Backspace');
    assert.equal(await box.inputValue(), 'two ');
    await box.press('Control+Enter');
    await until('the acceptance', () => host.asked('approval/answer').length === 1);
    await box.fill('');
    await box.press('Control+Backspace');
    await until('the rejection', () => host.asked('approval/answer').length === 2);
    assert.deepEqual(host.asked('approval/answer'), [...answers({ kind: 'once' }), ...answers({ kind: 'reject' })]);
    assert.deepEqual(host.asked('run/steer'), []);
  });

  it('is pinned while it is out of view, and the pin scrolls to it', async () => {
    const entries = [edit, text('t', 'word\n\n'.repeat(120))];
    const { page } = await open({ state: { ...waiting(), entries } });
    await page.getByRole('button', { name: /Waiting for your approval/ }).click();
    await until('the card in view', () =>
      page.evaluate("document.elementFromPoint(190, 300).closest('[data-entry-id=c]') !== null"),
    );
    await until('the focus', () => page.evaluate('document.activeElement.dataset.entryId === "c"'));
    await page.getByRole('button', { name: /Waiting for your approval/ }).waitFor({ state: 'detached' });
  });

  it('allows a command and shows it running and finished', async () => {
    const command = tool('x', {
      tool: 'execute_command',
      category: 'execute',
      title: 'Run npm test',
      status: 'waiting',
    });
    const ask = approval('x', { command: 'npm test', category: 'execute', tool: 'execute_command' });
    const { page, host } = await open({
      state: chat({ entries: [command], approvals: [ask], run: run('waiting-for-approval') }),
    });
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await until('the answer', () => host.asked('approval/answer').length === 1);
    host.emit(
      { type: 'approval-removed', approvalId: 'approval-x' },
      { type: 'tool-changed', entryId: 'x', changes: { status: 'running', startedAt: Date.now() - 12_000 } },
      { type: 'run-changed', run: run('running-tool', 'Running npm test') },
    );
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    host.emit({ type: 'tool-output-appended', entryId: 'x', text: lines.join('\n') });
    await page.getByText('line 19').waitFor();
    host.emit({ type: 'tool-output-appended', entryId: 'x', text: '\n\u001b[32mline 20\u001b[0m' });
    assert.equal(await page.locator('.ansi-green').innerText(), 'line 20');
    assert.equal(await page.getByText('line 12').count(), 0);
    await page
      .locator('[data-role=run-state]')
      .getByText(/Running npm test \(\d\d s\)/)
      .waitFor();
    await page.getByRole('button', { name: 'Show all output' }).click();
    await page.getByText('line 1\n').or(page.getByText('line 0')).first().waitFor();
    const output = lines.join('\n');
    const detail = {
      kind: 'command',
      command: 'npm test',
      output,
      exitCode: 1,
      signal: null,
      timedOut: false,
      outputPath: null,
    } as const;
    host.emit({ type: 'tool-changed', entryId: 'x', changes: { status: 'error', durationMs: 13_000, detail } });
    await page.locator('article[data-status=error]').getByText('exit 1').waitFor();
  });

  it('keeps the last lines of a command in view after its turn, and expands to more', async () => {
    const { page } = await open({ state: scenes()['finished'] ?? chat() });
    const card = page.getByRole('article', { name: /npm test/ });
    const last = card.locator('.last-lines');
    await last.waitFor();
    assert.deepEqual((await last.innerText()).trim().split(/\s*\n\s*/), [
      'format',
      '✔ pads day and month',
      '41 passing (212ms)',
    ]);
    await card.locator('button.fold').click();
    await card.getByRole('group', { name: 'Output of npm test' }).waitFor();
    assert.equal(await last.count(), 0);
  });

  it('stays open, without a check mark, for a command that failed by its exit code', async () => {
    const output = Array.from({ length: 5 }, (_, at) => `line ${at}`).join('\n');
    const end = { exitCode: 1, signal: null, timedOut: false, outputPath: null };
    const command = tool('x', {
      ...{ tool: 'execute_command', category: 'execute', title: 'Run npm test' },
      detail: { kind: 'command', command: 'npm test', output, ...end },
    });
    const turn: ChatEntry = {
      ...{ kind: 'turn', id: 't', runId: 'r', messageId: 'u', outcome: 'completed', mode: null, durationMs: 2000 },
      ...{ inputTokens: 1, outputTokens: 1, commands: 1, files: [] },
    };
    const { page } = await open({ state: chat({ entries: [user('u', 'Test it'), command, turn] }) });
    const card = page.getByRole('article', { name: /npm test/ });
    await card.getByText('exit 1').waitFor();
    await card.getByText('line 0').waitFor();
    assert.equal(await card.locator('.codicon-check').count(), 0);
    await card.locator('button.fold').click();
    await card.locator('.codicon-error').waitFor();
  });

  it('for a question is answered with an option or with text', async () => {
    const question = {
      questionId: 'q',
      entryId: 'a',
      agent: 'Cairn',
      question: 'Which one?',
      kind: 'choice' as const,
      options: ['Left', 'Right'],
    };
    const entry = tool('a', { tool: 'ask_user', category: 'user', title: 'Ask', status: 'waiting' });
    const state = chat({ entries: [entry], questions: [question], run: run('waiting-for-answer') });
    const answered = async (answer: (block: Locator) => Promise<void>) => {
      const { page, host } = await open({ state });
      await answer(page.locator('[data-question-id=q]'));
      await until('the answer', () => host.asked('question/answer').length === 1);
      return host.asked('question/answer');
    };
    // An accepted answer clears the box, so each answer gets its own panel.
    const asked = [
      ...(await answered((block) => block.getByRole('button', { name: 'Right' }).click())),
      ...(await answered(async (block) => {
        await block.getByRole('textbox', { name: 'Answer' }).fill('Neither');
        await block.getByRole('button', { name: 'Answer' }).click();
      })),
    ];
    assert.deepEqual(
      asked,
      ['Right', 'Neither'].map((answer) => ({ sessionId: 'session', questionId: 'q', answers: [answer] })),
    );
  });
});
