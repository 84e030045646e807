import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'written\n' } });

describe('the focus', () => {
  story(
    'is not needed to see that a session in the background waits: badge and status bar tell, and lead to it',
    { settings, model: [{ hold: 'away', call: [write('a.txt')] }, { say: 'Done.' }] },
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('write it');
      await panel.waitForText('write it', 'user');
      await window.command('cairn.newSession');
      await until('the new session', async () => (await panel.entries()).length === 0);
      model.release('away');
      const status = window.page.locator('.statusbar-item[id="cairn-agents.cairn.status"]');
      await status.filter({ hasText: 'Waiting for you: ' }).waitFor();
      await window.sideBar().locator('.badge-content', { hasText: '1' }).first().waitFor();
      await repeatUntil(
        'the session that waits',
        () => status.click({ timeout: 5000 }),
        async () => (await (await panel.locate('[data-approval-id]')).count()) > 0,
        'redrawn',
      );
      await panel.approve();
      await panel.waitForText('Done.', 'text');
      await until('the badge to be gone', async () => {
        return (await window.sideBar().locator('.badge-content', { hasText: '1' }).count()) === 0;
      });
    },
  );
});
