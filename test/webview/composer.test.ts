import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ContextHit } from '../../src/protocol/hostApi';
import { keptItems } from '../../src/protocol/messageItem';
import { until } from '../editor/until';
import { themes } from './preview/themes';
import { packageFile } from './support/bundlePanel';
import { Deferred } from '../../src/base/async';
import { chat, run, user } from './support/chats';
import { panelSuite } from './support/panelSuite';

const hits: ContextHit[] = [
  {
    item: { kind: 'selection', label: 'date.ts:3-10', target: 'src/date.ts', lines: { first: 3, last: 10 } },
    detail: 'Selection',
  },
  { item: { kind: 'file', label: 'date.ts', target: 'src/date.ts' }, detail: 'src' },
  { item: { kind: 'file', label: 'big.log', target: 'big.log', note: 'Too long to send along' }, detail: '' },
  { item: { kind: 'changes', label: 'Git changes', target: '' }, detail: 'Uncommitted changes' },
];

/** Pastes a single-color image into the composer. */
async function pastePicture(page: Page, width = 400, height = 300): Promise<void> {
  await page.evaluate(
    `(async () => {
      const canvas = new OffscreenCanvas(${width}, ${height});
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = 'teal';
      drawing.fillRect(0, 0, ${width}, ${height});
      const file = new File([await canvas.convertToBlob({ type: 'image/png' })], 'image.png', { type: 'image/png' });
      const data = new DataTransfer();
      data.items.add(file);
      const box = document.querySelector('textarea[data-role=message]');
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`,
  );
}

const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

