import assert from 'node:assert/strict';
import { pageFrame } from '../editor/pageFrame';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'new\n' } };
const settings = {
  'security.workspace.trust.enabled': true,
  'cairn.model': 'openai:test-model',
  'cairn.approvalMode': 'nothing',
};

describe('An untrusted folder', () => {
  story(
    'is read-only until the user trusts it, which takes effect immediately',
    {
      settings,
      files: { '.cairn/agents/guide.md': 'You are guide.' },
      model: [{ call: [write] }, { say: 'Not allowed.' }, { call: [write] }, { say: 'Written.' }],
    },
    async ({ panel, window, workspace }) => {
      await panel.open();
      const shown = async () => (await panel.locate('main.panel')).innerText();
      await until('the panel to say so', async () => /Restricted Mode: Cairn can only read files/.test(await shown()));
      assert.match(
        await shown(),
        /It ignores the instructions, agents, skills, commands, and MCP servers of this folder/,
      );
      await window.startCommand('cairn.showMcpServers');
      const servers = await pageFrame(window, 'Cairn MCP Servers');
      await servers
        .getByRole('region', { name: 'From this workspace' })
        .getByText('Not read in Restricted Mode')
        .waitFor();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await list.input().fill('e');
      await list.waitForRow('explore');
      assert.ok(!(await list.rows()).some((row) => row.includes('guide')), 'its agents do not count');
      await list.dismiss();
      const mode = (await panel.frame()).getByRole('button', { name: 'Approvals: Ask before edits and commands' });
      await mode.waitFor();
      await list.open('cairn.chooseApprovalMode');
      await list.waitForRow('Full auto');
      assert.ok((await list.rows()).some((row) => /Full auto.*unavailable in Restricted Mode/s.test(row)));
      await list.take('Full auto');
      const note = window.page.locator('.notification-list-item', {
        hasText: 'Full auto is not available in Restricted Mode',
      });
      await until('the reason', async () => {
        await window.command('notifications.showList');
        return note.first().isVisible();
      });
      await window.command('notifications.clearAll');
      await panel.send('write it');
      await panel.waitForTool('fs_write', 'rejected');
      await panel.waitForText('Not allowed.', 'text');
      assert.ok(!workspace.exists('a.txt'));
      await panel.newSession();
      await panel.press('Manage workspace trust');
      const editor = window.page.locator('.workspace-trust-editor');
      await repeatUntil(
        'the folder to be trusted',
        () => editor.getByRole('button', { name: 'Trust', exact: true }).click({ timeout: 5000 }),
        () => window.ev(({ vscode }) => vscode.workspace.isTrusted),
        'redrawn',
      );
      await list.openUntil('cairn.chooseAgent', 'guide');
      await list.dismiss();
      await panel.send('again');
      await panel.waitForTool('fs_write', 'ok');
      assert.equal(await workspace.read('a.txt'), 'new\n');
    },
  );
});
