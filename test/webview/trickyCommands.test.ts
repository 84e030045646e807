import assert from 'node:assert/strict';
import { TRICKY_TEXTS } from '../support/trickyTexts';
import { approval, chat, dateDiff, run, tool } from './support/chats';
import { panelSuite } from './support/panelSuite';

const entryOf = (id: string, command: string) =>
  tool(id, { tool: 'execute_command', category: 'execute', title: `Run ${command}`, status: 'waiting' });
const asking = (id: string, command: string) => approval(id, { command, category: 'execute', tool: 'execute_command' });

/** Characters that reorder or hide text. */
const NEVER = /[^\P{Cc}\t\n]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

describe('An approval request in the panel', () => {
  const open = panelSuite();

  it('is shown as it would run, with marks, a text warning, and collapsed gaps', async function () {
    this.timeout(120_000);
    const { page, host } = await open({ state: chat({ run: run('thinking') }) });
    for (const [at, { name, text, hidden }] of TRICKY_TEXTS.entries()) {
      const id = `x${at}`;
      host.emit(
        { type: 'entry-added', entry: entryOf(id, text) },
        { type: 'approval-added', approval: asking(id, text) },
      );
      const card = page.locator(`[data-approval-id=approval-${id}]`);
      const shown = await card.locator('code').innerText();
      assert.equal(NEVER.exec(shown), null, `${name}: ${JSON.stringify(shown)}`);
      assert.ok(shown.trimEnd().endsWith('END'), name);
      assert.ok(!/\n\s*\n\s*\n\s*\n\s*\n| {61}/.test(shown), name);
      const isTricky = hidden.some((one) => !/^[ \n]+$/.test(one));
      assert.equal(await card.getByText('Caution: this contains').count(), isTricky ? 1 : 0, name);
      host.emit(
        { type: 'approval-removed', approvalId: `approval-${id}` },
        { type: 'tool-changed', entryId: id, changes: { status: 'rejected' } },
      );
    }
  });

  it('for an edit also reveals hidden characters in its lines and its path', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => `+line ${at}`);
    const diff = {
      ...dateDiff,
      path: 'src\u2215a.ts',
      hunks: [{ oldStart: 1, newStart: 1, lines: [...lines, '+if (x\u202e) {', ...Array<string>(50).fill('+')] }],
    };
    const entry = tool('c', { tool: 'fs_edit', category: 'write', title: `Edit ${diff.path}`, status: 'waiting' });
    const { page } = await open({
      state: chat({ entries: [entry], approvals: [approval('c', { diff })], run: run('waiting-for-approval') }),
    });
    await page.getByText('Caution: this contains').first().waitFor();
    assert.equal(await page.getByText('Caution: this contains').count(), 2);
    await page.getByText('if (x⟨U+202E⟩) {').waitFor({ state: 'attached' });
    await page.getByText('+50 lines, all blank').waitFor({ state: 'attached' });
  });
});
