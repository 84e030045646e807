import { assertNever } from '../../src/base/assertNever';
import type { AgentEntry, ChatEntry, ToolStatus, TurnEntry } from '../../src/protocol/chatState';
import { durationWords } from '../ui/words';

const STATUS: Record<ToolStatus, string> = {
  preparing: 'being prepared',
  waiting: 'waiting for you',
  running: 'running',
  ok: 'done',
  error: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

const OUTCOME: Record<TurnEntry['outcome'], string> = {
  completed: 'Finished',
  cancelled: 'Stopped',
  'limit-reached': 'Stopped at the limit of steps',
  rejected: 'Stopped because a step was rejected',
  failed: 'Ended with an error',
  interrupted: 'Cut off',
};

const LEVEL = { quiet: 'Note', info: 'Note', warning: 'Warning', error: 'Error' } as const;

/** What a screen reader calls an entry: "Read src/date.ts, done". */
export function entryLabel(entry: ChatEntry): string {
  switch (entry.kind) {
    case 'user':
      return 'You';
    case 'text':
      return entry.agent;
    case 'thinking':
      return thinkingWords(entry.streaming, entry.durationMs);
    case 'tool':
      return `${entry.title}, ${STATUS[entry.status]}`;
    case 'agent':
      return `${entry.agent}, ${agentStatusWords(entry.status)}`;
    case 'notice':
      return LEVEL[entry.level];
    case 'turn':
      return OUTCOME[entry.outcome];
    default:
      return assertNever(entry);
  }
}

export function thinkingWords(streaming: boolean, durationMs: number | null): string {
  if (streaming) return 'Thinking…';
  return durationMs === null ? 'Thought' : `Thought for ${durationWords(durationMs)}`;
}

export function statusWords(status: ToolStatus): string {
  return STATUS[status];
}

export function agentStatusWords(status: AgentEntry['status']): string {
  return status === 'running' ? 'at work' : OUTCOME[status].toLowerCase();
}

export function outcomeWords(outcome: TurnEntry['outcome']): string {
  return OUTCOME[outcome];
}
