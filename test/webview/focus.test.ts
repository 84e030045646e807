import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatEntry, PendingApproval, PendingQuestion } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { pressToAllow } from '../editor/pressToAllow';
import { until } from '../editor/until';
import { approval, chat, dateDiff, run, text, tool, user } from './support/chats';
import type { FakeHost } from './support/fakeHost';
import { holdFrames } from './support/heldFrames';
import { mayBeAllowed } from './support/mayBeAllowed';
import { PanelTab } from './support/panelPage';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';

const working = (entries: ChatEntry[] = [user('u', 'Fix it')]) => chat({ entries, run: run('thinking') });
const edit = (id: string) =>
  tool(id, { tool: 'fs_edit', category: 'write', title: `Edit ${id}.ts`, status: 'waiting' });
const command = (id: string) =>
  tool(id, { tool: 'execute_command', category: 'execute', title: `Run ${id}`, status: 'waiting' });
const asks = (one: PendingApproval): HostEvent => ({ type: 'approval-added', approval: one });
const added = (entry: ChatEntry): HostEvent => ({ type: 'entry-added', entry });
const removed = (id: string): HostEvent => ({ type: 'approval-removed', approvalId: `approval-${id}` });
const question = (kind: PendingQuestion['kind']): HostEvent[] => [
  added(tool('q', { tool: 'ask_user', category: 'user', title: 'Ask', status: 'waiting' })),
  {
    type: 'question-added',
    question: { questionId: 'q', entryId: 'q', agent: 'Cairn', question: 'Which?', kind, options: ['Left', 'Right'] },
  },
];
const agent: ChatEntry = {
  ...{ kind: 'agent', id: 'g', agent: 'explore', sessionId: 'child', task: 'Look', status: 'running', activity: '' },
  ...{ startedAt: 0, durationMs: null, tokens: 0, costUsd: 0, answer: null },
};

const arrivals: Record<string, HostEvent[]> = {
  'an edit': [added(edit('a')), asks(approval('a', { diff: dateDiff }))],
  'a command': [added(command('a')), asks(approval('a', { command: 'npm test', tool: 'execute_command' }))],
  'another tool': [added(tool('a', { status: 'waiting' })), asks(approval('a'))],
  'several edits at once': ['a', 'b'].flatMap((id) => [
    added(edit(id)),
    asks(approval(id, { diff: dateDiff, together: ['a', 'b'] })),
  ]),
  'an edit of an agent': [added(agent), asks(approval('g', { diff: dateDiff }))],
  'a choice': question('choice'),
  'a question with checkboxes': question('checkbox'),
  'a yes/no question': question('confirm'),
  'a text question': question('input'),
  'a complete answer': [
    added(text('t', 'Words', true)),
    { type: 'text-finished', entryId: 't', durationMs: 1 },
    { type: 'run-changed', run: null },
  ],
};

/** What is shown once any of these has arrived. */
const ARRIVED = '[data-approval-id], [data-question-id], article[data-kind=text][data-streaming=false]';

/** Runs in the page: the focused element's entry id or role. */
const FOCUSED = `(() => {
  const { dataset, tagName } = document.activeElement;
  return dataset.entryId ?? dataset.role ?? tagName;
})()`;
const focused = (page: Page) => page.evaluate<string>(FOCUSED);
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const settled = (page: Page, id: string) =>
  page.locator(`[data-approval-id="approval-${id}"]:not([aria-disabled])`).waitFor();
const answersOf = (host: FakeHost) => [...host.asked('approval/answer'), ...host.asked('question/answer')];

/** Runs in the page: presses the pointer on the first answering button as soon as it appears. */
const PRESSING = `new MutationObserver((_, watch) => {
    const button = document.querySelector('[data-approval-id] [data-primary], .edits [data-primary]');
    if (!button) return;
    watch.disconnect();
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, detail: 1 }));
    document.body.dataset.pressed = 'true';
  }).observe(document.body, { childList: true, subtree: true });`;
