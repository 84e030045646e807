import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Deferred } from '../../src/base/async';
import type { ContextHit } from '../../src/protocol/hostApi';
import { until } from '../editor/until';
import { approval, chat, run, tool, user } from './support/chats';
import { holdFrames } from './support/heldFrames';
import { panelSuite } from './support/panelSuite';
import { someSessions } from './support/someSessions';

const hits: ContextHit[] = [
  {
    item: { kind: 'selection', label: 'date.ts:3-10', target: 'src/date.ts', lines: { first: 3, last: 10 } },
    detail: 'Selection',
  },
  { item: { kind: 'file', label: 'date.ts', target: 'src/date.ts' }, detail: 'src' },
  { item: { kind: 'file', label: 'big.log', target: 'big.log' }, detail: '' },
];

describe('However late frames come', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('Enter in the message takes the row that the user moved to right after typing', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('@dat');
    const options = page.getByRole('listbox', { name: 'Add context' }).getByRole('option');
    await until('the search to settle', async () => (await options.count()) === 2);
    const release = await holdFrames(page);
    await page.keyboard.type('e');
    await page.keyboard.press('ArrowDown');
    await release();
    await page.keyboard.press('Enter');
    await chips(page).waitFor();
    assert.equal((await chips(page).innerText()).trim(), 'date.ts');
  });

  it('the message keeps the order of what is typed after a row was taken', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('@big');
    await page.getByRole('option', { name: 'big.log' }).waitFor();
    const release = await holdFrames(page);
    await box(page).press('Enter');
    await page.keyboard.type('Wha');
    await release();
    await page.keyboard.type('t?');
    assert.equal(await box(page).inputValue(), 'What?');
  });

  it('the message keeps what is typed once the results that Enter waited for are there', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    const search = new Deferred<void>();
    host.lateSearch = { words: 'big', until: search.promise };
    await box(page).pressSequentially('@bi');
    await page.getByRole('option', { name: 'big.log' }).waitFor();
    await page.keyboard.type('g');
    await until('the search', () => JSON.stringify(host.asked('context/search')).includes('"big"'));
    await page.keyboard.press('Enter');
    const release = await holdFrames(page);
    search.resolve();
    await chips(page).getByText('big.log').waitFor();
    await page.keyboard.type('What?');
    await release();
    assert.equal(await box(page).inputValue(), 'What?');
  });

  it('the reason for a rejection gets all letters typed after its button was pressed', async () => {
    const entry = tool('c', { tool: 'fs_edit', category: 'write', title: 'Edit src/date.ts', status: 'waiting' });
    const state = chat({ entries: [entry], approvals: [approval('c')], run: run('waiting-for-approval') });
    const { page } = await open({ state });
    await page.getByRole('button', { name: 'Reject with reason…' }).focus();
    const release = await holdFrames(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Use the helper');
    await release();
    const reason = page.getByRole('textbox', { name: 'Reason' });
    await until('the reason', async () => (await reason.inputValue()) === 'Use the helper');
    assert.equal(await box(page).inputValue(), '');
  });

  it('the message is sent by Enter right after the list of sessions was closed', async () => {
    const { page, host } = await open({ state: chat() });
    await box(page).fill('Fix it');
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.getByRole('textbox', { name: 'Search sessions' }).and(page.locator(':focus')).waitFor();
    const release = await holdFrames(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await release();
    await until('the message', () => host.asked('run/start').length === 1);
  });

  it('the search of the list of sessions gets all letters typed after one was deleted', async () => {
    const { page, host } = await open({ state: chat() });
    host.sessions = someSessions();
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').first().waitFor();
    await page.keyboard.press('ArrowDown');
    const release = await holdFrames(page);
    await page.keyboard.press('Delete');
    await page.getByText('Kept for later').waitFor({ state: 'detached' });
    await page.keyboard.type('dates');
    await release();
    assert.equal(await page.getByRole('textbox', { name: 'Search sessions' }).inputValue(), 'dates');
  });

  it('the menu is walked by keys pressed right after it was opened', async () => {
    const { page } = await open({ state: chat({ entries: [user('u', 'Question')] }) });
    await page.getByRole('button', { name: 'More actions' }).focus();
    const release = await holdFrames(page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await release();
    await page.getByRole('menuitem', { name: 'Open transcript as document' }).and(page.locator(':focus')).waitFor();
  });
});
