import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FileDiff, PendingApproval, ToolEntry } from '../../src/protocol/chatState';
import { pressToAllow } from '../editor/pressToAllow';
import { until } from '../editor/until';
import { TRICKY_TEXTS } from '../support/trickyTexts';
import { approval, chat, dateDiff, run, tool } from './support/chats';
import type { FakeHost } from './support/fakeHost';
import { panelSuite } from './support/panelSuite';
import { someSessions } from './support/someSessions';

const LINES = Array.from({ length: 200 }, (_, at) => `echo ${at}`).join('\n');
const longDiff: FileDiff = {
  ...dateDiff,
  hunks: [{ oldStart: 1, newStart: 1, lines: Array.from({ length: 200 }, (_, at) => `+line ${at}`) }],
};

function asking(parts: Partial<PendingApproval>, entry: Partial<ToolEntry> = {}) {
  return chat({
    entries: [tool('x', { tool: 'execute_command', category: 'execute', status: 'waiting', ...entry })],
    approvals: [approval('x', { tool: 'execute_command', category: 'execute', ...parts })],
    run: run('waiting-for-approval'),
  });
}

const edits = (ids: readonly string[]) =>
  chat({
    entries: ids.map((id) => tool(id, { tool: 'fs_edit', category: 'write', status: 'waiting' })),
    approvals: ids.map((id) => approval(id, { diff: { ...longDiff, path: `${id}.ts` }, together: ids })),
    run: run('waiting-for-approval'),
  });

const allow = (page: Page) => page.getByRole('button', { name: /^(Allow|Accept)$/ });
const settled = (page: Page) => page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor();
const answered = (host: FakeHost) => host.asked('approval/answer').map((asked) => JSON.stringify(asked));
const isEndSeen = (page: Page) => isInView(page, '.end-mark');

/** Whether the last matching element is visible within all of its scroll containers. */
function isInView(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`new Promise((resolve) => {
    const watch = new IntersectionObserver(([entry]) => {
      watch.disconnect();
      resolve(entry.isIntersecting);
    });
    watch.observe([...document.querySelectorAll('${selector}')].at(-1));
  })`);
}

/** Runs in the page: a double click on the button that allows the request. */
const DOUBLE_CLICK = `for (const detail of [1, 2]) {
  const button = document.querySelector('[data-primary]');
  button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, detail }));
}`;

const long: Record<string, ReturnType<typeof chat>> = {
  'a command': asking({ command: LINES }),
  'an edit': asking({ diff: longDiff, tool: 'fs_edit', category: 'write' }, { tool: 'fs_edit', category: 'write' }),
  'a tool with a long title': asking({ title: LINES, tool: 'other' }, { tool: 'other', category: 'network' }),
  'a tool with a long text': asking(
    { tool: 'other' },
    { tool: 'other', category: 'network', detail: { kind: 'text', text: LINES } },
  ),
};

