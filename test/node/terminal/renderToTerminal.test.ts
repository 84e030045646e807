import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { runOutput } from '../../../src/cli/output';
import { renderToTerminal, type TerminalRendering } from '../../../src/node/renderToTerminal';
import { withWorld } from '../../support/engineWorld';
import { retriesAtOnce } from '../../support/retriesAtOnce';
import type { Story } from '../../support/modelServer/story';
import { TRICKY_TEXTS } from '../../support/trickyTexts';

/** Characters that control a terminal, or that reorder or hide text. */
const NEVER = /[^\P{Cc}\t\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;
const COLOURS = /\u001b\[(?:2|22|31|39)m/g;

/** Collects what a terminal would receive, chunk by chunk. */
class Screen extends Writable {
  readonly pieces: string[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.pieces.push(piece.toString());
    done();
  }

  get text(): string {
    return this.pieces.join('');
  }
}

const LONG = 'a long line of words '.repeat(3).trim();
const STORY: Story = [
  { call: [{ name: 'fs_read', arguments: { path: 'gone.txt' } }] },
  { call: [{ name: 'execute_command', arguments: { command: `echo ${LONG}` } }] },
  { say: 'First.\nThen \u001b[2Jthis.' },
];

async function shown(options: Omit<TerminalRendering, 'stream'>, story: Story = STORY): Promise<Screen> {
  const screen = new Screen();
  await withWorld({ story }, async (world) => {
    const outcome = await renderToTerminal(world.run('go'), { ...options, stream: screen });
    assert.equal(outcome.kind, 'completed');
  });
  return screen;
}

describe('A run rendered to a terminal', () => {
  it('streams the answer, and prints a line for each action of the agent', async () => {
    const { text, pieces } = await shown({});
    const lines = text.split('\n');
    assert.match(lines[0] ?? '', /^› Read gone\.txt/);
    assert.match(lines[1] ?? '', /^ {2}error: .*gone\.txt/);
    assert.match(lines[2] ?? '', /^› Run echo a long line/);
    assert.deepEqual([lines[3], lines.at(-1)], ['First.', '']);
    assert.ok(pieces.length > 4, 'not all of it at the end');
  });

  it('looks like the output of the command', async () => {
    let command = '';
    const streams = { out: (text: string) => void (command += text), err: (text: string) => void (command += text) };
    const screen = new Screen();
    await withWorld({ story: [...STORY.slice(0, 2), { say: 'Plain.' }] }, async (world) => {
      const run = world.run('go');
      const output = runOutput('text', { ...streams, outIsTerminal: true });
      run.subscribe((event) => output.onEvent(event));
      const outcome = await renderToTerminal(run, { stream: screen });
      output.finish(outcome, { sessionId: world.sessionId, model: null });
    });
    assert.equal(screen.text, command);
  });

  it('shows an answer that was never streamed, such as one that another process worked out', () => {
    let text = '';
    const streams = { out: (more: string) => void (text += more), err: () => undefined, outIsTerminal: true };
    const output = runOutput('text', streams);
    output.finish({ kind: 'completed', answer: 'Blue.' }, { sessionId: 's', model: null });
    assert.equal(text, 'Blue.\n');
  });

  it('contains no control sequences from messages or calls, even with colors', async () => {
    for (const colour of [false, true]) {
      const some = TRICKY_TEXTS.slice(0, 40);
      const calls = some.map(({ text }) => ({ name: 'fs_read', arguments: { path: text } }));
      const { text } = await shown({ colour }, [{ call: calls }, { say: some.map((one) => one.text).join('\n') }]);
      const offence = NEVER.exec(text.replaceAll(COLOURS, ''));
      assert.equal(offence, null, JSON.stringify(text.slice((offence?.index ?? 0) - 40).slice(0, 80)));
      assert.equal(/\u001b/.test(text), colour);
    }
  });

  it('keeps action lines within the width', async () => {
    const { text } = await shown({ width: 40 });
    const rows = text.split('\n');
    assert.ok(
      rows.every((row) => row.length <= 40),
      text,
    );
    assert.match(text.replaceAll(/\s+/g, ' '), new RegExp(`› Run echo ${LONG}`));
  });

  it('says what a request waits for, and how long', async () => {
    const screen = new Screen();
    const limited = { fail: { status: 429, headers: { 'retry-after': '4' } } };
    await withWorld({ sleep: retriesAtOnce, story: [limited, { say: 'Here.' }] }, async (world) => {
      await renderToTerminal(world.run('go'), { stream: screen });
    });
    assert.match(screen.text, /^Rate limit reached\. Trying again in [45] s\.$/m);
  });

  it('continues when the terminal is closed, and reports a failed run', async () => {
    const screen = new Screen();
    screen.end();
    await withWorld({ story: STORY }, async (world) => {
      assert.equal((await renderToTerminal(world.run('go'), { stream: screen })).kind, 'completed');
    });
    assert.equal(screen.text, '');
    const other = new Screen();
    await withWorld({ story: [{ fail: { status: 401 } }] }, async (world) => {
      assert.equal((await renderToTerminal(world.run('go'), { stream: other, colour: true })).kind, 'failed');
    });
    assert.match(other.text, /\u001b\[31m› .+\u001b\[39m\n$/);
  });
});