/** Runs in the page: presses the pointer in the first frame in which the button has moved. */
const PRESSING_WHEN_MOVED = `(() => {
  const button = document.querySelector('[data-approval-id] [data-primary]');
  const { top } = button.getBoundingClientRect();
  const look = () => {
    if (Math.abs(button.getBoundingClientRect().top - top) < 10) return requestAnimationFrame(look);
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, detail: 1 }));
    document.body.dataset.pressed = 'true';
  };
  look();
})()`;
/** Runs in the page: lets the next frames begin only by `frame`, at the time that it is given. */
const FRAMES_BY_HAND = `(() => {
  const held = [];
  window.requestAnimationFrame = (act) => held.push(act);
  window.frame = (now) => held.splice(0).forEach((act) => act(now));
})()`;
const pressed = (page: Page) => page.locator('body[data-pressed]').waitFor();

describe('The message asked to take the focus', () => {
  const open = panelSuite();

  it('takes it from the frame around the panel if the editor leaves it there, but never from the rest of the editor', async () => {
    const { page } = await open({ state: chat() });
    await page.clock.install();
    const { panel, around } = await PanelTab.frame(page);
    const message = panel.locator('textarea[data-role=message]');
    await message.waitFor();
    const ask = () =>
      around.evaluate(`document.querySelector('iframe').contentWindow.postMessage({ kind: 'focus-composer' })`);
    const hasFocus = () => panel.evaluate('document.hasFocus()');
    await page.locator('#list').focus();
    await ask();
    await page.clock.runFor(10_000);
    await page.keyboard.type('list');
    assert.equal(await page.locator('#list').inputValue(), 'list');
    await ask();
    await around.evaluate('window.focus()');
    assert.equal(await hasFocus(), false);
    await until('the panel to have the focus', hasFocus);
    await page.keyboard.type('message');
    assert.equal(await message.inputValue(), 'message');
  });
});

