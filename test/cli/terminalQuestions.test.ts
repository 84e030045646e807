import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/deferred';
import { Turns } from '../../src/base/turns';
import { terminalPrompter } from '../../src/cli/terminalApprovals';

const question = (agent: string, words: string) => ({
  ...{ id: words, sessionId: 's', callId: 'c', agent, question: words, kind: 'input' as const, options: [] },
});

describe('questions on a terminal', () => {
  it('of several agents are put one after the other, each with the name of who asks', async () => {
    const screen: string[] = [];
    const typed: Deferred<string>[] = [];
    const prompter = terminalPrompter({
      turns: new Turns(),
      say: (line) => void screen.push(line),
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
});
