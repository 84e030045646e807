import assert from 'node:assert/strict';
import type { TurnEntry } from '../../src/protocol/chatState';
import { until } from '../editor/until';
import { chat, run, text, tool, user } from './support/chats';
import { longChat } from './support/longChat';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';

const entries = () => [
  user('u1', 'First question'),
  text('t1', 'First answer'),
  user('u2', 'Second question'),
  text('t2', 'Second answer'),
];

describe('An earlier message', () => {
  const open = panelSuite();

  it('is edited by keyboard, and the session continues from there', async () => {
    const { page, host } = await open({ state: chat({ entries: entries() }) });
    await page.locator('article[data-entry-id=u2]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    assert.equal(await box.inputValue(), 'Second question');
    await page.getByText('Continues from here in a new session.').waitFor();
    await box.fill('A better question');
    await page.keyboard.press('Enter');
    await page.locator('article[data-entry-id=u2]').waitFor({ state: 'detached' });
    assert.deepEqual(host.asked('session/branch'), [
      { sessionId: 'session', entryId: 'u2', text: 'A better question', restoreFiles: false },
    ]);
    assert.equal(await page.locator('article').count(), 2);
  });

  it('stays in view while it is edited, with its buttons, also at the end of a long chat', async () => {
    const answer = Array.from({ length: 14 }, (_, at) => `Line ${at} of the last answer.`).join('\n\n');
    const last = [user('u', 'Last question'), text('t', answer)];
    const { page } = await open({ state: chat({ entries: [...longChat(60), ...last] }) });
    await page.getByText('Line 13 of the last answer').waitFor();
    await page.locator('article[data-entry-id=u]').hover();
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill(Array.from({ length: 12 }, (_, at) => `Line ${at}`).join('\n'));
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    await until('box and buttons to be above the composer', async () => {
      const [end, edited, send] = await Promise.all([
        composer.boundingBox(),
        box.boundingBox(),
        page.locator('article').getByRole('button', { name: 'Send', exact: true }).boundingBox(),
      ]);
      return Boolean(end && edited && send && edited.y >= 0 && send.y + send.height <= end.y);
    });
  });

  it('offers to restore the files that were changed since', async () => {
    const { page, host } = await open({ state: chat({ entries: entries() }) });
    host.changes = [{ path: 'src/date.ts', changedSince: false }];
    await page.locator('article[data-entry-id=u1]').hover();
    await page.getByRole('button', { name: 'Edit message' }).first().click();
    await page.getByRole('checkbox', { name: /Also restore src\/date\.ts/ }).check();
    await page.locator('article').getByRole('button', { name: 'Send', exact: true }).click();
    await until('the request', () => Promise.resolve(host.asked('session/branch').length === 1));
    assert.deepEqual(host.asked('session/branch'), [
      { sessionId: 'session', entryId: 'u1', text: 'First question', restoreFiles: true },
    ]);
  });

  it('is left unchanged on Escape, and keeps a half-typed edit after a reload', async () => {
    const { page } = await open({ state: chat({ entries: entries() }) });
    await page.locator('article[data-entry-id=u2]').hover();
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Half a thou');
    await page.reload();
    await box.waitFor();
    assert.equal(await box.inputValue(), 'Half a thou');
    await box.focus();
    await page.keyboard.press('Escape');
    await page.getByText('Second question').waitFor();
    await until('the focus', () => page.evaluate('document.activeElement.dataset.entryId === "u2"'));
  });

  it('keeps the edit when it cannot be sent, and shows why', async () => {
    const { page, host } = await open({ state: chat({ entries: entries() }) });
    host.failing.set('session/branch', 'The disk is full.');
    await page.locator('article[data-entry-id=u2]').hover();
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Again');
    await page.keyboard.press('Enter');
    await page.getByText('The message could not be sent. The disk is full.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Edit message' }).inputValue(), 'Again');
  });

  it('is recalled with the arrow keys, but only into an empty box', async () => {
    const entries = [user('u1', 'First'), text('t1', 'Yes.'), user('u2', 'Second\nline'), text('t2', 'No.')];
    const { page, host } = await open({ state: chat({ entries }) });
    const box = page.getByRole('textbox', { name: 'Message' });
    const shows = (words: string) => until(words, async () => (await box.inputValue()) === words);
    await box.focus();
    for (const [key, words] of [
      ['ArrowUp', 'Second\nline'],
      ['ArrowUp', 'First'],
      ['ArrowUp', 'First'],
      ['ArrowDown', 'Second\nline'],
      ['ArrowDown', ''],
      ['ArrowUp', 'Second\nline'],
    ] as const) {
      await page.keyboard.press(key);
      await shows(words);
    }
    await page.keyboard.type(', again');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await shows('Second\nline, again');
    await page.keyboard.press('Enter');
    await until('the message to be sent', () => Promise.resolve(host.asked('run/start').length === 1));
    await shows('');
  });

  it('cannot be edited while the agent works', async () => {
    const { page } = await open({ state: chat({ entries: entries(), run: run('thinking') }) });
    await page.getByText('Second answer').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit message' }).count(), 0);
  });
});

