import { chapter } from '../editor/chapter';
import { repeatUntil } from '../editor/repeatUntil';

describe('The walkthrough', () => {
  const scene = chapter({ settings: { 'cairn.model': 'openai:test-model' } });

  scene('shows its four steps with images, and opens the chat from the first', [], async ({ panel, window }) => {
    await window.command('workbench.action.closeAuxiliaryBar');
    await window.sideBar().waitFor({ state: 'hidden' });
    await window.startCommand('workbench.action.openWalkthrough', 'cairn-agents.cairn#cairn.start', false);
    const page = window.page.locator('.gettingStartedContainer');
    for (const step of ['Open the chat', 'Choose a model', 'Add your code to the chat', 'Review proposed changes']) {
      await page.locator('.step-title', { hasText: step }).waitFor();
    }
    await repeatUntil(
      'the chat to be opened',
      () => page.getByRole('button', { name: 'Open Chat' }).first().click({ timeout: 5000 }),
      () => window.sideBar().isVisible(),
      'redrawn',
    );
    await (await panel.composer()).waitFor();
  });
});
