import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { Mutex } from '../../src/base/async';
import type { Terminal } from '../../src/cli/terminal';
import { nobodyApprovals, nobodyPrompter, terminalApprovals, terminalPrompter } from '../../src/cli/terminalApprovals';
import { askHidden } from '../../src/cli/vault/hiddenInput';
import type { ApprovalRequest, QuestionKind, RuleOffer } from '../../src/engine';

/** A terminal whose user types these lines; undefined is the end of the input. */
function screenOf(typed: readonly (string | undefined)[], rows = 24) {
  const shown: string[] = [];
  const prompts: string[] = [];
  const left = [...typed];
  const terminal: Terminal = {
    turns: new Mutex(),
    interrupt: () => undefined,
    say: (line) => void shown.push(line),
    size: () => ({ columns: 80, rows }),
    ask: (prompt) => {
      prompts.push(prompt);
      assert.ok(left.length > 0, `nobody was to be asked: ${prompt}`);
      return Promise.resolve(left.shift());
    },
  };
  return { terminal, shown, prompts };
}

const { signal } = new AbortController();
const offer: RuleOffer = { scope: 'session', rules: [{ tool: 'execute_command', action: 'allow' }], label: 'npm' };
const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...{ id: 'a', sessionId: 's', callId: 'c', agent: 'coder', tool: 'execute_command', category: 'execute' },
  ...{ title: 'Run npm test', reason: 'The mode asks.', usual: true, change: null, diff: null },
  ...{ command: 'npm test', offers: [offer], together: ['c'] },
  ...more,
});

describe('An approval on a terminal', () => {
  const answers = (typed: string | undefined) => terminalApprovals(screenOf([typed]).terminal).ask(request(), signal);

  it('is given only by a clear yes, and not by the end of the input', async () => {
    for (const typed of ['y', 'Y', 'yes', 'YES']) assert.deepEqual(await answers(typed), { kind: 'once' });
    for (const typed of [undefined, '', 'n', 'NO'])
      assert.deepEqual(await answers(typed), { kind: 'reject', by: 'person' });
    for (const typed of ['yes please', 'a0', 'a2', 'use pnpm'])
      assert.deepEqual(await answers(typed), { kind: 'reject', by: 'person', reason: typed });
    for (const typed of ['a1', 'A1']) assert.deepEqual(await answers(typed), { kind: 'always', offer });
  });

  it('shows who asks, all of the command, why, and what can be allowed always', async () => {
    const { terminal, shown } = screenOf(['y']);
    await terminalApprovals(terminal).ask(request({ command: 'npm test\nnpm publish' }), signal);
    assert.deepEqual(shown, [
      ...['', 'coder: Run npm test', '  │ npm test', '  │ npm publish', 'The mode asks.', '  a1  always: npm'],
    ]);
  });

  it('is asked for only after every page of a long command was shown', async () => {
    const command = Array.from({ length: 12 }, (_, at) => `echo ${at}`).join('\n');
    const lines = (all: readonly string[]) => all.filter((line) => line.startsWith('  │ ')).length;
    const whole = screenOf(['', 'x', 'y'], 8);
    assert.deepEqual(await terminalApprovals(whole.terminal).ask(request({ command }), signal), { kind: 'once' });
    assert.deepEqual([lines(whole.shown), whole.prompts.length], [12, 3]);
    assert.match(whole.prompts.join('\n'), /^7 more lines\.[^\n]*\n2 more lines\./);
    for (const typed of [undefined, 'n', 'No']) {
      const part = screenOf([typed], 8);
      const answer = await terminalApprovals(part.terminal).ask(request({ command }), signal);
      assert.deepEqual([answer, lines(part.shown)], [{ kind: 'reject', by: 'person' }, 5]);
    }
  });

  it('is rejected with a hint where nobody is there', async () => {
    const { terminal, shown } = screenOf([]);
    const answer = await nobodyApprovals('Use --approve.', (line) => terminal.say(line)).ask(request(), signal);
    assert.deepEqual(answer, { kind: 'reject', by: 'nobody', reason: 'Use --approve.' });
    assert.deepEqual(shown, ['  coder would have asked: Run npm test? The mode asks. Use --approve.']);
  });
});

