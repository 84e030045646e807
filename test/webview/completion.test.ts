import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Deferred } from '../../src/base/async';
import type { ContextHit } from '../../src/protocol/hostApi';
import { until } from '../editor/until';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

const hit = (label: string): ContextHit => ({ item: { kind: 'file', label, target: label }, detail: '' });

describe('The list of completions', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const options = (page: Page) => page.getByRole('listbox', { name: 'Add context' }).getByRole('option');
  const labels = (page: Page) => options(page).locator('.completion-label').allInnerTexts();
  const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const shows = (page: Page, ...wanted: string[]) =>
    until(wanted.join(), async () => (await labels(page)).join() === wanted.join());

  it('is of the last query, even if an earlier one is answered later', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = [hit('old.ts'), hit('date.ts')];
    const search = new Deferred<void>();
    host.lateSearch = { words: 'old', until: search.promise };
    await box(page).fill('@old');
    await until('the search', () => host.asked('context/search').length > 0);
    await box(page).fill('@dat');
    await shows(page, 'date.ts');
    search.resolve();
    await search.promise;
    host.emit({ type: 'title-changed', title: 'After that' });
    await page.getByText('After that').first().waitFor();
    assert.deepEqual(await labels(page), ['date.ts']);
  });

  it('applies Enter to the results that are about to arrive, not to those of the query before', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = [hit('a-dog.ts'), hit('date.ts')];
    const search = new Deferred<void>();
    host.lateSearch = { words: 'dat', until: search.promise };
    await box(page).pressSequentially('@d');
    await shows(page, 'a-dog.ts', 'date.ts');
    await box(page).pressSequentially('at');
    await box(page).press('Enter');
    search.resolve();
    await chips(page).waitFor();
    assert.deepEqual(
      (await chips(page).allInnerTexts()).map((text) => text.trim()),
      ['date.ts'],
    );
  });

  it('is walked through in both directions, from one end to the other', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = ['a.ts', 'b.ts', 'c.ts'].map(hit);
    await box(page).pressSequentially('@ts');
    await shows(page, 'a.ts', 'b.ts', 'c.ts');
    const chosen = page.locator('[role=option][aria-selected=true] .completion-label');
    for (const [key, label] of [
      ['ArrowUp', 'c.ts'],
      ['ArrowDown', 'a.ts'],
      ['ArrowDown', 'b.ts'],
      ['ArrowUp', 'a.ts'],
    ] as const) {
      await box(page).press(key);
      await until(label, async () => (await chosen.innerText()) === label);
    }
  });

  it('leaves one space where what was completed stood between two words', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = [hit('date.ts')];
    await box(page).fill('Read  now');
    for (let at = 0; at < 4; at++) await box(page).press('ArrowLeft');
    await box(page).pressSequentially('@dat');
    await shows(page, 'date.ts');
    await box(page).press('Enter');
    await chips(page).waitFor();
    assert.equal(await box(page).inputValue(), 'Read now');
  });
});
