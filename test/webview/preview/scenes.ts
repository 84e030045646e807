import type { ChatEntry, ChatState, PendingQuestion } from '../../../src/protocol/chatState';
import { agentScenes } from './agentScenes';
import { graphScenes } from './graphScenes';
import { reviewScenes } from './reviewScenes';
import { setupScenes } from './setupScenes';
import { approval, chat, dateDiff, run, text, tool, user } from '../support/chats';

const DATE_SOURCE = `export function parse(text: string): Date {
  const [d, m, y] = text.split('/').map(Number);
  return new Date(y, m - 1, d);
}`;

const TEST_OUTPUT = `> date-tools@2.1.0 test
> mocha

  parse
    ✔ reads a day
    ✔ reads the last day of a leap year
    ✔ throws for 31/02

  format
    ✔ pads day and month

  41 passing (212ms)`;

const ANSWER = `The parser never checks that the day exists. \`new Date(2024, 1, 31)\` does not fail: it **rolls over** to 2 March,
so \`parse('31/02/2024')\` gives a valid date.

Two ways to make it strict:

1. Compare the parts of the result with the input, which is what I suggest.
2. Use a table of month lengths; see [the helper](src/months.ts#L12).

\`\`\`ts
// The smallest check that cannot be fooled
const date = new Date(y, m - 1, d);
if (date.getMonth() !== m - 1) throw new RangeError(\`No such day: \${text}\`);
\`\`\`

| Input | Before | After |
| --- | --- | --- |
| 31/02/2024 | 2 March | \`RangeError\` |
| 29/02/2024 | 29 February | 29 February |`;

const firstTurn: ChatEntry[] = [
  user('u1', "Why does parse('31/02/2024') not throw?"),
  { kind: 'thinking', id: 'h1', text: 'The date constructor rolls over…', streaming: false, durationMs: 6_200 },
  tool('r1', {
    title: 'Read src/date.ts 38–92',
    durationMs: 120,
    detail: { kind: 'file', path: 'src/date.ts', firstLine: 38, lastLine: 92, text: DATE_SOURCE },
  }),
  text('t1', ANSWER),
  {
    kind: 'turn',
    mode: 'agent',
    runId: 'run',
    messageId: 'u',
    id: 'e1',
    outcome: 'completed',
    durationMs: 14_000,
    inputTokens: 8_200,
    outputTokens: 640,
    commands: 0,
    files: [],
  },
];

const todoTool = (id: string, name: 'init' | 'done', title: string) =>
  tool(id, { tool: `todo__${name}`, quiet: true, title, detail: { kind: 'text', text: title } });

const readTools: ChatEntry[] = [
  todoTool('td1', 'init', 'Plan 3 steps'),
  tool('g1', { title: 'Read test/date.test.ts' }),
  tool('g2', { title: 'Read src/months.ts' }),
  tool('g3', { tool: 'fs_search', title: 'Search for parse(' }),
  tool('g4', { tool: 'fs_search', title: 'Search for RangeError' }),
  tool('g5', { title: 'Read package.json' }),
];

const secondTurn: ChatEntry[] = [
  user('u2', 'Fix it, and add a test.'),
  ...readTools,
  text('t2', 'I compare the parts and throw a `RangeError`, as the other parsers here do.'),
];

const editEntry = tool('c1', {
  tool: 'fs_edit',
  category: 'write',
  title: 'Edit src/date.ts',
  status: 'waiting',
  durationMs: null,
});
const editDone = tool('c1', {
  tool: 'fs_edit',
  category: 'write',
  title: 'Edit src/date.ts',
  detail: { kind: 'change', diff: dateDiff },
});

const todos = [
  { id: 1, text: 'Find the cause', done: true },
  { id: 2, text: 'Make the parser strict', done: false },
  { id: 3, text: 'Add a test for days that do not exist', done: false },
];

const LIVE_OUTPUT = TEST_OUTPUT.slice(0, 150)
  .replaceAll('✔', '\u001b[32m✔\u001b[0m')
  .replace('leap', '\u001b[1mleap\u001b[22m');

const command = (status: 'running' | 'ok', output: string) =>
  tool('x1', {
    tool: 'shell_run',
    category: 'execute',
    title: 'Run npm test',
    status,
    startedAt: Date.now() - 12_000,
    durationMs: status === 'ok' ? 12_400 : null,
    output,
    detail:
      status === 'ok'
        ? { kind: 'command', command: 'npm test', output, exitCode: 0, signal: null, timedOut: false, outputPath: null }
        : null,
  });

function asking(kind: PendingQuestion['kind'], question: string, options: string[]): ChatState {
  const entry = tool('q1', {
    tool: 'user__ask',
    category: 'user',
    title: `Ask: ${question}`,
    status: 'waiting',
    durationMs: null,
  });
  return chat({
    entries: [...secondTurn, entry],
    questions: [{ questionId: 'q', entryId: 'q1', agent: 'Cairn', question, kind, options }],
    run: run('waiting-for-answer'),
  });
}

