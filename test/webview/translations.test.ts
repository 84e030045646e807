import assert from 'node:assert/strict';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

describe('The panel in another language', () => {
  const open = panelSuite();
  const send = 'Send (Enter)';

  it('shows the translations from its document', async () => {
    const { page } = await open({ state: chat(), bundle: { Send: 'Senden', [send]: 'Senden (Eingabetaste)' } });
    await page.getByRole('button', { name: 'Senden', exact: true }).waitFor();
    assert.equal(await page.getByTitle('Senden (Eingabetaste)').count(), 1);
  });

  it('shows English for missing or non-text translations', async () => {
    const { page } = await open({ state: chat(), bundle: { Send: ['Senden'], 'New session': 'Neue Sitzung' } });
    await page.getByRole('button', { name: 'Neue Sitzung' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  it('shows English if the whole bundle is invalid', async () => {
    const { page } = await open({ state: chat(), bundle: ['Send'] });
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  it('treats a translation as text, whatever it contains, even a closing script tag', async () => {
    const hostile = '</script><img src=x onerror=alert(1)><b>Senden</b>';
    const { page } = await open({ state: chat(), bundle: { Send: hostile, 'New session': '<b>Neu</b>' } });
    await page.getByRole('button', { name: hostile, exact: true }).waitFor();
    await page.getByRole('button', { name: '<b>Neu</b>', exact: true }).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
  });
});
