import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FileDiff } from '../../src/protocol/chatState';
import { pressToAllow } from '../editor/pressToAllow';
import { until } from '../editor/until';
import { approval, chat, dateDiff, run, text, tool } from './support/chats';
import { gapBelow } from './support/domProbes';
import type { FakeHost } from './support/fakeHost';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';

const longDiff: FileDiff = {
  ...dateDiff,
  hunks: [{ oldStart: 1, newStart: 1, lines: Array.from({ length: 200 }, (_, at) => `+line ${at}`) }],
};
const ids = ['a', 'b'];
const edits = ids.map((id) => tool(id, { tool: 'fs_edit', category: 'write', status: 'waiting' }));
const asking = {
  approvals: ids.map((id) => approval(id, { diff: { ...longDiff, path: `${id}.ts` }, together: ids })),
  run: run('waiting-for-approval'),
};

const toEnd = (page: Page) => page.getByRole('button', { name: 'Scroll to bottom' });
const gap = (page: Page) => page.locator('.transcript').evaluate(gapBelow);
const atEnd = (page: Page) => until('the end to be in view', async () => (await gap(page)) <= 1);

/** Accepts all edits, which a press has to scroll through first. */
async function acceptAll(page: Page, host: FakeHost): Promise<void> {
  await page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor();
  await pressToAllow(page.getByRole('button', { name: 'Accept all' }));
  await until('both answers', () => host.asked('approval/answer').length === ids.length);
  host.emit(
    ...ids.map((id) => ({ type: 'approval-removed', approvalId: `approval-${id}` }) as const),
    ...ids.map((id) => ({ type: 'tool-changed', entryId: id, changes: { status: 'ok' } }) as const),
  );
}

describe('The end of the conversation', () => {
  const open = panelSuite();

  it('is followed again once the user sends a message', async () => {
    const { page, host } = await open({ state: chat({ entries: longChat(200) }) });
    await page.locator('.transcript').hover();
    await page.mouse.wheel(0, -2_000);
    await toEnd(page).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('and now?');
    await page.keyboard.press('Enter');
    await atEnd(page);
    host.emit({ type: 'entry-added', entry: text('t', 'Now this.') });
    await page.getByText('Now this.').waitFor();
    await atEnd(page);
    assert.equal(await toEnd(page).count(), 0);
  });

  it('is followed again after edits that Accept scrolled through', async () => {
    const { page, host } = await open({ state: chat({ entries: [...longChat(40), ...edits], ...asking }) });
    await acceptAll(page, host);
    host.emit({ type: 'entry-added', entry: text('t', 'Both are written.') });
    await page.getByText('Both are written.').waitFor();
    await atEnd(page);
  });

  it('is not followed after such edits if the user has scrolled since', async () => {
    const { page, host } = await open({ state: chat({ entries: [...longChat(40), ...edits], ...asking }) });
    await page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor();
    await pressToAllow(page.getByRole('button', { name: 'Accept all' }));
    await page.locator('.transcript').hover();
    // The first turns of the wheel may scroll a diff.
    await until('it to be scrolled', async () => {
      await page.mouse.wheel(0, -1_000);
      return (await gap(page)) > 2_000;
    });
    host.emit(...ids.map((id) => ({ type: 'approval-removed', approvalId: `approval-${id}` }) as const));
    host.emit({ type: 'run-changed', run: null });
    await page.getByRole('button', { name: 'Send' }).waitFor();
    assert.ok((await gap(page)) > 1_000);
  });

  it('is where the user is once all of it is in view, even after scrolling', async () => {
    const { page, host } = await open({ state: chat({ entries: edits, ...asking }) });
    await page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor();
    for (const name of ['a.ts', 'b.ts']) await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await page.locator('.transcript').hover();
    await page.mouse.wheel(0, -9_000);
    await toEnd(page).waitFor();
    host.emit(
      ...ids.map((id) => ({ type: 'approval-removed', approvalId: `approval-${id}` }) as const),
      ...ids.map((id) => ({ type: 'tool-changed', entryId: id, changes: { status: 'rejected' } }) as const),
    );
    await toEnd(page).waitFor({ state: 'detached' });
  });
});
