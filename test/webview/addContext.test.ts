import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Deferred } from '../../src/base/async';
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
  { item: { kind: 'changes', label: 'Git changes', target: '' }, detail: 'Uncommitted changes' },
  { item: { kind: 'folder', label: 'data/', target: 'data' }, detail: '' },
];

describe('The attachment list', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('opens with nearby items and with categories, which can be searched individually', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('Read @');
    const list = page.getByRole('listbox', { name: 'Add context' });
    const rows = (group: string) => list.getByRole('group', { name: group, exact: true }).getByRole('option');
    await rows('Suggested').waitFor();
    assert.deepEqual(await rows('Suggested').locator('.completion-label').allInnerTexts(), ['date.ts:3-10']);
    const categories = await rows('Categories').locator('.completion-label').allInnerTexts();
    assert.deepEqual(categories, ['Files…', 'Folders…', 'Symbols…', 'Agents…', 'Image…']);
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

  it('groups matches by kind, best match first', async () => {
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

  it('is also opened by a button, at the cursor', async () => {
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

  it('offers the open file of the editor, which is only attached on click', async () => {
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

  it('offers terminal output, the latest at the top and the rest in a category', async () => {
    const { page, host } = await open({ state: chat() });
    const item = (label: string, target: string) => ({ kind: 'terminal' as const, label, target });
    host.hits = [
      { item: item('npm test', 'terminal-2'), detail: 'Output · exit code 1', near: true },
      { item: item('npm ci', 'terminal-1'), detail: 'Output · exit code 0' },
    ];
    await page.getByRole('button', { name: 'Add context' }).click();
    const list = page.getByRole('listbox', { name: 'Add context' });
    await list.getByRole('group', { name: 'Suggested' }).getByText('npm test').waitFor();
    await list.getByText('Terminal…').click();
    await list.getByRole('option', { name: /npm ci/ }).click();
    await chips(page).getByText('npm ci').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pin npm ci' }).count(), 0);
    await box(page).fill('Why?');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [
      { sessionId: 'session', text: 'Why?', items: [item('npm ci', 'terminal-1')] },
    ]);
  });
});

describe('Enter before the results for what follows @ have come', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  /** Types it and presses the key while the search for it is held. */
  const pressEarly = async (text: string, words: string, key = 'Enter') => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits.filter(({ item }) => item.label.includes(words));
    const search = new Deferred<void>();
    host.lateSearch = { words, until: search.promise };
    await box(page).pressSequentially(text);
    await until(
      'the search',
      () => JSON.stringify(host.asked('context/search').at(-1)) === JSON.stringify({ query: words }),
    );
    await box(page).press(key);
    return { page, host, search };
  };

  for (const key of ['Enter', 'Tab']) {
    it(`attaches the first one, and keeps what was typed since (${key})`, async () => {
      const { page, host, search } = await pressEarly('Read @big', 'big', key);
      await box(page).pressSequentially(' and explain');
      search.resolve();
      await chips(page).getByText('big.log').waitFor();
      assert.equal(await box(page).inputValue(), 'Read and explain');
      await box(page).pressSequentially(' it');
      assert.equal(await box(page).inputValue(), 'Read and explain it');
      assert.deepEqual(host.asked('run/start'), []);
    });
  }

  it('sends the message as typed if nothing is found', async () => {
    const { host, search } = await pressEarly('Ask @bob', 'bob');
    search.resolve();
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'Ask @bob' }]);
  });

  it('sends nothing if nothing is found and more was typed', async () => {
    const { page, host, search } = await pressEarly('Ask @bob', 'bob');
    await box(page).pressSequentially(' why');
    await page.getByRole('status').getByText('Searching…').waitFor();
    search.resolve();
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'Ask @bob why' }]);
  });

  it('is taken back by Escape, and by changing the word', async () => {
    for (const back of ['Escape', 'Backspace']) {
      const { page, host, search } = await pressEarly('Read @big', 'big');
      await box(page).press(back);
      await box(page).pressSequentially(back === 'Escape' ? ' it' : 'g it');
      search.resolve();
      await box(page).press('Enter');
      await until('the message', () => host.asked('run/start').length === 1);
      assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'Read @big it' }]);
    }
  });
});

describe('A pinned item', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const item = { kind: 'file', label: 'tide.ts', target: 'src/tide.ts' } as const;
  const pin = (page: Page) => page.getByRole('button', { name: 'Pin tide.ts' });

  it('is sent with each message until it is unpinned, and then with one more', async () => {
    const { page, host } = await open({ state: chat() });
    host.offerNearby(item);
    await pin(page).press('Enter');
    await until('the pin', async () => (await pin(page).getAttribute('aria-pressed')) === 'true');
    assert.equal(await page.getByRole('button', { name: 'Add tide.ts' }).count(), 0);
    assert.deepEqual(host.asked('setup/pin'), [{ sessionId: 'session', items: [item] }]);
    for (const text of ['first', 'second']) {
      await box(page).fill(text);
      await box(page).press('Enter');
    }
    await until('both messages', () => host.asked('run/start').length === 2);
    await pin(page).click();
    await until('the pin to be off', async () => (await pin(page).getAttribute('aria-pressed')) === 'false');
    for (const text of ['third', 'fourth']) {
      await box(page).fill(text);
      await box(page).press('Enter');
    }
    await until('all messages', () => host.asked('run/start').length === 4);
    assert.deepEqual(host.asked('run/start'), [
      { sessionId: 'session', text: 'first', items: [item] },
      { sessionId: 'session', text: 'second', items: [item] },
      { sessionId: 'session', text: 'third', items: [item] },
      { sessionId: 'session', text: 'fourth' },
    ]);
  });

  it('is in a message sent at the very moment it is unpinned', async () => {
    const setup = { ...chat().setup, pinned: [item] };
    const { page, host } = await open({ state: chat({ setup }) });
    await box(page).fill('now');
    await page.evaluate(`new MutationObserver((_, watch) => {
      if (document.querySelector('.chip.pinned')) return;
      watch.disconnect();
      const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
      document.querySelector('textarea[data-role=message]').dispatchEvent(enter);
    }).observe(document.body, { childList: true, subtree: true, attributes: true })`);
    await pin(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'now', items: [item] }]);
  });

  it('is no message on its own, is shown after a reload, and is removed by its close button', async () => {
    const setup = { ...chat().setup, pinned: [item] };
    const { page, host } = await open({ state: chat({ setup }) });
    await page.getByRole('button', { name: 'Send' }).and(page.locator(':disabled')).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove tide.ts' }).click();
    await pin(page).waitFor({ state: 'detached' });
    assert.deepEqual(host.asked('setup/pin'), [{ sessionId: 'session', items: [] }]);
  });

  it('stays an attachment of the message when pinning fails, and the reason is shown', async () => {
    const { page, host } = await open({ state: chat() });
    host.addItems(item);
    host.failing.set('setup/pin', 'The disk is full.');
    await pin(page).click();
    await page.getByText('The pin was not changed. The disk is full.').waitFor();
    assert.equal(await pin(page).getAttribute('aria-pressed'), 'false');
  });
});
