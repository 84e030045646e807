import { assertNever } from '../../src/base/assertNever';
import { safeLine } from '../../src/base/shown/safeText';
import type { AgentEntry, ChatEntry, ToolStatus, TurnEntry } from '../../src/protocol/chatState';
import { durationWords } from '../ui/words';
import type { EntryProps } from './toolGroups';

/** The node of an entry, without what stands in it. */
export function createArticle(props: EntryProps, fresh: boolean): HTMLElement {
  const { entry } = props;
  const article = document.createElement('article');
  article.className = fresh ? 'entry fresh' : 'entry';
  article.dataset['kind'] = entry.kind;
  article.dataset['entryId'] = entry.id;
  article.tabIndex = entry.kind === 'user' || entry.kind === 'text' ? 0 : -1;
  dressArticle(article, props);
  return article;
}

/** What tells of the entry's state on its node. */
export function dressArticle(article: HTMLElement, { entry, grouped }: EntryProps): void {
  article.ariaLabel = safeLine(entryLabel(entry));
  if (entry.kind === 'text') article.dataset['streaming'] = String(entry.streaming);
  if (entry.kind === 'notice') article.dataset['level'] = entry.level;
  if (entry.kind === 'agent' || entry.kind === 'graph') article.dataset['status'] = entry.status;
  if (entry.kind === 'tool') {
    article.dataset['tool'] = entry.tool;
    article.dataset['status'] = entry.status;
  }
  article.classList.toggle('grouped', grouped);
}

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
  'limit-reached': 'Stopped at a limit',
  rejected: 'Stopped: a request was rejected',
  failed: 'Failed',
  interrupted: 'Interrupted',
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
    case 'graph':
      return `Graph ${entry.name}, ${agentStatusWords(entry.status)}`;
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
  return status === 'running' ? 'running' : OUTCOME[status].toLowerCase();
}

export function outcomeWords(outcome: TurnEntry['outcome']): string {
  return OUTCOME[outcome];
}
