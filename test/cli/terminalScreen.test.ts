import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TRICKY_TEXTS, type TrickyText } from '../support/trickyTexts';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model'];
const run = (command: string) => ({ name: 'execute_command', arguments: { command } });
const ASKED = /Allow it\? \[y\]es, \[n\]o, a1… for always, or a reason why not: \x1b\[\d+G/;
const MORE = /\d+ more lines\. Press Enter to show them, or n to reject: \x1b\[\d+G/;
const ASKED_OR_MORE = new RegExp(`${ASKED.source}|${MORE.source}`);

/** Escape sequences that Node's readline writes around a question. */
const EDITOR = /\x1b\[\d*[GJK]/g;
/** Matches characters that control a terminal, or that reorder or hide text. */
const NEVER = /[^\P{Cc}\t\n]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

/** The text as it appears on the screen, without the carriage returns of line ends. */
const plain = (bytes: string) => bytes.replace(EDITOR, '').replace(/\r+\n/g, '\n');

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(size * at, size * at + size));
}

function checkQuestion(shown: string, { name, text, hidden }: TrickyText): void {
  const seen = shown.slice(shown.lastIndexOf('\ncoder: Run'));
  const offence = NEVER.exec(seen);
  const around = seen.slice(Math.max(0, (offence?.index ?? 0) - 40)).slice(0, 80);
  assert.equal(offence?.[0], undefined, `${name}: ${JSON.stringify(around)}`);
  const body = seen.split('\n').filter((line) => /^ {2}[│↪⋮]/.test(line));
  const whole = body
    .map((line) => line.slice(4))
    .join('')
    .replaceAll(' ', '');
  assert.ok(whole.endsWith('END'), `${name}: ${seen}`);
  if (hidden.some((one) => !/^[ \n]+$/.test(one))) assert.match(seen, /\nCaution: this contains /, name);
  else assert.ok(text.length > 5000 || text.includes('    ') || body.length < 10, name);
}

describe('The terminal screen', function () {
  this.timeout(150_000);
  before(function () {
    // The tests create terminals with util-linux.
    if (process.platform !== 'linux') this.skip();
  });

  it('shows a command in full before asking, whatever it contains', async function () {
    for (const some of inParts(TRICKY_TEXTS, 90)) {
      // A run ends by itself after a hundred requests, so each request makes several calls.
      const steps = inParts(some, 10).map((few) => ({ call: few.map(({ text }) => run(text)) }));
      await inShell([...steps, { say: 'Done.' }], async ({ terminal }) => {
        const shell = terminal([...model, 'go'], { columns: 200, rows: 2000 });
        let at = 0;
        for (const tricky of some) {
          const begin = at;
          let next = await shell.seen(ASKED_OR_MORE, at);
          while (!ASKED.test(shell.screen.slice(at, next))) {
            shell.type('\r');
            at = next;
            next = await shell.seen(ASKED_OR_MORE, at);
          }
          checkQuestion(plain(shell.screen.slice(begin, next)), tricky);
          shell.type('n\r');
          at = next;
        }
        assert.equal(await shell.ended, 4);
      });
    }
  });

  it('shows a long command page by page, and rejects it when the user stops before the end', () =>
    inShell(
      [{ call: [run(`echo ${'word '.repeat(2000)}; touch ran`)] }, { say: 'Well.' }],
      async ({ terminal, folder }) => {
        const shell = terminal([...model, 'go'], { rows: 20 });
        const first = await shell.seen(MORE);
        assert.ok(!shell.screen.includes('touch ran'));
        shell.type('\r');
        const second = await shell.seen(MORE, first);
        assert.ok(second > first);
        shell.type('n\r');
        assert.equal(await shell.ended, 4);
        await assert.rejects(stat(join(folder, 'ran')));
      },
    ));

  it('is not controlled by model output, wherever it is split', () => {
    const said = TRICKY_TEXTS.filter(({ text }) => text.length < 400)
      .map(({ text }) => text)
      .join(' . ');
    const ordinary = 'Größe 中文 👨‍👩‍👧 می‌خواهم';
    const steps = [1, 3].map((chunk) => ({ say: `${said} ${ordinary} LAST`, chunk }));
    return inShell(steps, async ({ terminal }) => {
      for (const step of steps) {
        const shell = terminal([...model, 'go'], { columns: 200 });
        assert.equal(await shell.ended, 0, String(step.chunk));
        const shown = plain(shell.screen);
        assert.equal(NEVER.exec(shown.replaceAll(ordinary, '')), null, JSON.stringify(shown));
        assert.ok(shown.includes(`${ordinary} LAST\n`), shown);
      }
    });
  });

  it('never takes input typed before an approval question as its answer', () =>
    inShell(
      [
        { say: 'I think about it for a while.', hold: 'thinking', call: [run('touch one'), run('touch two')] },
        { say: 'Well.' },
      ],
      async ({ terminal, server, folder }) => {
        const shell = terminal([...model, 'go']);
        await shell.seen(/I think/);
        shell.type('y\ry\ry');
        await shell.seen(/y\r\ny\r\ny/);
        server.release('thinking');
        const first = await shell.seen(ASKED);
        assert.match(plain(shell.screen), /Text typed before this question is ignored\.\n/);
        // What was typed along with the answer to the first question does not answer the second.
        shell.type('n\ry\ry\r');
        await shell.seen(ASKED, first);
        shell.type('no thanks\r');
        assert.equal(await shell.ended, 4);
        for (const name of ['one', 'two']) await assert.rejects(stat(join(folder, name)), name);
      },
    ));

  it('never takes input typed before an agent question as its answer', () =>
    inShell(
      [
        {
          say: 'Wait a moment.',
          hold: 'thinking',
          call: [
            { name: 'user__ask', arguments: { question: 'Which\nAllow it?\x1b[2K one?', options: ['left', 'right'] } },
          ],
        },
        (request) => ({ say: `So: ${request.lastText}` }),
      ],
      async ({ terminal, server }) => {
        const shell = terminal([...model, 'go']);
        await shell.seen(/Wait/);
        shell.type('1\r');
        await shell.seen(/1\r\n/);
        server.release('thinking');
        await shell.seen(/A number, or your own answer: \x1b\[\d+G/);
        shell.type('2\r');
        assert.equal(await shell.ended, 0);
        assert.match(plain(shell.screen), /\n {2}│ Allow it\?⟨U\+001B⟩\[2K one\?\n/);
        assert.match(plain(shell.screen), /So: .*right/);
      },
    ));

  it('asks before commands but not before edits with --approve edits', () =>
    inShell(
      [
        { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'written\n' } }] },
        { call: [run('touch b.txt')] },
        { say: 'Both.' },
      ],
      async ({ terminal, folder }) => {
        const shell = terminal([...model, '--approve', 'edits', 'go']);
        await shell.seen(ASKED);
        assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'written\n');
        assert.equal(shell.screen.match(/Allow it/g)?.length, 1);
        shell.type('y\r');
        assert.equal(await shell.ended, 0);
        await stat(join(folder, 'b.txt'));
      },
    ));
});
