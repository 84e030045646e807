import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../editor/until';
import { themes } from './preview/themes';
import { chat, text, user } from './support/chats';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';
import { sessionSummary, someSessions } from './support/someSessions';

const names = (page: Page) => page.locator('.session-name').allInnerTexts();
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.innerText || document.activeElement.ariaLabel');

describe('The session list', () => {
  const panel = panelSuite();
  const open = async (sessions = someSessions()) => {
    const opened = await panel({ state: chat({ entries: [user('u', 'Question'), text('t', 'Answer')] }) });
    opened.host.sessions = sessions;
    await opened.page.getByRole('button', { name: 'Session history' }).click();
    await opened.page.locator('.session-row').first().waitFor();
    return opened;
  };

  it('groups sessions by day, and marks the running ones and the current one', async () => {
    const { page } = await open();
    const days = await page.locator('.sessions h2').allInnerTexts();
    assert.deepEqual(days.slice(0, 3), ['Favorites', 'Today', 'Yesterday']);
    assert.match(days[3] ?? '', /^\w+ \d+, \d{4}$/);
    const wanted = ['Kept for later', 'Fix the date parser', 'Explain the build', 'Tidy the readme', 'An old one'];
    assert.deepEqual(await names(page), wanted);
    assert.match(await page.locator('.session-row').nth(2).innerText(), /running/);
    assert.equal(await page.locator('.session-row').nth(1).getAttribute('aria-current'), 'true');
  });

  it('formats days and times in the language of the page', async () => {
    const { page, host } = await panel({ state: chat() });
    host.sessions = [
      sessionSummary('a', 'Of this week', 4),
      sessionSummary('b', 'Kept', 200, { isFavorite: true }),
      sessionSummary('c', 'Of long ago', 400),
    ];
    await page.evaluate("document.documentElement.lang = 'de'");
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').first().waitFor();
    const [, weekday = '', longAgo = ''] = await page.locator('.sessions h2').allInnerTexts();
    assert.match(weekday, /^(?:Sonn|Mon|Diens|Donners|Frei|Sams)tag$|^Mittwoch$/);
    assert.match(longAgo, /^\d+\. [A-ZÄ]\w+ \d{4}$/u);
    assert.match(await page.locator('.session-row').first().innerText(), /\d+\. [A-ZÄ][\wä]+\.?/u);
  });

  it('shows activity, changes and cost of each, and how those with the same name differ', async () => {
    const { page, host } = await panel({ state: chat() });
    host.sessions = [
      sessionSummary('a', 'Explain the build', 0, { running: true, activity: 'Running npm test', costUsd: 0.03 }),
      sessionSummary('b', 'Fix it', 0, { opening: 'Fix it\n\nin the parser', files: 1, costUsd: 0.001 }),
      sessionSummary('c', 'Fix it', 1, { opening: 'Fix it\nin the printer', files: 12 }),
      sessionSummary('d', 'Nothing yet', 1),
      sessionSummary('e', 'Nothing yet', 1, { opening: 'Nothing yet' }),
    ];
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').first().waitFor();
    assert.deepEqual(await page.locator('.session-found').allInnerTexts(), [
      'Running npm test · $0.03',
      'in the parser · 1 file changed · less than $0.01',
      'in the printer · 12 files changed',
    ]);
  });

  it('adds a session to the favorites, and removes it again', async () => {
    const { page, host } = await panel({ state: chat() });
    host.sessions = [sessionSummary('a', 'Explain the build', 0)];
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').hover();
    await page.getByRole('button', { name: 'Add Explain the build to favorites' }).click();
    await page.getByRole('heading', { name: 'Favorites' }).waitFor();
    await page.getByRole('button', { name: 'Remove Explain the build from favorites' }).click();
    await until('both requests', () => host.asked('session/set-favorite').length === 2);
    const asked = (isFavorite: boolean) => ({ sessionId: 'a', isFavorite });
    assert.deepEqual(host.asked('session/set-favorite'), [asked(true), asked(false)]);
  });

  it('marks sessions that wait for the user', async () => {
    const { page, host } = await panel({ state: chat() });
    host.sessions = [sessionSummary('one', 'Fix the parser', 0, { running: true, waiting: true })];
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').getByText('waiting for you').waitFor();
  });

  it('searches titles and first messages', async () => {
    const { page } = await open();
    await until('the search to have the focus', async () => (await focused(page)) === 'Search sessions');
    await page.keyboard.type('SUNDIAL');
    await until('one to be left', async () => (await names(page)).length === 1);
    assert.match(await page.locator('.session-row').innerText(), /Tidy the readme[\s\S]*and mention the sundial/);
    await page.keyboard.type(' nowhere');
    await page.getByText('No matching sessions').waitFor();
  });

  it('finds one by the first messages of an agent that works in it', async () => {
    const child = sessionSummary('child', 'Look', 0, { agent: 'explore', opening: 'Find the compass.' });
    const { page } = await open([...someSessions(), sessionSummary('lead', 'With an agent', 0, { children: [child] })]);
    await until('the search to have the focus', async () => (await focused(page)) === 'Search sessions');
    await page.keyboard.type('compass');
    await until('one to be left', async () => (await names(page))[0] === 'With an agent');
  });

  it('opens one by keyboard, and closes on Escape', async () => {
    const { page, host } = await open();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    await until('the third row', async () => /Explain the build/.test(await focused(page)));
    await page.keyboard.press('Enter');
    await page.locator('.sessions').waitFor({ state: 'detached' });
    await until('the request', () => JSON.stringify(host.asked('chat/open').at(-1)) === '{"sessionId":"two"}');
    await page.getByRole('button', { name: 'Session history' }).click();
    await page.locator('.session-row').first().waitFor();
    await page.keyboard.press('Escape');
    await until('the focus in the composer', async () => (await focused(page)) === 'Message');
  });

  it('closes when a command leads to a chat, but not when the current one was deleted', async () => {
    const { page, host } = await open();
    await showSession(page, host, chat({ sessionId: 'fresh', title: 'Instead of the deleted one' }));
    await page.getByRole('button', { name: 'Instead of the deleted one' }).waitFor();
    assert.equal(await page.locator('.sessions').count(), 1);
    host.showSession(chat({ sessionId: 'fresher', title: 'Opened by a command' }));
    host.focusComposer();
    await page.locator('.sessions').waitFor({ state: 'detached' });
    await until('the focus in the composer', async () => (await focused(page)) === 'Message');
  });

  it('renames one in place', async () => {
    const { page, host } = await open();
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    const box = page.getByRole('textbox', { name: 'Session name' }).and(page.locator(':focus'));
    assert.equal(await box.inputValue(), 'Fix the date parser');
    await page.keyboard.type('Dates');
    await page.keyboard.press('Enter');
    const row = page.locator('.session-row:focus');
    await row.getByText('Dates', { exact: true }).waitFor();
    assert.deepEqual(host.asked('session/rename'), [{ sessionId: 'session', title: 'Dates' }]);
    await page.keyboard.press('F2');
    await box.waitFor();
    await page.keyboard.type('Never mind');
    await page.keyboard.press('Escape');
    await row.getByText('Dates', { exact: true }).waitFor();
    assert.equal(host.asked('session/rename').length, 1);
  });

  it('deletes one without losing the focus', async () => {
    const { page, host } = await open();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await until('it to be gone', async () => !(await names(page)).includes('Tidy the readme'));
    assert.deepEqual(host.asked('session/delete'), [{ sessionId: 'three' }]);
    await until('the focus in the search', async () => (await focused(page)) === 'Search sessions');
  });

  it('opens one in an editor tab', async () => {
    const { page, host } = await open();
    await page.locator('li', { hasText: 'An old one' }).hover();
    await page.getByRole('button', { name: 'Open An old one in an editor tab' }).click();
    await until('the request', () => Promise.resolve(host.asked('session/open-in-editor').length === 1));
  });

  it('shows why it cannot be read, and retries', async () => {
    const { page, host } = await panel({ state: chat() });
    // The panel also asks again by itself, which would take the button away.
    await page.evaluate('void (window.setInterval = () => 0)');
    host.failing.set('session/list', 'The disk is gone.');
    await page.locator('[data-role=session-title]').click();
    await page.getByText('The sessions could not be read. The disk is gone.').waitFor();
    host.failing.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No sessions in this workspace yet.').waitFor();
  });
});

