import assert from 'node:assert/strict';
import { pressToAllow } from '../editor/pressToAllow';
import { until } from '../editor/until';
import { reviewScenes, turn, twoParts } from './preview/reviewScenes';
import { approval, chat, text, tool } from './support/chats';
import { panelSuite } from './support/panelSuite';

const { parts = chat(), edits = chat(), review = chat() } = reviewScenes();

describe('A review', () => {
  const open = panelSuite();

  it('accepts and leaves out the parts of an edit by keyboard, and shows how many are left', async () => {
    const { page, host } = await open({ state: parts });
    await page.getByRole('button', { name: 'Accept 1 of 2' }).waitFor();
    const first = page.getByRole('checkbox', { name: 'Keep change 1 of 2' });
    await first.focus();
    await page.keyboard.press('Space');
    await until('the choice', () => host.asked('approval/choose-part').length === 1);
    const choice = { sessionId: 'session', approvalId: 'approval-c1', part: 0, take: false };
    assert.deepEqual(host.asked('approval/choose-part'), [choice]);
    host.emit({ type: 'approval-parts-changed', approvalId: 'approval-c1', leftOut: [0] });
    await until('the second to be taken again', () =>
      page.getByRole('checkbox', { name: 'Keep change 2 of 2' }).isChecked(),
    );
  });

  it('shows afterwards what was left out of an edit, in full when the card is opened', async () => {
    const [kept, left] = twoParts.hunks;
    assert.ok(kept && left);
    const detail = {
      kind: 'change' as const,
      diff: { ...twoParts, hunks: [kept] },
      leftOut: { ...twoParts, hunks: [left] },
    };
    const entry = tool('c1', { tool: 'fs_edit', category: 'write', title: 'Edit src/date.ts', detail });
    const { page, host } = await open({ state: chat({ entries: [entry] }) });
    await page.getByText('1 of 2 changes left out').click();
    await page
      .getByRole('group', { name: 'Not written' })
      .getByRole('group', { name: /^Changes to/ })
      .waitFor();
    const changed = { ...detail, leftOut: { ...twoParts, hunks: [kept] } };
    host.emit({ type: 'tool-changed', entryId: 'c1', changes: { detail: changed } });
    await page.getByText('Changed by you', { exact: true }).waitFor();
  });

  it('marks the changed words in the lines, also with syntax highlighting', async () => {
    const lines = [' before', '-const size = 10;', '+const width = 10;'];
    const diff = { ...twoParts, hunks: [{ oldStart: 1, newStart: 1, lines }] };
    const entry = tool('c1', { tool: 'fs_edit', category: 'write', status: 'waiting' });
    const { page } = await open({ state: chat({ entries: [entry], approvals: [approval('c1', { diff })] }) });
    await page.locator('.diff .hljs-keyword').first().waitFor();
    assert.deepEqual(await page.locator('.diff .removed .changed-word').allInnerTexts(), ['size']);
    assert.deepEqual(await page.locator('.diff .added .changed-word').allInnerTexts(), ['width']);
    assert.deepEqual(await page.locator('.diff .code').allInnerTexts(), [
      'before',
      'const size = 10;',
      'const width = 10;',
    ]);
  });

  it('offers no choice if there is only one part', async () => {
    const { hunks } = twoParts;
    const diff = { ...twoParts, hunks: hunks.slice(0, 1) };
    const entry = tool('c1', { tool: 'fs_edit', category: 'write', status: 'waiting' });
    const { page } = await open({ state: chat({ entries: [entry], approvals: [approval('c1', { diff })] }) });
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
  });

  it('of several files is one card, where each file can be viewed and answered separately', async () => {
    const { page, host } = await open({ state: edits });
    await page.locator('.card.edits').waitFor();
    assert.equal(await page.locator('.card').count(), 1);
    await page.getByRole('button', { name: /^src\/weekdays\.ts/ }).click();
    await page.getByRole('checkbox', { name: 'Keep change 1 of 2' }).waitFor();
    await page.getByRole('button', { name: 'Reject src/weekdays.ts' }).click();
    await pressToAllow(page.getByRole('button', { name: 'Accept all' }));
    await until('the answers', () => host.asked('approval/answer').length === 3);
    const answer = (id: string, kind: string) => ({ sessionId: 'session', approvalId: id, answer: { kind } });
    assert.deepEqual(host.asked('approval/answer'), [
      answer('approval-c2', 'reject'),
      answer('approval-c2', 'once'),
      answer('approval-c3', 'once'),
    ]);
    host.emit({ type: 'approval-removed', approvalId: 'approval-c2' });
    host.emit({ type: 'approval-removed', approvalId: 'approval-c3' });
    await until('each to be a card of its own', async () => (await page.locator('.card.edits').count()) === 0);
  });

  it('of several files rejects the remaining ones with one reason', async () => {
    const { page, host } = await open({ state: edits });
    host.emit({ type: 'approval-removed', approvalId: 'approval-c2' });
    await page.locator('[data-approval-id=approval-c2]').waitFor({ state: 'detached' });
    const reason = page.getByRole('button', { name: 'Reject all with reason…' });
    await reason.focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('textbox', { name: 'Reason' });
    await box.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('one file at a time');
    await page.keyboard.press('Enter');
    await until('the answer', () => host.asked('approval/answer').length > 0);
    const answer = { kind: 'reject', reason: 'one file at a time' };
    assert.deepEqual(host.asked('approval/answer'), [{ sessionId: 'session', approvalId: 'approval-c3', answer }]);
    await until('nothing to be left in the box', async () => (await box.inputValue()) === '');
  });

  it('stays in view above the message box, with a row per finished turn that leads to it', async () => {
    const texts = Array.from({ length: 30 }, (_, at) => text(`t${at}`, `Paragraph ${at}.\n\nAnd more of it.`));
    const entries = [{ ...turn, id: 'first' }, ...texts, { ...turn, id: 'second', runId: 'run-2' }];
    const left = (runId: string, path: string) => ({ runId, path, added: 2, removed: 1 });
    const toReview = [left(turn.runId, 'a.ts'), left('run-2', 'a.ts'), left('run-2', 'b.ts'), left('run-3', 'c.ts')];
    const { page } = await open({ state: chat({ entries, toReview }) });
    const rows = page.getByRole('region', { name: 'Changes to review' }).getByRole('group');
    await rows.nth(1).waitFor();
    const words = (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' '));
    assert.deepEqual(words, ['1 file to review +2 −1 Review Keep Undo', '2 files to review +4 −2 Review Keep Undo']);
    const [row, box] = [await rows.first().boundingBox(), await page.getByRole('textbox').boundingBox()];
    assert.ok(row && box && row.y < box.y, 'above the message box');
    await rows.getByRole('button', { name: /^1 file to review/ }).click();
    await page.locator('[data-entry-id=first]').waitFor();
    await page.locator('[data-entry-id=second]').waitFor({ state: 'detached' });
  });

  it('shows, keeps and undoes the changes of a turn until nothing is left', async () => {
    const { page, host } = await open({ state: review });
    const group = page.getByRole('group', { name: 'Changes to review' });
    for (const name of ['Review', 'Keep', 'Undo']) await group.getByRole('button', { name, exact: true }).click();
    await until('all three', () => host.asked('review/act').length === 3);
    assert.deepEqual(
      host.asked('review/act'),
      ['show', 'keep', 'undo'].map((action) => ({ sessionId: 'session', runId: turn.runId, action })),
    );
    host.emit({ type: 'review-changed', toReview: [] });
    await group.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Restore checkpoint…' }).click();
    await until('the restoring', () => host.asked('checkpoint/restore').length === 1);
    assert.deepEqual(host.asked('checkpoint/restore'), [{ sessionId: 'session', messageId: 'u1' }]);
  });
});
