import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { Deferred, Mutex } from '../../src/base/async';
import { terminal } from '../../src/cli/terminal';
import { terminalPrompter } from '../../src/cli/terminalApprovals';
import { aMoment } from '../support/aMoment';

const question = (agent: string, words: string) => ({
  ...{ id: words, sessionId: 's', callId: 'c', agent, question: words, kind: 'input' as const, options: [] },
});

describe('Terminal questions', () => {
  it('of several agents are asked one at a time, each with the name of its agent', async () => {
    const screen: string[] = [];
    const typed: Deferred<string>[] = [];
    const prompter = terminalPrompter({
      turns: new Mutex(),
      interrupt: () => undefined,
      say: (line) => void screen.push(line),
      size: () => ({ columns: 80, rows: 24 }),
      ask: (prompt) => {
        screen.push(prompt);
        const answer = new Deferred<string>();
        typed.push(answer);
        return answer.promise;
      },
    });
    const { signal } = new AbortController();
    const first = prompter.ask(question('explore', 'Which one?'), signal);
    const second = prompter.ask(question('oracle', 'Why?'), signal);
    await new Promise(setImmediate);
    assert.deepEqual(screen, ['', 'explore asks: Which one?', 'Your answer: ']);
    typed[0]?.resolve('This.');
    assert.deepEqual(await first, { kind: 'answered', texts: ['This.'] });
    await new Promise(setImmediate);
    typed[1]?.resolve('So.');
    assert.deepEqual(await second, { kind: 'answered', texts: ['So.'] });
    assert.deepEqual(screen.slice(3), ['', 'oracle asks: Why?', 'Your answer: ']);
  });

  it('are cancelled with the run by Ctrl+C, which sends no signal while an answer is typed', async () => {
    const keys = keyboard();
    const run = new AbortController();
    const screen = terminal({ ...keys, onInterrupt: () => run.abort() });
    const answer = terminalPrompter(screen).ask(question('coder', 'Which one?'), run.signal);
    await keys.asked(1);
    keys.input.write('Th\u0003');
    await assert.rejects(answer);
    assert.ok(run.signal.aborted);
  });

  it('ignore input typed before they were asked', async () => {
    const keys = keyboard();
    const screen = terminal({ ...keys, onInterrupt: () => undefined });
    keys.input.write('early\rearlier\r');
    const answer = terminalPrompter(screen).ask(question('coder', 'Which one?'), new AbortController().signal);
    await keys.asked(1);
    keys.input.write('Now.\r');
    assert.deepEqual(await answer, { kind: 'answered', texts: ['Now.'] });
  });

  it('have no answer when the input ends, and the next one is still asked', async () => {
    const keys = keyboard();
    const screen = terminal({ ...keys, onInterrupt: () => undefined });
    const { signal } = new AbortController();
    const first = terminalPrompter(screen).ask(question('coder', 'Which one?'), signal);
    await keys.asked(1);
    keys.input.write('\u0004');
    assert.deepEqual(await first, { kind: 'nobody' });
    const second = terminalPrompter(screen).ask(question('coder', 'Why?'), signal);
    await keys.asked(2);
    keys.input.write('So.\r');
    assert.deepEqual(await second, { kind: 'answered', texts: ['So.'] });
  });
});

/** The input and output of a terminal; `asked` waits until `count` prompts have appeared. */
function keyboard() {
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let screen = '';
  output.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const asked = async (count: number) => {
    while (screen.split('Your answer: ').length <= count) await aMoment();
  };
  return { input: new PassThrough(), output, asked };
}