describe('The composer', () => {
  const open = panelSuite();
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });

  it('completes attachments after @ by keyboard, and sends them as chips', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('Explain @dat');
    const list = page.getByRole('listbox', { name: 'Add context' });
    await list.getByRole('option', { name: 'date.ts src' }).waitFor();
    await until('the search to settle', async () => (await list.getByRole('option').count()) === 2);
    await box(page).press('ArrowDown');
    const active = await box(page).getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await box(page).press('Enter');
    await list.waitFor({ state: 'detached' });
    assert.equal(await box(page).inputValue(), 'Explain ');
    assert.equal((await chips(page).innerText()).trim(), 'date.ts');
    await box(page).pressSequentially('it');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    const items = [{ kind: 'file', label: 'date.ts', target: 'src/date.ts' }];
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'Explain it', items }]);
    assert.equal(await chips(page).count(), 0);
  });

  it('asks for the values in a resource address before adding it, and adds nothing on cancel', async () => {
    const { page, host } = await open({ state: chat() });
    const item = { kind: 'resource', label: 'A day', target: 'docs://{day}', server: 'tides' } as const;
    host.hits = [{ item, detail: 'docs://{day} · MCP server tides', asks: true }];
    for (const filled of [null, { ...item, label: 'Monday', target: 'docs://monday' }]) {
      host.filled = filled;
      await box(page).fill('');
      await box(page).pressSequentially('@A');
      await page.getByRole('option', { name: 'A day' }).click();
      await until('the host to be asked', () => host.asked('context/fill').length === (filled ? 2 : 1));
    }
    await chips(page).getByText('Monday').waitFor();
    assert.equal(await chips(page).count(), 1);
    assert.equal(await chips(page).getAttribute('title'), 'docs://monday\nof the MCP server tides');
  });

  it('inserts an MCP prompt into the message, for review before sending', async () => {
    const { page, host } = await open({ state: chat() });
    host.commands = [{ name: 'tides:ask', description: 'Asks.', hint: 'day=…', kind: 'prompt' }];
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    host.written = { text: 'How high?', pictures: [{ label: 'A tide', mediaType: 'image/png', data }] };
    await box(page).pressSequentially('/tid');
    await page.getByRole('option', { name: '/tides:ask' }).click();
    await chips(page).getByText('A tide').waitFor();
    assert.equal(await box(page).inputValue(), 'How high?');
    await box(page).fill('/tides:ask Monday');
    await box(page).press('Enter');
    await until('the second message', async () => (await box(page).inputValue()) === 'How high?');
    assert.deepEqual(host.asked('prompts/write'), [
      { name: 'tides:ask', words: '' },
      { name: 'tides:ask', words: 'Monday' },
    ]);
    host.written = 'It is empty.';
    await box(page).fill('/tides:ask Tuesday');
    await box(page).press('Enter');
    await page
      .getByRole('alert')
      .getByText(/It is empty\./)
      .waitFor();
    assert.equal(await box(page).inputValue(), '/tides:ask Tuesday');
    assert.deepEqual(host.asked('run/start'), []);
  });

  it('sends text that begins with a space as a message, whatever follows', async () => {
    const { page, host } = await open({ state: chat() });
    await box(page).fill(' /review it');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: ' /review it' }]);
  });

  it('applies Enter to what was typed, however fast', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('@');
    await page.getByRole('option', { name: 'Git changes' }).waitFor();
    await box(page).pressSequentially('big');
    await box(page).press('Enter');
    await chips(page).getByText('big.log').waitFor();
    await chips(page).getByText('Too long to send along').waitFor({ state: 'attached' });
    assert.deepEqual(host.asked('run/start'), []);
  });

  it('applies Enter to the row that the user moved to, even if more results are about to arrive', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    const search = new Deferred<void>();
    host.lateSearch = { words: 'date', until: search.promise };
    await box(page).pressSequentially('@dat');
    const options = page.getByRole('listbox', { name: 'Add context' }).getByRole('option');
    await until('the search to settle', async () => (await options.count()) === 2);
    await box(page).pressSequentially('e');
    await box(page).press('ArrowDown');
    await page.locator('[role=option][aria-selected=true]', { hasText: /^date\.ts\s*src/ }).waitFor();
    await box(page).press('Enter');
    await chips(page).waitFor();
    search.resolve();
    assert.equal((await chips(page).innerText()).trim(), 'date.ts');
  });

  it('closes the list on Escape and lets the user keep typing', async () => {
    const { page, host } = await open({ state: chat() });
    host.hits = hits;
    await box(page).pressSequentially('@');
    await page.getByRole('listbox').waitFor();
    await box(page).press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await box(page).pressSequentially('date is a name');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: '@date is a name' }]);
  });

  it('keeps text and chips after a reload, and removes chips by button and by Backspace', async () => {
    const { page, host } = await open({ state: chat() });
    host.addItems({ kind: 'file', label: 'a.ts', target: 'a.ts' }, { kind: 'file', label: 'b.ts', target: 'b.ts' });
    await until('both chips', async () => (await chips(page).count()) === 2);
    host.addItems({ kind: 'file', label: 'a.ts', target: 'a.ts' });
    await box(page).fill('half');
    await pastePicture(page);
    await until('the picture', async () => (await chips(page).count()) === 3);
    await page.reload();
    await until('all three again', async () => (await chips(page).count()) === 3);
    assert.equal(await box(page).inputValue(), 'half');
    await page.getByRole('button', { name: 'Remove a.ts' }).click();
    await box(page).fill('');
    await box(page).press('Backspace');
    await until('one to be left', async () => (await chips(page).count()) === 1);
    assert.equal((await chips(page).innerText()).trim(), 'b.ts');
    await until('the focus', () => page.evaluate('document.activeElement.dataset.role === "message"'));
  });

  it('shrinks a large image before sending, and shows it in the message', async () => {
    const { page, host } = await open({ state: chat() });
    await pastePicture(page, 4000, 2000);
    await chips(page).getByText('Image').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await until('the message', () => host.asked('run/start').length === 1);
    const sent = host.asked('run/start')[0];
    assert.ok(typeof sent === 'object' && sent && 'items' in sent);
    const [item] = keptItems(sent.items);
    assert.ok(item?.kind === 'image');
    const width = await page.evaluate<number>(`(async () => {
      const bytes = Uint8Array.from(atob('${item.data}'), (one) => one.charCodeAt(0));
      return (await createImageBitmap(new Blob([bytes], { type: '${item.mediaType}' }))).width;
    })()`);
    assert.equal(width, 1568);
    host.emit({
      type: 'entry-added',
      entry: {
        ...{ kind: 'user', id: 'u', time: 0, text: '', steering: false },
        items: [{ kind: 'image', label: 'Image', note: null, thumbnail: item.thumbnail }],
      },
    });
    await page.getByRole('img', { name: 'Image' }).waitFor();
  });

  it('reports what cannot be added, and keeps the rest', async () => {
    const { page } = await open({ state: chat() });
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['no picture'], 'broken.png', { type: 'image/png' }));
      document.querySelector('.composer').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page
      .getByRole('alert')
      .getByText(/broken\.png could not be added\. .*PNG, JPEG, GIF, or WebP/)
      .waitFor();
  });

  it('accepts files dropped from the explorer', async () => {
    const { page, host } = await open({ state: chat() });
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/uri-list', 'file:///work/src/date.ts\\r\\nfile:///work/src');
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await until('two chips', async () => (await chips(page).count()) === 2);
    assert.deepEqual(host.asked('context/from-uris'), [{ uris: ['file:///work/src/date.ts', 'file:///work/src'] }]);
  });

  it('runs commands after /, reports unknown ones, and sends text that only looks like one', async () => {
    const { page, host } = await open({ state: chat() });
    await box(page).pressSequentially('/model');
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await options.getByText('/model').waitFor();
    await box(page).press('Enter');
    await until('the command', () => host.asked('command/run').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseModel' }]);
    assert.equal(await box(page).inputValue(), '');
    await box(page).fill('/nonsense please');
    await box(page).press('Enter');
    await page.getByRole('alert').getByText('There is no command /nonsense').waitFor();
    assert.equal(await box(page).inputValue(), '/nonsense please');
    await box(page).fill('/etc/hosts is wrong');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: '/etc/hosts is wrong' }]);
  });

  it('offers command and skill files by name, and sends them with what follows', async () => {
    const { page, host } = await open({ state: chat() });
    host.commands = [
      { name: 'fix', description: 'Fixes an issue', hint: '[issue]', kind: 'command' },
      { name: 'project:review', description: 'Reviews a file', hint: '', kind: 'command' },
      { name: 'deploy', description: 'How to deploy', hint: '', kind: 'skill' },
    ];
    await box(page).pressSequentially('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.getByRole('group', { name: 'Skills' }).getByRole('option', { name: '/deploy How to deploy' }).waitFor();
    await list
      .getByRole('group', { name: 'Session' })
      .getByRole('option', { name: /^\/new / })
      .waitFor();
    await box(page).pressSequentially('fi');
    await list
      .getByRole('group', { name: 'Commands' })
      .getByRole('option', { name: '/fix [issue] Fixes an issue' })
      .waitFor();
    await box(page).press('Enter');
    await list.waitFor({ state: 'detached' });
    assert.equal(await box(page).inputValue(), '/fix ');
    await box(page).pressSequentially('12 now');
    await box(page).press('Enter');
    await until('the message', () => host.asked('run/start').length === 1);
    // The panel has its own /review, which takes no arguments.
    await box(page).fill('/review src/a.ts');
    await box(page).press('Enter');
    await until('the second message', () => host.asked('run/start').length === 2);
    assert.deepEqual(host.asked('run/start'), [
      { sessionId: 'session', text: '/fix 12 now' },
      { sessionId: 'session', text: '/review src/a.ts' },
    ]);
    assert.deepEqual(host.asked('command/run'), []);
  });

  it('restores an unsent message with its chips', async () => {
    const { page, host } = await open({ state: chat() });
    host.failing.set('run/start', 'The tour does not see pictures.');
    host.addItems({ kind: 'file', label: 'a.ts', target: 'a.ts' });
    await box(page).fill('look');
    await chips(page).first().waitFor();
    await box(page).press('Enter');
    await page.getByRole('alert').getByText('does not see pictures').waitFor();
    assert.equal(await box(page).inputValue(), 'look');
    assert.equal(await chips(page).count(), 1);
  });

  it('restores unsent messages in order, before the text typed since', async () => {
    const { page, host } = await open({ state: chat() });
    host.failing.set('run/start', 'The file is gone.');
    host.addItems({ kind: 'file', label: 'a.ts', target: 'a.ts' });
    await box(page).fill('first');
    await chips(page).first().waitFor();
    await page.evaluate(`(() => {
      const box = document.querySelector('textarea[data-role=message]');
      const enter = () => box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      const type = (text) => {
        box.value = text;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      enter();
      type('second');
      enter();
      type('third');
      box.setSelectionRange(2, 2);
    })()`);
    await until('both to be given back', async () => (await box(page).inputValue()) === 'first\nsecond\nthird');
    assert.deepEqual(await chips(page).allInnerTexts(), ['a.ts']);
    await page.keyboard.type('!');
    assert.equal(await box(page).inputValue(), 'first\nsecond\nth!ird');
  });

  it('does not save an image on each keystroke, and has it after a reload', async () => {
    const { page } = await open({ state: chat() });
    await page.evaluate(`(() => {
      const set = Storage.prototype.setItem;
      window.stored = [];
      Storage.prototype.setItem = function (key, value) { window.stored.push(value.length); set.call(this, key, value); };
    })()`);
    await pastePicture(page, 1500, 1500);
    await until('the picture', async () => (await chips(page).count()) === 1);
    const kept = 'sessionStorage.getItem("state").includes("kept")';
    await until('the picture to be kept', () => page.evaluate(kept));
    await page.evaluate('window.stored.length = 0');
    await box(page).pressSequentially('a few words');
    const stored = await page.evaluate<number[]>('window.stored');
    assert.ok(stored.length > 0 && Math.max(...stored) < 1_000, `${Math.max(...stored)} characters for a letter`);
    await page.reload();
    await until('the picture again', async () => (await chips(page).count()) === 1);
    await page.getByRole('button', { name: 'Send' }).click();
  });

  it('withdraws, edits and expedites a queued message', async () => {
    const queued = ['Only the parser', 'And the tests'].map((text, at) => ({ id: `q${at}`, text, items: [] }));
    const { page, host } = await open({ state: chat({ entries: [user('u', 'Go')], run: run('thinking'), queued }) });
    const region = page.getByRole('region', { name: 'Queued messages' });
    await region.getByText('And the tests').waitFor();
    await region.getByRole('button', { name: 'Send now' }).click();
    await region.getByRole('button', { name: 'Withdraw queued message' }).first().click();
    await region.getByText('Only the parser').waitFor({ state: 'detached' });
    await region.getByRole('button', { name: 'Edit queued message' }).click();
    await region.waitFor({ state: 'detached' });
    await until('its words', async () => (await box(page).inputValue()) === 'And the tests');
    assert.deepEqual(host.asked('run/send-now'), [{ sessionId: 'session' }]);
  });

  for (const theme of ['darkModern', 'lightModern', 'highContrast'] as const) {
    it(`passes axe with chips and the open list at 240 px in ${theme}`, async () => {
      const queued = [{ id: 'q', text: 'Only the parser, if you please, and nothing else', items: [] }];
      const state = chat({ entries: [user('u', 'Go')], run: run('thinking'), queued });
      const { page, host } = await open({ state, theme: themes[theme], width: 240 });
      host.hits = hits;
      host.addItems({
        kind: 'file',
        label: 'a-rather-long-name-of-a-file.component.ts',
        target: 'a',
        note: 'Too long',
      });
      await pastePicture(page);
      await until('the chips', async () => (await chips(page).count()) === 2);
      await box(page).pressSequentially('@');
      await page.getByRole('option', { name: 'Git changes' }).waitFor();
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { failureSummary: string }[] }[] }>(
        'axe.run()',
      );
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`),
        [],
      );
    });
  }
});
