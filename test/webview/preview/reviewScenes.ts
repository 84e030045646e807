import type { ChatState, FileDiff, TurnEntry } from '../../../src/protocol/chatState';
import { approval, chat, dateDiff, run, text, tool, user } from '../support/chats';

/** A diff with two parts, each of which can be left out. */
export const twoParts: FileDiff = {
  path: 'src/weekdays.ts',
  created: false,
  added: 2,
  removed: 2,
  hunks: [
    {
      oldStart: 1,
      newStart: 1,
      lines: [" const SHORT = ['Mon', 'Tue'];", '-let first = 0;', '+const first = 1;', ' ', ' export { SHORT };'],
    },
    { oldStart: 20, newStart: 20, lines: [' function name(day) {', '-  return day', '+  return SHORT[day];', ' }'] },
  ],
};

const edit = (id: string, path: string, parts: Parameters<typeof tool>[1] = {}) =>
  tool(id, {
    tool: 'fs_edit',
    category: 'write',
    title: `Edit ${path}`,
    status: 'waiting',
    durationMs: null,
    ...parts,
  });

const together = ['c1', 'c2', 'c3'];

/** The end of a turn that changed two files without asking. */
export const turn: TurnEntry = {
  kind: 'turn',
  mode: 'agent',
  id: 'e1',
  runId: 'run',
  messageId: 'u1',
  outcome: 'completed',
  durationMs: 34_000,
  inputTokens: 12_000,
  outputTokens: 400,
  commands: 1,
  files: [
    { path: 'src/date.ts', added: 6, removed: 2 },
    { path: 'src/weekdays.ts', added: 2, removed: 2 },
  ],
};

/** Edits waiting in one card, parts of an edit, and changes to review. */
export function reviewScenes(): Record<string, ChatState> {
  const asked = user('u1', 'Make the date code strict.');
  const waiting = { run: run('waiting-for-approval') };
  return {
    parts: chat({
      entries: [asked, text('t1', 'Two places need it.'), edit('c1', 'src/weekdays.ts')],
      approvals: [approval('c1', { diff: twoParts, leftOut: [1] })],
      ...waiting,
    }),
    edits: chat({
      entries: [
        asked,
        text('t1', 'Three files need it.'),
        edit('c1', 'src/date.ts', { status: 'rejected', detail: { kind: 'text', text: 'no' } }),
        edit('c2', 'src/weekdays.ts'),
        edit('c3', 'src/a/rather/long/path/of/a/file/phrases.ts'),
      ],
      approvals: [
        approval('c2', { diff: twoParts, together }),
        approval('c3', { diff: { ...dateDiff, path: 'src/a/rather/long/path/of/a/file/phrases.ts' }, together }),
      ],
      ...waiting,
    }),
    review: chat({
      entries: [asked, text('t1', 'Done: both files are strict now.'), turn],
      approvalMode: 'review-after',
      toReview: turn.files.map((file) => ({ runId: 'run', ...file })),
    }),
  };
}
