import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { approval, chat, dateDiff, run, text, tool, user } from './support/chats';
import { atRest } from './support/frames';
import { panelSuite } from './support/panelSuite';

describe('The transcript', () => {
  const open = panelSuite();

  it('collapses consecutive reading tools as they finish, and expands them', async () => {
    const entries = [user('u', 'Hi'), tool('a'), tool('b', { title: 'Read src/months.ts' })];
    const { page, host } = await open({ state: chat({ entries, run: run('running-tool') }) });
    host.emit({
      type: 'entry-added',
      entry: tool('c', { title: 'Search for x', tool: 'fs_search', status: 'running' }),
    });
    await page.getByText('Search for x').waitFor();
    host.emit({ type: 'tool-changed', entryId: 'c', changes: { status: 'ok', durationMs: 10 } });
    const group = page.getByRole('button', { name: 'Read 2 files, searched once' });
    await group.waitFor();
    assert.equal(await page.getByText('Read src/months.ts').isVisible(), false);
    await group.click();
    await page.getByText('Read src/months.ts').waitFor();
    await page.getByText('Search for x').waitFor();
  });

  it('shows to-dos as one line that expands', async () => {
    const todos = [
      { id: 1, text: 'Find the cause', done: true },
      { id: 2, text: 'Fix it', done: false },
    ];
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], todos }) });
    const strip = page.getByRole('region', { name: 'To-dos' }).getByRole('button');
    assert.match(await strip.innerText(), /Fix it\s+1\/2/);
    await strip.click();
    assert.equal(await page.getByRole('region', { name: 'To-dos' }).getByRole('listitem').count(), 2);
    host.emit({ type: 'todos-changed', todos: todos.map((todo) => ({ ...todo, done: true })) });
    await until('the count', async () => /2\/2/.test(await strip.innerText()));
  });

  it('leaves to-do updates to the strip, also between reads, but shows failures', async () => {
    const entries = [
      tool('i', { tool: 'todo__init', quiet: true, title: 'Plan 2 steps' }),
      tool('a'),
      tool('d', { tool: 'todo__done', quiet: true, title: 'Complete to-do 1' }),
      tool('b'),
      tool('c'),
      tool('x', {
        tool: 'todo__done',
        quiet: true,
        title: 'Complete to-do 9',
        status: 'error',
        output: 'There is no to-do 9.',
      }),
    ];
    const { page } = await open({ state: chat({ entries }) });
    await page.getByRole('button', { name: 'Read 3 files' }).waitFor();
    await page.locator('article[data-tool=todo__init][data-status=ok]').waitFor({ state: 'attached' });
    assert.equal(await page.getByText('Plan 2 steps').isVisible(), false);
    assert.equal(await page.getByText('Complete to-do 1').isVisible(), false);
    await page.getByText('There is no to-do 9.').waitFor();
    assert.equal(
      await page.locator('article[data-tool=todo__done][data-status=error]').getAttribute('aria-setsize'),
      '2',
    );
  });

  it('ends a turn with a line that opens its files', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')] }) });
    const files = [{ path: 'src/date.ts', added: 6, removed: 2 }];
    const entry = {
      kind: 'turn',
      mode: 'agent',
      runId: 'run',
      messageId: 'u',
      id: 'e',
      outcome: 'cancelled',
      durationMs: 34_000,
      inputTokens: 12_000,
      outputTokens: 400,
      commands: 1,
      files,
    } as const;
    host.emit({ type: 'entry-added', entry });
    const turn = page.locator('article[data-kind=turn]');
    await turn.waitFor();
    for (const words of ['Stopped', '1 command', '34 s', '12.4k tokens']) await turn.getByText(words).waitFor();
    await turn.getByRole('button', { name: /1 file/ }).click();
    await turn.getByRole('button', { name: /src\/date\.ts/ }).click();
    await until('the file', () => host.asked('editor/open-file').length === 1);
  });

  it('shows the button of a notice', async () => {
    const notice = {
      kind: 'notice',
      id: 'n',
      level: 'error',
      text: 'The key was refused.',
      action: { label: 'Set the key', command: 'setApiKey' },
    } as const;
    const { page, host } = await open({ state: chat({ entries: [notice] }) });
    await page.getByRole('button', { name: 'Set the key' }).click();
    await until('the command', () => host.asked('command/run').length === 1);
  });

  it('opens the summary that the model sees after compacting', async () => {
    const notice = {
      kind: 'notice',
      id: 'n',
      level: 'info',
      text: 'The model now sees a summary.',
      action: null,
      detail: { title: 'Summary', text: '1. Wishes: RAL 5010' },
    } as const;
    const { page } = await open({ state: chat({ entries: [notice] }) });
    assert.equal(await page.getByText('RAL 5010').count(), 0);
    await page.getByRole('button', { name: 'Summary' }).click();
    await page.getByText('RAL 5010').waitFor();
  });

  it('can be used by keyboard alone', async () => {
    const { page, host } = await open({
      state: chat({
        entries: [
          user('u', 'Question'),
          text('t', 'Answer'),
          tool('r', { output: 'seen' }),
          tool('c', { category: 'write', tool: 'fs_edit', status: 'waiting', title: 'Edit' }),
        ],
        approvals: [approval('c', { diff: dateDiff })],
        run: run('waiting-for-approval'),
      }),
    });
    const focused = () =>
      page.evaluate(
        'document.activeElement.closest("article")?.dataset.entryId ?? document.activeElement.dataset.role',
      );
    const seen = new Set<unknown>();
    await page.locator('[data-role=session-title]').focus();
    for (let at = 0; at < 30; at++) {
      await page.keyboard.press('Tab');
      seen.add(await focused());
    }
    for (const place of ['u', 't', 'r', 'c', 'message', 'model', 'approval-mode']) assert.ok(seen.has(place), place);
    await page.locator('article[data-entry-id=t]').focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'u');
    await page.keyboard.press('End');
    assert.equal(await focused(), 'c');
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'message');
    await page.getByRole('button', { name: 'Read src/date.ts' }).press('Enter');
    await page.getByText('seen').waitFor();
    await page.getByRole('button', { name: 'Accept' }).focus();
    await page.locator('[data-primary]:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await until('the answer', () => host.asked('approval/answer').length === 1);
  });

  it('keeps the user’s message in view as a line once it is scrolled away', async () => {
    const long = (id: string) => text(id, 'A long answer.\n\n'.repeat(60));
    const entries = [user('u1', 'First question'), long('t1'), user('u2', 'Second question\nwith more'), long('t2')];
    const { page } = await open({ state: chat({ entries }) });
    const asked = page.locator('.asked');
    await page.getByText('Second question⏎with more', { exact: true }).and(asked).waitFor();
    assert.equal(await asked.getAttribute('title'), 'Second question⏎with more');
    await page.locator('article[data-entry-id=t2]').focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('First question', { exact: true }).and(asked).waitFor();
    await page.keyboard.press('Home');
    await asked.waitFor({ state: 'detached' });
  });

  it('does not repeat the session title in that line', async () => {
    const entries = [user('u1', 'Explain the build, step by step'), text('t1', 'A long answer.\n\n'.repeat(60))];
    const { page, host } = await open({ state: chat({ title: 'How it is built', entries }) });
    const asked = page.locator('.asked');
    await asked.getByText('Explain the build, step by step').waitFor();
    host.emit({ type: 'title-changed', title: 'Explain the build…' });
    await asked.waitFor({ state: 'detached' });
    host.emit({ type: 'title-changed', title: 'The build' });
    await asked.waitFor();
  });

  it('keeps an answer within a narrow panel, however deep it is nested and long its words are', async () => {
    const word = 'x'.repeat(300);
    const levels = Array.from({ length: 16 }, (_, level) => level);
    const parts = [
      levels.map((level) => `${'  '.repeat(level)}- item ${level}`).join('\n'),
      `${'> '.repeat(16)}quote`,
      `\`\`\`${word}\ncode\n\`\`\``,
      `**${word}** \`${word}\` [${word}](https://example.com/${word})`,
    ];
    const { page } = await open({ state: chat({ entries: [text('t', parts.join('\n\n'))] }), width: 240 });
    await page.getByText('item 15').waitFor();
    const outside = await atRest<string[]>(
      page,
      `[...document.querySelectorAll('.markdown :is(li, p, a, button)')]
      .map((one) => ({ one, ...one.getBoundingClientRect().toJSON() }))
      .filter(({ left, right, width }) => left < 0 || right > innerWidth || width < 20)
      .map(({ one, left, right }) => (one.ariaLabel ?? one.textContent) + ': ' + left + ' to ' + right)`,
    );
    assert.deepEqual(outside, []);
  });

  it('gives each paragraph, item, and cell of an answer its own direction, and code none', async () => {
    const markdown = [
      'An English sentence.',
      'שלום `עולם`, זה משפט.',
      '- an item\n- שלום',
      'Between two lists.',
      '- שלום\n- an item',
      '```ts\n// שלום\n```',
      '| a | a long heading |\n| --- | --- |\n| one | שלום |',
    ];
    const streamed = text('s', '', true);
    const { page, host } = await open({ state: chat({ entries: [text('t', markdown.join('\n\n')), streamed] }) });
    host.emit({ type: 'text-appended', entryId: 's', text: markdown.join('\n\n').slice(0, 40) });
    await page.locator('[data-entry-id=s] p').nth(1).waitFor();
    const sides = `[...document.querySelectorAll('[data-entry-id=ID] .markdown :is(p, li, td, pre code)')].map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const text = range.getBoundingClientRect();
      const box = one.getBoundingClientRect();
      return Math.abs(box.right - text.right) < Math.abs(text.left - box.left) ? 'right' : 'left';
    })`;
    const sidesOf = (id: string) => page.evaluate<string[]>(sides.replace('ID', id));
    assert.equal((await sidesOf('t')).join(' '), 'left right left right left right left left left right');
    assert.equal((await sidesOf('s')).join(' '), 'left right');
  });

  it('marks the items of a task list with boxes alone', async () => {
    const { page } = await open({ state: chat({ entries: [text('t', '- [ ] open\n- [x] done\n- plain')] }) });
    const items = page.locator('[data-entry-id=t] li');
    await items.nth(2).waitFor();
    assert.deepEqual(await items.allInnerTexts(), ['☐ open', '☑ done', 'plain']);
    const marks = `[...document.querySelectorAll('[data-entry-id=t] li')].map((one) => getComputedStyle(one).listStyleType)`;
    assert.deepEqual(await page.evaluate(marks), ['none', 'none', 'disc']);
  });

  it('announces only the beginning of a long answer', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], run: run('answering') }) });
    host.emit(
      { type: 'entry-added', entry: text('t', 'Words. '.repeat(500), true) },
      { type: 'text-finished', entryId: 't', durationMs: null },
    );
    const said = async () => (await page.locator('[aria-live=polite]').textContent()) ?? '';
    await until('the answer', async () => (await said()).startsWith('Cairn: Words. Words.'));
    assert.ok((await said()).length < 700);
  });

  it('announces to screen readers what has finished and what is pending, but never tokens', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Hi')], run: run('answering') }) });
    const live = page.locator('[aria-live=polite]');
    host.emit({ type: 'entry-added', entry: text('t', 'Half', true) });
    await page.getByText('Half').waitFor();
    assert.equal(await live.textContent(), '');
    host.emit(
      { type: 'text-appended', entryId: 't', text: ' and **whole**.' },
      { type: 'text-finished', entryId: 't', durationMs: null },
    );
    await until('the answer', async () => (await live.textContent()) === 'Cairn: Half and whole.');
    host.emit(
      { type: 'entry-added', entry: tool('c', { status: 'waiting' }) },
      { type: 'approval-added', approval: approval('c') },
    );
    await until(
      'the request',
      async () => (await live.textContent()) === 'Waiting for your approval: Edit src/date.ts.',
    );
    await until(
      'the count',
      async () => (await page.locator('article[data-entry-id=c]').getAttribute('aria-posinset')) === '3',
    );
    assert.equal(await page.locator('article[data-entry-id=t]').getAttribute('aria-setsize'), '3');
    assert.equal(
      await page
        .getByRole('article', { name: 'Edit src/date.ts, waiting for you' })
        .or(page.getByRole('article', { name: 'Read src/date.ts, waiting for you' }))
        .count(),
      1,
    );
  });
});
