import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatState } from '../../src/protocol/chatState';
import { until } from '../editor/until';
import { TRICKY_TEXTS, type TrickyText } from '../support/trickyTexts';
import { approval, chat, dateDiff, run, text, tool, user } from './support/chats';
import { panelSuite } from './support/panelSuite';
import { showSession } from './support/showSession';
import { sessionSummary } from './support/someSessions';

/** Characters that control, reorder, or hide text, or that are invisible. */
const NEVER = /[^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/u;

/** All text that is visible or announced in the page. A string, because it runs there. */
const TOLD = `(() => {
  const told = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) told.push(texts.currentNode.data);
  for (const element of document.querySelectorAll('*'))
    for (const name of ['title', 'aria-label', 'alt', 'placeholder'])
      if (element.hasAttribute(name)) told.push(element.getAttribute(name));
  return told;
})()`;
const OPEN_ALL = `document.querySelectorAll('button[aria-expanded=false]:is(.fold, .turn-files, .todos .strip)')
  .forEach((button) => button.click())`;

/** Groups the short texts by the dozen, so that each does not need its own chat. */
function inDozens(): { name: string; words: string; hidden: readonly string[] }[] {
  const isShort = ({ text: words }: TrickyText) => words.length < 100 && !words.includes('\n');
  const short = TRICKY_TEXTS.filter(isShort);
  const dozens = Array.from({ length: Math.ceil(short.length / 12) }, (_, at) => short.slice(12 * at, 12 * at + 12));
  return [...dozens, ...TRICKY_TEXTS.filter((one) => !isShort(one)).map((one) => [one])].map((some) => ({
    name: some.map(({ name }) => name).join(', '),
    words: some.map(({ text: words }) => words).join(' | '),
    hidden: some.flatMap(({ hidden }) => hidden),
  }));
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

async function told(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(TOLD);
}

/** A chat with a text in every place that can contain text from others. */
function everywhere(words: string): Partial<ChatState> {
  const item = { kind: 'file', label: words, note: words, thumbnail: null } as const;
  const files = [{ path: words, added: 1, removed: 0 }];
  return {
    title: words,
    setup: {
      agent: words,
      isChosen: true,
      mode: 'agent',
      role: words,
      skills: [words],
      pinned: [],
      starters: [words],
      parent: null,
    },
    model: { id: words, label: words, scripted: false },
    todos: [{ id: 1, text: words, done: false }],
    queued: [{ id: 'q', text: words, items: [item] }],
    toReview: [{ ...{ runId: 'r', path: words }, added: 1, removed: 1 }],
    run: run('running-tool', words),
    entries: [
      { ...user('u', words), kind: 'user', text: words, time: 0, steering: false, items: [item] },
      { ...text('t', words), agent: words },
      text('code', `\`\`\`\n${words}\n\`\`\`\n\n[${words}](https://example.com "${words}")`),
      { kind: 'thinking', id: 'k', text: words, streaming: false, durationMs: 1 },
      tool('line', { status: 'error', title: words, output: words }),
      tool('file', {
        status: 'error',
        detail: { kind: 'file', path: words, firstLine: 1, lastLine: 2, text: words },
      }),
      tool('asked', { category: 'user', title: words, output: words }),
      {
        ...{ kind: 'agent', id: 'a', agent: words, sessionId: 'other', task: words, status: 'failed', activity: words },
        ...{ startedAt: 0, durationMs: 1, tokens: 0, costUsd: 0, answer: words },
      },
      { kind: 'notice', id: 'n', level: 'error', text: words, action: null, detail: { title: words, text: words } },
      tool('e', { category: 'write', title: words, status: 'waiting' }),
      tool('f', { category: 'write', title: words, status: 'waiting' }),
      tool('q', { category: 'user', title: words, status: 'waiting' }),
      {
        ...{ kind: 'turn', mode: null, id: 'end', runId: 'r', messageId: null, outcome: 'completed', durationMs: 1 },
        ...{ inputTokens: 0, outputTokens: 0, commands: 0, files },
      },
    ],
    approvals: ['e', 'f'].map((id) =>
      approval(id, { title: words, agent: words, diff: { ...dateDiff, path: words }, together: ['e', 'f'] }),
    ),
    questions: [{ questionId: 'q', entryId: 'q', agent: words, question: words, kind: 'checkbox', options: [words] }],
  };
}

describe('Untrusted text in the panel', () => {
  const open = panelSuite();

  it('hides nothing, wherever it appears', async function () {
    this.timeout(300_000);
    const { page, host } = await open({ state: chat(), height: 6000 });
    const missing: string[] = [];
    for (const [at, { name, words, hidden }] of inDozens().entries()) {
      await showSession(page, host, chat({ ...everywhere(words), sessionId: `s${at}`, welcome: chat().welcome }));
      await page.locator('article[data-entry-id=end]').waitFor();
      // For very long texts, entries far from the view are not rendered.
      const isAllDrawn = words.length < 1000 && words.split('\n').length < 60;
      if (isAllDrawn) await page.locator('article[data-entry-id=u]').waitFor();
      await page.evaluate(OPEN_ALL);
      for (const one of await told(page)) assert.equal(NEVER.exec(one), null, `${name}: ${JSON.stringify(one)}`);
      const path = isAllDrawn ? await page.locator('article[data-entry-id=line] .fold-title').innerText() : '';
      for (const one of isAllDrawn ? hidden.filter((it) => !/^[ \n]+$/.test(it)) : [])
        if (!path.includes(codeOf(one))) missing.push(`${name}: ${path}`);
      const title = await page.locator('[data-role=session-title]').innerText();
      assert.ok(title.endsWith('END') && !/ {61}|\n/.test(title), `${name}: ${title}`);
    }
    assert.deepEqual(missing, []);
  });

  it('hides nothing in the list of sessions', async () => {
    const { page, host } = await open({ state: chat() });
    host.sessions = TRICKY_TEXTS.map(({ text: words }, at) =>
      sessionSummary(`s${at}`, words, 0, { opening: `here\n${words}`, agent: words }),
    );
    await page.getByRole('button', { name: 'Session history' }).click();
    await page
      .locator('.session-row')
      .nth(TRICKY_TEXTS.length - 1)
      .waitFor({ state: 'attached' });
    for (const one of await told(page)) assert.equal(NEVER.exec(one), null, JSON.stringify(one));
    await page.getByRole('textbox', { name: 'Search sessions' }).fill('touch END');
    for (const one of await told(page)) assert.equal(NEVER.exec(one), null, JSON.stringify(one));
  });

  it('hides nothing while it streams, and copied code matches what was shown', async () => {
    const { page, host } = await open({ state: chat({ run: run('answering') }) });
    host.emit({ type: 'entry-added', entry: text('t', '', true) });
    const pieces = [
      'Run &#x202e;this&zwj;:\n\n``',
      '`sh\nls \ud83d',
      '\ude00 \u202e',
      '\u2066# \udb40',
      '\udc41END\n``',
      '`\n',
    ];
    for (const piece of pieces) host.emit({ type: 'text-appended', entryId: 't', text: piece });
    host.emit({ type: 'text-finished', entryId: 't', durationMs: 1 });
    await page.locator('.code-block').getByText('END').waitFor();
    for (const one of await told(page)) assert.equal(NEVER.exec(one), null, JSON.stringify(one));
    await page.getByText('Run ⟨U+202E⟩this⟨U+200D⟩:', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Insert into terminal' }).click();
    const code = 'ls 😀 ⟨U+202E⟩⟨U+2066⟩# ⟨U+E0041⟩END\n';
    assert.equal(await page.locator('.code-block code').textContent(), code.trimEnd());
    await until('the code', () => host.asked('code/run').length === 1);
    assert.deepEqual(host.asked('code/run'), [{ text: code.trimEnd() }]);
  });

  it('shows where a link leads if its text is another address', async () => {
    const { page } = await open({
      state: chat({
        entries: [
          text(
            't',
            [
              '[https://good.test/a](https://evil.test/b "https://good.test/a")',
              '[good.com](https://evil.test)',
              '[the docs](https://example.com/docs)',
              '[www.example.com/docs](https://example.com/docs)',
              'https://good.test@evil.test/x',
              '[log in](https://p\u0430ypal.com/login)',
              '[https://good.test](src/a.ts)',
            ].join('\n\n'),
          ),
        ],
      }),
    });
    const links = page.locator('article a');
    await links.nth(6).waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      'https://good.test/a ⟨leads to evil.test⟩',
      'good.com ⟨leads to evil.test⟩',
      'the docs',
      'www.example.com/docs',
      'https://good.test@evil.test/x ⟨leads to evil.test⟩',
      'log in ⟨leads to xn--pypal-4ve.com⟩',
      'https://good.test ⟨opens src/a.ts⟩',
    ]);
    assert.equal(await links.first().getAttribute('title'), 'https://evil.test/b\nhttps://good.test/a');
    assert.equal(await links.nth(5).getAttribute('title'), 'https://xn--pypal-4ve.com/login');
  });
});
