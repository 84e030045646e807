import {
  type ChatEntry,
  type ChatState,
  emptyChat,
  type FileDiff,
  type PendingApproval,
  type RunStatus,
  type TextEntry,
  type ToolEntry,
} from '../../../src/protocol/chatState';
import { plainSetup } from '../../support/plainSetup';

/** An empty chat, apart from the given parts. */
export function chat(parts: Partial<ChatState> = {}): ChatState {
  return {
    ...emptyChat({
      sessionId: 'session',
      setup: plainSetup,
      model: { id: 'openai:gpt-5.2', label: 'GPT-5.2', scripted: false },
      approvalMode: 'edits-and-commands',
      welcome: {
        workspaceName: 'date-tools',
        project: ['Git repository', 'npm scripts'],
        instructions: ['AGENTS.md'],
        starters: ['Explain how this project is built', 'Find and fix a failing test', 'Write tests for src/date.ts'],
      },
    }),
    title: 'Fix the date parser',
    usage: { inputTokens: 41_200, outputTokens: 2_900, contextTokens: 48_600, contextWindow: 128_000, costUsd: 0.12 },
    ...parts,
  };
}

export function run(state: RunStatus['state'], activity = ''): RunStatus {
  return { runId: 'run', agent: 'Cairn', startedAt: Date.now(), state, activity };
}

export function user(id: string, text: string, steering = false): ChatEntry {
  return { kind: 'user', id, text, time: Date.UTC(2026, 10, 20, 9, 41), steering, items: [] };
}

export function text(id: string, markdown: string, streaming = false): TextEntry {
  return { kind: 'text', id, agent: 'Cairn', text: markdown, streaming };
}

export function tool(id: string, parts: Partial<ToolEntry> = {}): ToolEntry {
  return {
    kind: 'tool',
    id,
    tool: 'fs_read',
    category: 'read',
    title: 'Read src/date.ts',
    status: 'ok',
    startedAt: null,
    durationMs: 40,
    output: '',
    detail: null,
    ...parts,
  };
}

export const dateDiff: FileDiff = {
  path: 'src/date.ts',
  created: false,
  added: 6,
  removed: 2,
  hunks: [
    {
      oldStart: 38,
      newStart: 38,
      lines: [
        ' /** Reads dd/mm/yyyy. Throws for a day that does not exist. */',
        ' export function parse(text: string): Date {',
        "   const [d, m, y] = text.split('/').map(Number);",
        '-  return new Date(y, m - 1, d);',
        '-}',
        '+  const date = new Date(y, m - 1, d);',
        '+  if (date.getMonth() !== m - 1 || date.getDate() !== d) {',
        '+    throw new RangeError(`No such day: ${text}`);',
        '+  }',
        '+  return date;',
        '+}',
        ' ',
        ' export function format(date: Date): string {',
      ],
    },
  ],
};

export function approval(entryId: string, parts: Partial<PendingApproval> = {}): PendingApproval {
  return {
    approvalId: `approval-${entryId}`,
    entryId,
    agent: 'Cairn',
    tool: 'fs_edit',
    category: 'write',
    title: 'Edit src/date.ts',
    reason: 'Edits are asked about in this workspace.',
    usual: false,
    diff: null,
    command: null,
    leftOut: [],
    together: [entryId],
    always: [
      { scope: 'session', label: 'edits in src/ in this session' },
      { scope: 'session', label: 'all edits in this session' },
    ],
    ...parts,
  };
}