describe('An answer on a terminal', () => {
  const asked = (kind: QuestionKind) => ({
    ...{ id: 'q', sessionId: 's', callId: 'c', agent: 'coder', question: 'Which?', kind, options: ['one', 'two'] },
  });
  const answers = async (kind: QuestionKind, typed: string | undefined) => {
    const answer = await terminalPrompter(screenOf([typed]).terminal).ask(asked(kind), signal);
    return answer.kind === 'answered' ? answer.texts : answer.kind;
  };

  it('names options by their numbers, or is the words themselves', async () => {
    assert.deepEqual(await answers('choice', '2'), ['two']);
    for (const typed of ['0', '3', 'neither']) assert.deepEqual(await answers('choice', typed), [typed]);
    assert.deepEqual(await answers('checkbox', '1, 2'), ['one', 'two']);
    assert.deepEqual(await answers('checkbox', ''), []);
    assert.deepEqual(await answers('input', 'some words'), ['some words']);
    for (const typed of ['y', 'Yes']) assert.deepEqual(await answers('confirm', typed), ['yes']);
    for (const typed of ['', 'n', 'yesterday']) assert.deepEqual(await answers('confirm', typed), ['no']);
    for (const kind of ['choice', 'checkbox', 'confirm', 'input'] as const)
      assert.equal(await answers(kind, undefined), 'nobody');
  });

  it('is that of nobody where nobody is there, who is told what was asked', async () => {
    const { terminal, shown } = screenOf([]);
    const prompter = nobodyPrompter((line) => terminal.say(line));
    assert.deepEqual(await prompter.ask(asked('input'), signal), { kind: 'nobody' });
    assert.deepEqual([prompter.isNobody, shown], [true, ['  coder would have asked: Which?']]);
  });
});

describe('A hidden input', () => {
  function typing(...chunks: readonly (string | Buffer)[]) {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => modes.push(raw) });
    const output = new PassThrough();
    const answer = askHidden('Key: ', input, output);
    for (const chunk of chunks) input.write(chunk);
    return { answer, modes, input, shown: () => String(output.read()) };
  }

  it('is read without being shown, and leaves the terminal as it was', async () => {
    const { answer, modes, shown } = typing('sec', 'ret\r');
    assert.equal(await answer, 'secret');
    assert.deepEqual([modes, shown()], [[true, false], 'Key: \n']);
  });

  it('can be corrected while it is typed', async () => {
    const keys = {
      'abc\u007f\bx\r': 'ax',
      'wrong\u0015right\n': 'right',
      'a\u001b[D\u001bOAb\r': 'ab',
      'a\u0004b\r': 'ab',
    };
    for (const [typed, text] of Object.entries(keys)) assert.equal(await typing(typed).answer, text);
    const [first = 0, second = 0] = Buffer.from('é');
    assert.equal(await typing(Buffer.from([first]), Buffer.from([second, 13])).answer, 'é');
  });

  it('ends without a text at Ctrl+D or the end of the input, and is cancelled by Ctrl+C', async () => {
    assert.equal(await typing('\u0004').answer, undefined);
    const ended = typing('half');
    ended.input.end();
    assert.equal(await ended.answer, undefined);
    const cancelled = typing('half\u0003');
    await assert.rejects(cancelled.answer, { name: 'AbortError' });
    assert.deepEqual(cancelled.modes, [true, false]);
  });

  it('takes one line: several that are pasted are refused, but not an empty rest', async () => {
    await assert.rejects(typing('one\ntwo\n').answer, /several lines were pasted/);
    assert.equal(await typing('one\r\n\n').answer, 'one');
  });
});