describe('The focus', () => {
  const open = panelSuite();
  const words = 'And please look at the tests too, they are slow. ';

  for (const [name, events] of Object.entries(arrivals)) {
    for (const draft of ['', 'Half a ']) {
      it(`stays where the user types when ${name} arrives ${draft === '' ? 'before' : 'after'} the first letter`, async () => {
        const { page, host } = await open({ state: working() });
        await box(page).fill(draft);
        const typing = page.keyboard.type(words.repeat(2));
        host.emit(...events);
        await typing;
        await page.locator(ARRIVED).first().waitFor();
        await page.keyboard.type(words);
        assert.equal(await box(page).inputValue(), draft + words.repeat(3));
        assert.equal(await focused(page), 'message');
        assert.deepEqual(answersOf(host), []);
      });
    }
  }

  it('stays where the user types when another session arrives, with all that was typed', async () => {
    const { page, host } = await open({ state: working() });
    const typing = page.keyboard.type(words.repeat(2));
    const other = chat({ sessionId: 'other', title: 'Other', entries: [edit('a')], run: run('waiting-for-approval') });
    host.showSession({ ...other, approvals: [approval('a', { diff: dateDiff })] });
    await typing;
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    assert.equal(await box(page).inputValue(), words.repeat(2));
    assert.equal(await focused(page), 'message');
    assert.deepEqual(answersOf(host), []);
  });

  it('goes to the message when another session replaces the entry that has it', async () => {
    const { page, host } = await open({ state: working([user('u', 'Fix it'), text('t', 'Done.')]) });
    await page.locator('article[data-entry-id=t]').focus();
    assert.equal(await focused(page), 't');
    await showSession(page, host, chat({ sessionId: 'other', title: 'Other', entries: [text('o', 'Other.')] }));
    await until('the focus in the message', async () => (await focused(page)) === 'message');
  });

  it('returns to the message with the first letter typed elsewhere', async () => {
    const { page } = await open({ state: working([user('u', 'Fix it'), text('t', 'Done.')]) });
    await page.locator('article[data-entry-id=t]').focus();
    await page.keyboard.type('So');
    await page.locator('[data-role=model]').focus();
    await page.keyboard.type(' what');
    assert.equal(await box(page).inputValue(), 'Sowhat');
  });

  for (const begins of [true, false]) {
    it(`stays in the message after a double click on Send, which then ${begins ? 'is Stop' : 'is disabled'}`, async () => {
      const { page, host } = await open({ state: chat() });
      await box(page).fill('Fix it');
      const press = async (clickCount: number) => {
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
      };
      await page.getByRole('button', { name: 'Send' }).hover();
      await press(1);
      await until('the message', () => host.asked('run/start').length === 1);
      if (begins) host.emit({ type: 'run-changed', run: run('thinking') });
      await page.locator(begins ? 'button.stop' : 'button.send:disabled').waitFor();
      await press(2);
      assert.equal(await focused(page), 'message');
      await page.keyboard.type('And the tests');
      assert.equal(await box(page).inputValue(), 'And the tests');
      assert.deepEqual(host.asked('run/cancel'), []);
    });
  }

  it('moves to the next pending request after an answer by key, and from the last to the message', async () => {
    const { page, host } = await open({ state: working() });
    host.emit(...['a', 'b'].flatMap((id) => [added(edit(id)), asks(approval(id, { diff: dateDiff }))]));
    await mayBeAllowed(page, 'a');
    await settled(page, 'b');
    await page.keyboard.press('Control+Enter');
    await until('the first answer', () => host.asked('approval/answer').length === 1);
    host.emit(removed('a'), { type: 'tool-changed', entryId: 'a', changes: { status: 'ok' } });
    await until('the next to have the focus', async () => (await focused(page)) === 'b');
    await settled(page, 'b');
    await page.keyboard.press('Control+Backspace');
    await until('the second answer', () => host.asked('approval/answer').length === 2);
    host.emit(removed('b'), { type: 'tool-changed', entryId: 'b', changes: { status: 'rejected' } });
    await until('the message to have the focus', async () => (await focused(page)) === 'message');
    await page.keyboard.type('next');
    assert.equal(await box(page).inputValue(), 'next');
  });

  it('moves on when the focused request is answered elsewhere', async () => {
    const { page, host } = await open({ state: working() });
    host.emit(
      ...['a', 'b'].flatMap((id) => [added(edit(id)), asks(approval(id, { diff: dateDiff, together: ['a', 'b'] }))]),
    );
    await page.getByRole('button', { name: 'Accept all' }).focus();
    host.emit(removed('a'), removed('b'));
    await until('the message to have the focus', async () => (await focused(page)) === 'message');
  });

  it('is in the message after a click on Send, and a double click does not stop the run', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    await box(page).fill('Go');
    const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
    assert.ok(send);
    await page.mouse.move(send.x + 5, send.y + 5);
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    host.emit({ type: 'run-changed', run: run('thinking') });
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await until('the message to have the focus', async () => (await focused(page)) !== 'BODY');
    await page.keyboard.type('more');
    await until('the letters', async () => (await box(page).inputValue()) === 'more');
    assert.deepEqual(host.asked('run/cancel'), []);
  });
});