describe('The panel in the view', () => {
  const panel = panelSuite();

  it('leaves new, history and the menu to the view title, which shows and hides the sessions', async () => {
    const { page, host } = await panel({ state: chat({ title: 'The parser' }), inView: true });
    const header = page.locator('.header');
    await header.getByRole('button', { name: 'The parser' }).waitFor();
    assert.equal(await header.getByRole('button').count(), 1);
    host.showPart('sessions');
    await until('the search to have the focus', async () => (await focused(page)) === 'Search sessions');
    host.showPart('sessions');
    await until('the message to have the focus', async () => (await focused(page)) === 'Message');
    assert.equal(await page.locator('.sessions').count(), 0);
  });

  it('has an opaque background, since contrast checks count transparent as white', async () => {
    const painted = async (inView: boolean) => {
      const { page } = await panel({ state: chat(), theme: themes.darkModern, inView });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    assert.deepEqual([await painted(true), await painted(false)], ['rgb(24, 24, 24)', 'rgb(31, 31, 31)']);
  });
});

describe('The panel menu', () => {
  const open = panelSuite();

  it('is navigated by keys and contains the session actions', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Question')] }) });
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await until('the first to have the focus', async () => (await focused(page)) === 'Find in chat');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), 'Open transcript as document');
    await page.keyboard.press('End');
    assert.equal(await focused(page), 'Delete session…');
    await page.keyboard.press('Escape');
    await until('the button to have it again', async () => (await focused(page)) === 'More actions');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Open transcript as document' }).click();
    await until('the command', () => Promise.resolve(host.asked('command/run').length === 1));
    assert.deepEqual(host.asked('command/run'), [{ command: 'openTranscript' }]);
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });
});