/** The panel states worth looking at, by name. */
export function scenes(): Record<string, ChatState> {
  const now = Date.now();
  return {
    empty: chat({
      title: '',
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    ...reviewScenes(),
    ...agentScenes(),
    ...graphScenes(),
    ...setupScenes(),
    tour: chat({
      title: '',
      model: { id: 'demo:tour', label: 'Scripted demo', scripted: true },
      usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    }),
    answer: chat({ entries: firstTurn }),
    approval: chat({
      entries: [...firstTurn, ...secondTurn, editEntry],
      approvals: [approval('c1', { diff: dateDiff })],
      run: run('waiting-for-approval'),
      todos,
    }),
    command: chat({
      entries: [...secondTurn, editDone, todoTool('td2', 'done', 'Complete to-do 1'), command('running', LIVE_OUTPUT)],
      run: { ...run('running-tool', 'Run npm test'), startedAt: now - 30_000 },
      todos: todos.map((todo) => ({ ...todo, done: todo.id < 3 })),
    }),
    commandApproval: chat({
      entries: [
        ...secondTurn,
        editDone,
        tool('x2', {
          tool: 'shell_run',
          category: 'execute',
          title: 'Run npm test',
          status: 'waiting',
          durationMs: null,
        }),
      ],
      approvals: [
        approval('x2', {
          tool: 'shell_run',
          category: 'execute',
          title: 'Run npm test -- --grep "days that do not exist"',
          command: 'npm test -- --grep "days that do not exist"',
          reason: 'The approval mode is “Ask before edits and commands”.',
          usual: true,
          always: [{ scope: 'session', label: 'npm test in this session' }],
        }),
      ],
      run: run('waiting-for-approval'),
    }),
    finished: chat({
      entries: [
        ...secondTurn,
        editDone,
        tool('c2', {
          tool: 'fs_edit',
          category: 'write',
          title: 'Edit test/date.test.ts',
          detail: { kind: 'change', diff: { ...dateDiff, path: 'test/date.test.ts', added: 4, removed: 0 } },
        }),
        command('ok', TEST_OUTPUT),
        text(
          't3',
          'Done. `parse` now throws for a day that does not exist, and the new test covers 31/02 and 31/04. All **41** tests pass.',
        ),
        {
          kind: 'turn',
          mode: 'agent',
          runId: 'run',
          messageId: 'u',
          id: 'e2',
          outcome: 'completed',
          durationMs: 34_000,
          inputTokens: 12_100,
          outputTokens: 900,
          commands: 1,
          files: [
            { path: 'src/date.ts', added: 6, removed: 2 },
            { path: 'test/date.test.ts', added: 4, removed: 0 },
          ],
        },
      ],
      todos: todos.map((todo) => ({ ...todo, done: true })),
    }),
    streaming: chat({
      entries: [
        ...firstTurn,
        user('u2', 'How do the other parsers here do it?'),
        { kind: 'thinking', id: 'h2', text: 'Look at the others.', streaming: false, durationMs: 2_100 },
        tool('g3', { tool: 'fs_search', title: 'Search for RangeError', durationMs: 210 }),
        text(
          't2',
          'They all go through `checkedDate`:\n\n```ts\nexport function checkedDate(y: number, m: number, d: number): Date {\n  const date = new Date(y, m - 1, d);\n  if (date.getDate()',
          true,
        ),
      ],
      run: run('answering'),
    }),
    thinking: chat({
      entries: [
        ...firstTurn,
        user('u2', 'Fix it, and add a test.'),
        { kind: 'thinking', id: 'h2', text: 'First', streaming: true, durationMs: null },
        tool('p1', { title: 'Read test/date.test.ts', status: 'running', durationMs: null }),
      ],
      run: run('thinking'),
    }),
    question: asking('choice', 'Should two-digit years be accepted as well? The old parser did.', [
      'Yes, as 2000 to 2099',
      'No, throw for them',
    ]),
    checkbox: asking('checkbox', 'Which of these should I do as well?', [
      'Add a test for leap years',
      'Rename parse to parseDate',
      'Mention it in the changelog',
    ]),
    confirm: asking('confirm', 'The build folder is 2 GB. Remove it?', []),
    input: asking('input', 'What should the new command be called?', []),
    answered: chat({
      entries: [
        ...secondTurn,
        tool('q1', {
          tool: 'user__ask',
          category: 'user',
          title: 'Ask: Should two-digit years be accepted as well?',
          detail: { kind: 'text', text: 'The user answered: No, throw for them' },
        }),
        text('t4', 'Then they throw, as everything else that has no century.'),
      ],
    }),
    notices: chat({
      entries: [
        user('u1', 'Fix it, and add a test.'),
        tool('f1', {
          title: 'Read src/dates.ts',
          status: 'error',
          output: 'No file src/dates.ts. Nearby: src/date.ts.',
        }),
        tool('c1', {
          tool: 'fs_edit',
          category: 'write',
          title: 'Edit src/date.ts',
          status: 'rejected',
          detail: { kind: 'change', diff: dateDiff },
        }),
        {
          kind: 'notice',
          id: 'n1',
          level: 'warning',
          text: 'Older messages were summarised, because the conversation had outgrown the model’s window.',
          action: null,
        },
        {
          kind: 'notice',
          id: 'n2',
          level: 'error',
          text: 'OpenAI rejected the key. It may have expired or been revoked. Set a new one, or choose another model.',
          action: { label: 'Set the key', command: 'setApiKey' },
        },
        {
          kind: 'turn',
          mode: 'agent',
          runId: 'run',
          messageId: 'u',
          id: 'e1',
          outcome: 'failed',
          durationMs: 3_000,
          inputTokens: 0,
          outputTokens: 0,
          commands: 0,
          files: [],
        },
      ],
      canResume: true,
    }),
  };
}