describe('A request', () => {
  const open = panelSuite();

  for (const name of ['an edit', 'a command', 'another tool', 'several edits at once', 'an edit of an agent']) {
    it(`is not answered by a press already in progress when it appears: ${name}`, async () => {
      const { page, host } = await open({ state: working() });
      await page.evaluate(PRESSING);
      host.emit(...(arrivals[name] ?? []));
      await pressed(page);
      await page.locator('[data-approval-id]:not([aria-disabled])').first().waitFor();
      assert.deepEqual(answersOf(host), []);
      const button = page.getByRole('button', { name: /^(Accept|Allow|Accept all)$/ });
      await pressToAllow(button);
      await until('the answer', () => answersOf(host).length > 0);
    });
  }

  it('is not answered by a press right after it moved', async () => {
    const { page, host } = await open({ state: working() });
    host.emit(...(arrivals['an edit'] ?? []));
    await settled(page, 'a');
    await page.evaluate(PRESSING_WHEN_MOVED);
    host.emit(added(user('u2', 'Long words\n'.repeat(60), true)));
    await pressed(page);
    assert.deepEqual(answersOf(host), []);
    await page.getByRole('button', { name: 'Accept' }).click();
    await until('the answer', () => answersOf(host).length === 1);
  });

  it('is not answered by a key that is held down, nor by one meant for the previous request', async () => {
    const { page, host } = await open({ state: working() });
    host.emit(added(command('a')), asks(approval('a', { command: 'first' })));
    await page.locator('[data-primary]:not([aria-disabled])').waitFor();
    await page.getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.down('Enter');
    await until('the answer', () => answersOf(host).length === 1);
    // Without frames, the second request cannot count as seen before the keys arrive.
    const release = await holdFrames(page);
    host.emit(removed('a'), asks({ ...approval('a', { command: 'second' }), approvalId: 'approval-other' }));
    await page.locator('[data-approval-id=approval-other]').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await release();
    await page.locator('[data-approval-id=approval-other]:not([aria-disabled])').waitFor();
    assert.equal(answersOf(host).length, 1);
  });

  it('that was seen is not answered by a key that is held down since the one before it', async () => {
    const { page, host } = await open({ state: working() });
    for (const id of ['a', 'b']) host.emit(added(command(id)), asks(approval(id, { command: `echo ${id}` })));
    await settled(page, 'a');
    await settled(page, 'b');
    await page.locator('[data-approval-id="approval-a"]').getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.down('Enter');
    await until('the answer', () => answersOf(host).length === 1);
    host.emit(removed('a'));
    await until('the focus at the next', async () => (await focused(page)) === 'b');
    await page.locator('[data-approval-id="approval-b"]').getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(answersOf(host).length, 1);
    await page.keyboard.press('Enter');
    await until('the second answer', () => answersOf(host).length === 2);
  });

  it('is not answered by key before it has been in view for a moment', async () => {
    const { page, host } = await open({ state: working() });
    await page.evaluate(FRAMES_BY_HAND);
    host.emit(...(arrivals['an edit'] ?? []));
    await page.locator('[data-approval-id]').waitFor();
    for (const now of [1000, 1100, 1200, 1299]) await page.evaluate(`frame(${now})`);
    await page.keyboard.press('Control+Backspace');
    // An answer would arrive before this request.
    await page.keyboard.press('Escape');
    await page.evaluate(`frame(1299)`);
    await box(page).fill('@x');
    await until('a later request', () => host.asked('context/search').length > 0);
    assert.deepEqual(answersOf(host), []);
    await box(page).fill('');
    let now = 2000;
    await until('its place to be taken as seen', async () => {
      await page.evaluate(`frame(${(now += 300)})`);
      await page.keyboard.press('Control+Enter');
      return answersOf(host).length === 1;
    });
  });

  it('out of view is scrolled into view by its answer key, and answered by the next press', async () => {
    const entries = [edit('a'), text('t', 'word\n\n'.repeat(120))];
    const state = { ...working(entries), approvals: [approval('a', { diff: dateDiff })] };
    const { page, host } = await open({ state });
    await page.getByRole('button', { name: /Waiting for your approval/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await until('the focus at the request', async () => (await focused(page)) === 'a');
    await settled(page, 'a');
    assert.deepEqual(answersOf(host), []);
    await until('its place to be taken as seen', async () => {
      await page.keyboard.press('Control+Enter');
      return answersOf(host).length === 1;
    });
  });
});
