import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ContextHit } from '../../src/protocol/hostApi';
import { until } from '../editor/until';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

const hits: ContextHit[] = [
  {
    item: { kind: 'selection', label: 'date.ts:3-10', target: 'src/date.ts', lines: { first: 3, last: 10 } },
    detail: 'Selection',
    near: true,
  },
  { item: { kind: 'file', label: 'date.ts', target: 'src/date.ts' }, detail: 'src' },
  { item: { kind: 'file', label: 'big.log', target: 'big.log' }, detail: '' },
  { item: { kind: 'changes', label: 'Git changes', target: '' }, detail: 'What is not committed' },
  { item: { kind: 'folder', label: 'data/', target: 'data' }, detail: '' },
];

describe('The list of what can go with a message', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('opens with what is near and with categories, each of which can be looked through by itself', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('Read @');
    const list = page.getByRole('listbox', { name: 'Add context' });
    const rows = (group: string) => list.getByRole('group', { name: group, exact: true }).getByRole('option');
    await rows('Suggested').waitFor();
    assert.deepEqual(await rows('Suggested').locator('.completion-label').allInnerTexts(), ['date.ts:3-10']);
    const categories = await rows('Categories').locator('.completion-label').allInnerTexts();
    assert.deepEqual(categories, ['Files…', 'Folders…', 'Symbols…', 'Image…']);
    await rows('Categories').getByText('Files…').click();
    assert.equal(await box(page).inputValue(), 'Read @file:');
    await until('only files', async () => (await list.getByRole('option').count()) === 2);
    await box(page).pressSequentially('none');
    await page.getByRole('status').getByText('No files found').waitFor();
    await box(page).press('ArrowDown');
    for (let at = 0; at < 4; at++) await box(page).press('Backspace');
    await rows('Files').getByText('big.log').click();
    await chips(page).getByText('big.log').waitFor();
    assert.equal(await box(page).inputValue(), 'Read ');
  });

  it('puts what is found under its kind, the best match first', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = [
      { item: { kind: 'folder', label: 'data/', target: 'data' }, detail: '' },
      { item: { kind: 'file', label: 'data.ts', target: 'data.ts' }, detail: '' },
      { item: { kind: 'folder', label: 'data-old/', target: 'data-old' }, detail: '' },
    ];
    await box(page).pressSequentially('@dat');
    const options = page.getByRole('option');
    await until('all three', async () => (await options.count()) === 3);
    const labels = await page.locator('.completion-label, .completion-group').allInnerTexts();
    assert.deepEqual(labels, ['Folders', 'data/', 'data-old/', 'Files', 'data.ts']);
  });

  it('opens the same list by a button, where the person types', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).fill('Look at');
    const button = page.getByRole('button', { name: 'Add context' });
    await button.click();
    await page.getByRole('option', { name: 'Git changes' }).waitFor();
    assert.equal(await box(page).inputValue(), 'Look at @');
    await button.click();
    assert.equal(await box(page).inputValue(), 'Look at @');
    await page.getByRole('option', { name: 'Git changes' }).click();
    await chips(page).getByText('Git changes').waitFor();
    assert.equal(await box(page).inputValue(), 'Look at ');
  });

  it('offers what is open in the editor, which goes along only when it is clicked', async () => {
    const { page, host } = await open({ state: chat() });
    const item = { kind: 'file', label: 'tide.ts', target: 'src/tide.ts' } as const;
    host.offerNearby(item);
    const offer = page.getByRole('button', { name: 'Add tide.ts' });
    await offer.waitFor();
    await box(page).fill('first');
    await box(page).press('Enter');
    await until('the message without it', () => host.asked('run/start').length === 1);
    await offer.click();
    await chips(page).getByText('tide.ts').waitFor();
    assert.equal(await offer.count(), 0);
    await until('the focus', () => page.evaluate('document.activeElement.dataset.role === "message"'));
    await box(page).fill('second');
    await box(page).press('Enter');
    await until('the message with it', () => host.asked('run/start').length === 2);
    assert.deepEqual(host.asked('run/start'), [
      { sessionId: 'session', text: 'first' },
      { sessionId: 'session', text: 'second', items: [item] },
    ]);
    await offer.waitFor();
    host.offerNearby(null);
    await offer.waitFor({ state: 'detached' });
  });
});