describe('A long request', () => {
  const open = panelSuite();

  for (const [name, state] of Object.entries(long)) {
    it(`is allowed only once its end was in view, and a press scrolls there: ${name}`, async () => {
      const { page, host } = await open({ state });
      await settled(page);
      assert.equal(await isEndSeen(page), false);
      assert.equal(await allow(page).isDisabled(), true);
      assert.match((await page.locator('[data-primary]').getAttribute('title')) ?? '', /^Scroll to the end to/);
      await page.evaluate(DOUBLE_CLICK);
      assert.deepEqual(answered(host), []);
      await until('the end to be in view', () => isEndSeen(page));
      await allow(page).click();
      await until('the answer', () => answered(host).length === 1);
    });
  }

  it('is allowed at once if all of it is in view', async () => {
    const { page, host } = await open({ state: asking({ command: 'npm test' }) });
    await allow(page).click();
    await until('the answer', () => answered(host).length === 1);
  });

  it('is not allowed by key before its end was in view, from the message or on the button', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    const box = page.getByRole('textbox', { name: 'Message' });
    await settled(page);
    await box.press('Control+Enter');
    await until('the end to be shown by the key', () => isEndSeen(page));
    assert.deepEqual(answered(host), []);
    await box.and(page.locator(':focus')).waitFor();
    await page.locator('[data-primary]:not([aria-disabled])').waitFor();
    await box.press('Control+Enter');
    await until('the answer', () => answered(host).length === 1);
  });

  it('is scrolled to its end by Enter on its allow button', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    await settled(page);
    await allow(page).focus();
    await page.keyboard.press('Enter');
    await until('the end to be in view', () => isEndSeen(page));
    assert.deepEqual(answered(host), []);
    await page.locator('[data-primary]:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await until('the answer', () => answered(host).length === 1);
  });

  it('is not seen while the panel is hidden, and takes a moment once it is shown again', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    await settled(page);
    const shows = (hidden: boolean) =>
      page.evaluate<string | null>(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'));
        return document.querySelector('[data-approval-id]').getAttribute('aria-disabled');
      })()`);
    await shows(true);
    await page.evaluate(`[...document.querySelectorAll('.end-mark')].at(-1).scrollIntoView()`);
    // Each time takes as long as an end has to be in view.
    for (let times = 0; times < 3; times++) {
      await settled(page);
      assert.equal(await shows(true), 'true');
    }
    await settled(page);
    assert.equal(await allow(page).isDisabled(), true);
    assert.equal(await shows(false), 'true');
    await settled(page);
    await pressToAllow(allow(page));
    await until('the answer', () => answered(host).length === 1);
  });

  it('is not seen behind the list of sessions', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    await settled(page);
    host.sessions = someSessions();
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').first().waitFor();
    await page.evaluate(`[...document.querySelectorAll('.end-mark')].at(-1).scrollIntoView()`);
    // Each time takes as long as an end has to be in view.
    for (let times = 0; times < 3; times++) {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor({ state: 'attached' });
    }
    const isDisabled = `document.querySelector('[data-primary]').disabled === true
      || document.querySelector('[data-primary]').getAttribute('aria-disabled') === 'true'`;
    assert.equal(await page.evaluate(isDisabled), true);
  });

  it('can be rejected before its end was in view', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await until('the answer', () => answered(host).length === 1);
    assert.equal(await isEndSeen(page), false);
  });

  it('cannot be allowed always before its end was in view', async () => {
    const { page, host } = await open({ state: asking({ command: LINES }) });
    await page.getByRole('button', { name: 'Always…' }).click();
    const always = page.getByRole('button', { name: /^Always allow edits in/ });
    await settled(page);
    assert.equal(await always.isDisabled(), true);
    await pressToAllow(always);
    await until('the answer', () => answered(host).length === 1);
    assert.equal(await isEndSeen(page), true);
  });

  it('counts as seen once its diff was opened in the editor', async () => {
    const { page, host } = await open({ state: long['an edit'] ?? chat() });
    await settled(page);
    assert.equal(await allow(page).isDisabled(), true);
    await page.getByRole('button', { name: 'Open diff' }).click();
    await allow(page).click();
    await until('the answer', () => answered(host).length === 1);
  });

  it('of several files is expanded by Accept, for one file or all, and accepted once it was seen', async () => {
    const { page, host } = await open({ state: edits(['a', 'b', 'c']) });
    await settled(page);
    await page.locator('[data-approval-id=approval-b]:not([aria-disabled])').waitFor();
    const one = page.getByRole('button', { name: 'Accept b.ts' });
    assert.equal(await one.isDisabled(), true);
    await one.click({ force: true });
    await until('its change', async () => (await page.locator('.diff').count()) === 1);
    assert.deepEqual(answered(host), []);
    await until('its end', () => isInView(page, '[data-end-of=approval-b]'));
    const all = page.getByRole('button', { name: 'Accept all' });
    assert.equal(await all.isDisabled(), true);
    await until('all changes', async () => {
      await all.click({ force: true });
      return (await page.locator('.diff').count()) === 3;
    });
    assert.deepEqual(answered(host), []);
    await pressToAllow(all);
    await until('the answers', () => answered(host).length === 3);
  });

  for (const { name, text } of TRICKY_TEXTS.filter((one) => one.text.length > 100_000)) {
    it(`cannot be forced before its end was in view: ${name}`, async () => {
      const { page, host } = await open({ state: asking({ command: text }) });
      await settled(page);
      assert.equal(await isEndSeen(page), false);
      await allow(page).click({ force: true });
      assert.deepEqual(answered(host), []);
      await until('the end to be in view', () => isEndSeen(page));
      await allow(page).click();
      await until('the answer', () => answered(host).length === 1);
    });
  }
});