describe('An answer', () => {
  const open = panelSuite();

  it('is copied as written, with one button at the end of its turn', async () => {
    const done = {
      ...{ kind: 'turn' as const, mode: null, id: 'turn', outcome: 'completed' as const, durationMs: 10 },
      ...{ inputTokens: 0, outputTokens: 0, commands: 0, files: [], runId: 'run', messageId: null },
    };
    const earlier = [user('u0', 'Hello'), text('t0', 'An earlier answer.'), { ...done, id: 'turn0' }];
    const entries = [
      ...earlier,
      user('u', 'Question'),
      text('first', 'I look.'),
      text('answer', 'It is **here**.'),
      done,
    ];
    const { page } = await open({ state: chat({ entries }) });
    await page.getByRole('button', { name: 'Copy answer' }).last().press('Enter');
    await until('the copy', async () => (await page.evaluate('navigator.clipboard.readText()')) === 'It is **here**.');
  });

  const finished = (parts: Partial<TurnEntry> = {}) => [
    user('u1', 'First question'),
    text('t1', 'An answer.'),
    turn(parts),
  ];

  it('shows its actions on hover or focus, without moving anything', async () => {
    const { page } = await open({ state: chat({ entries: finished() }) });
    const line = page.locator('article[data-kind=turn]');
    const opacity = (name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('[aria-label="${name}"]')).opacity`);
    const height = (await line.boundingBox())?.height;
    for (const name of ['Copy answer', 'Retry', 'Branch from here']) assert.equal(await opacity(name), '0', name);
    await line.hover();
    for (const name of ['Copy answer', 'Retry', 'Branch from here'])
      await until(`${name} to be shown`, async () => (await opacity(name)) === '1');
    assert.equal((await line.boundingBox())?.height, height);
    await page.mouse.move(0, 0);
    await until('them to be hidden again', async () => (await opacity('Branch from here')) === '0');
    await page.getByRole('button', { name: 'Retry' }).focus();
    await until('them to be shown by the focus', async () => (await opacity('Branch from here')) === '1');
  });

  it('is retried in a new session', async () => {
    const { page, host } = await open({ state: chat({ entries: finished() }) });
    await page.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.locator('article').first().waitFor({ state: 'detached' });
    assert.deepEqual(host.asked('session/branch'), [
      { sessionId: 'session', entryId: 'u1', text: 'First question', restoreFiles: false },
    ]);
    await until('the composer', async () => (await page.evaluate('document.activeElement.dataset.role')) === 'message');
  });

  it('is retried only after the user decides about the files changed since', async () => {
    const entries = finished({ files: [{ path: 'src/date.ts', added: 1, removed: 0 }] });
    const { page, host } = await open({ state: chat({ entries }) });
    host.changes = [{ path: 'src/date.ts', changedSince: false }];
    await page.getByRole('button', { name: 'Retry', exact: true }).press('Enter');
    await page.getByText('Restore 1 file to before the message?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Restore 1 file to before the message?').waitFor({ state: 'detached' });
    assert.deepEqual(host.asked('session/branch'), []);
    for (const [button, restoreFiles] of [
      ['Restore and retry', true],
      ['Keep and retry', false],
    ] as const) {
      await showSession(page, host, chat({ sessionId: button, entries }));
      await page.getByRole('button', { name: 'Retry', exact: true }).press('Enter');
      await page.getByRole('button', { name: button, exact: true }).click();
      await until('the request', () =>
        Promise.resolve(JSON.stringify(host.asked('session/branch')).includes(`"restoreFiles":${restoreFiles}`)),
      );
    }
  });

  it('ends a branch, which continues from there', async () => {
    const entries = [
      ...finished({ runId: 'first', id: 'turn1' }),
      user('u2', 'Second question'),
      text('t2', 'Another.'),
    ];
    const { page, host } = await open({ state: chat({ entries }) });
    await page.getByRole('button', { name: 'Branch from here' }).press('Enter');
    await page.getByText('Second question').waitFor({ state: 'detached' });
    await page.getByText('An answer.').waitFor();
    assert.deepEqual(host.asked('session/branch-after'), [{ sessionId: 'session', runId: 'first' }]);
  });

  it('without text has nothing to copy, and cannot be retried while the agent works', async () => {
    const entries = [user('u1', 'Question'), turn({ outcome: 'cancelled' })];
    const { page } = await open({ state: chat({ entries, run: run('thinking') }) });
    await page.locator('article[data-kind=turn]').hover();
    for (const name of ['Copy answer', 'Retry', 'Branch from here', 'Restore checkpoint…'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  });

  it('of a graph that was paused says so, and offers to continue', async () => {
    const entries = [user('u1', 'Question'), turn({ outcome: 'paused' })];
    const { page, host } = await open({ state: chat({ entries }) });
    await page.locator('article[data-kind=turn]').getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await until('the run to go on', () => host.asked('run/resume').length === 1);
  });

  it('shows why it could not be branched from, and stays', async () => {
    const { page, host } = await open({ state: chat({ entries: finished() }) });
    host.failing.set('session/branch-after', 'The disk is full.');
    await page.getByRole('button', { name: 'Branch from here' }).press('Enter');
    await page.getByText('The branch could not be created. The disk is full.').waitFor();
    await page.getByText('An answer.').waitFor();
  });
});

function turn(parts: Partial<TurnEntry>): TurnEntry {
  return {
    ...{ kind: 'turn', mode: null, id: 'turn', outcome: 'completed', durationMs: 10, inputTokens: 0, outputTokens: 0 },
    ...{ commands: 0, files: [], runId: 'run', messageId: 'u1' },
    ...parts,
  };
}

describe('A code block', () => {
  const open = panelSuite();
  const block = '```ts src/date.ts\nconst a = 1;\n```\n\n```sh\nnpm test\n```';

  it('is inserted, applied to its named file, and put into a terminal', async () => {
    const { page, host } = await open({ state: chat({ entries: [text('t', block)] }) });
    await page.getByRole('button', { name: 'Insert at cursor' }).first().click();
    await page.getByRole('button', { name: 'Apply to src/date.ts' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Insert into terminal' }).click();
    await until('three requests', () => Promise.resolve(host.asked('code/run').length === 1));
    assert.deepEqual(host.asked('code/insert').map(trimmed), [{ text: 'const a = 1;' }]);
    assert.deepEqual(host.asked('code/apply').map(trimmed), [{ text: 'const a = 1;', path: 'src/date.ts' }]);
    assert.deepEqual(host.asked('code/run').map(trimmed), [{ text: 'npm test' }]);
  });

  it('offers a terminal only for shell code, and a file for the rest', async () => {
    const { page } = await open({ state: chat({ entries: [text('t', '```ts\na\n```')] }) });
    await page.getByRole('button', { name: 'Apply to the active editor' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Insert into terminal' }).count(), 0);
  });
});

describe('A failed or running step', () => {
  const open = panelSuite();

  it('can be retried with one button, also next to another action', async () => {
    const failed = [
      user('u', 'Question'),
      {
        kind: 'notice' as const,
        id: 'n',
        level: 'error' as const,
        text: 'The key was refused.',
        action: { label: 'Set API key', command: 'setApiKey' as const },
      },
      {
        ...{ kind: 'turn' as const, mode: null, id: 'turn', outcome: 'failed' as const, durationMs: 10 },
        ...{ inputTokens: 0, outputTokens: 0, commands: 0, files: [], runId: 'run', messageId: null },
      },
    ];
    const { page, host } = await open({ state: chat({ entries: failed }) });
    await page.getByRole('button', { name: 'Set API key' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await until('the request', () => Promise.resolve(host.asked('run/resume').length === 1));
  });

  it('can be continued with one button after a stop, until another message is sent', async () => {
    const stopped = {
      ...{ kind: 'turn' as const, mode: null, id: 'turn', outcome: 'cancelled' as const, durationMs: 10 },
      ...{ inputTokens: 0, outputTokens: 0, commands: 0, files: [], runId: 'run', messageId: null },
    };
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Question'), stopped] }) });
    await page.getByRole('button', { name: 'Continue' }).click();
    await until('the request', () => Promise.resolve(host.asked('run/resume').length === 1));
    host.emit({ type: 'entry-added', entry: user('u2', 'Something else') });
    await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
  });

  it('can be continued from its notice, until it is running again or something came after it', async () => {
    const action = { label: 'Continue', resume: true } as const;
    const notice = { kind: 'notice', id: 'n', level: 'info', text: 'Interrupted.', action } as const;
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Go'), notice] }) });
    const button = page.getByRole('button', { name: 'Continue' });
    await button.click();
    await until('the request', () => host.asked('run/resume').length === 1);
    host.emit({ type: 'run-changed', run: run('waiting-for-approval') });
    await button.waitFor({ state: 'detached' });
    await until('the focus in the composer', () => page.evaluate('document.activeElement.dataset.role === "message"'));
    host.emit({ type: 'run-changed', run: null });
    await button.waitFor();
    host.emit({ type: 'entry-added', entry: text('t', 'Done.', true) });
    await button.waitFor({ state: 'detached' });
  });

  it('can be an interrupted run, which a narrow panel reports in full', async () => {
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Go')], canResume: true }), width: 240 });
    const words = page.getByText('The last run was interrupted.');
    await words.waitFor();
    const cut = await words.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
    assert.deepEqual(cut, [false]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await until('the request', () => Promise.resolve(host.asked('run/resume').length === 1));
  });

  it('offers to carry out a plan from Plan mode, but not work from before the mode was chosen', async () => {
    const begun = (mode: 'plan' | 'agent') => [user('u1', 'Do it'), text('t', 'Done.'), turn({ mode })];
    const planning = chat({ entries: begun('agent') });
    const { page, host } = await open({ state: { ...planning, setup: { ...planning.setup, mode: 'plan' } } });
    await page.getByText('Done.').waitFor();
    assert.equal(await page.getByText('The plan is ready').count(), 0);
    host.emit({ type: 'entry-added', entry: { ...turn({ mode: 'plan' }), id: 'turn2' } });
    await page.getByText('The plan is ready').waitFor();
  });

  it('can be a command that is stopped on its own', async () => {
    const running = tool('c', { category: 'execute', title: 'Run npm test', status: 'running', startedAt: Date.now() });
    const { page, host } = await open({ state: chat({ entries: [running], run: run('running-tool') }) });
    await page.getByRole('button', { name: 'Stop command' }).click();
    await until('the request', () => Promise.resolve(host.asked('run/stop-call').length === 1));
    assert.deepEqual(host.asked('run/stop-call'), [{ sessionId: 'session', entryId: 'c' }]);
    assert.deepEqual(host.asked('run/cancel'), []);
  });

  it('can be a command shown in a terminal, during and after its run, but not if it never ran', async () => {
    const execute = { category: 'execute', title: 'Run npm test' } as const;
    const detail = { kind: 'text', text: 'Started.', background: 'bg1' } as const;
    const entries = [
      tool('c', { ...execute, status: 'running', startedAt: Date.now() }),
      tool('d', { ...execute, detail }),
      tool('e', { ...execute, status: 'rejected' }),
    ];
    const { page, host } = await open({ state: chat({ entries, run: run('running-tool') }) });
    const buttons = page.getByRole('button', { name: 'Show in terminal' });
    await buttons.first().click();
    await buttons.nth(1).press('Enter');
    await until('the requests', () => Promise.resolve(host.asked('terminal/show').length === 2));
    assert.deepEqual(host.asked('terminal/show'), [
      { sessionId: 'session', entryId: 'c' },
      { sessionId: 'session', entryId: 'd' },
    ]);
    assert.equal(await buttons.count(), 2);
  });

  it('can be a script shown by its name and arguments, not as a shell line', async () => {
    const given = {
      tool: 'hello',
      category: 'execute',
      isScript: true,
      status: 'running',
      startedAt: Date.now(),
    } as const;
    const running = tool('c', { ...given, title: 'Run hello (name: "Ada")' });
    const { page, host } = await open({ state: chat({ entries: [running], run: run('running-tool') }) });
    assert.equal((await page.locator('code.card-title').textContent())?.trim(), 'hello (name: "Ada")');
    await page.getByRole('button', { name: 'Copy call' }).waitFor();
    await page.getByRole('button', { name: 'Stop tool' }).click();
    await until('the request', () => Promise.resolve(host.asked('run/stop-call').length === 1));
  });
});

function trimmed(asked: unknown): unknown {
  const values = typeof asked === 'object' && asked !== null ? Object.entries(asked) : [];
  return Object.fromEntries(values.map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value]));
}
