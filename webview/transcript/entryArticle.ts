import { assertNever } from '../../src/base/errors';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { AgentEntry, ChatEntry, ToolStatus, TurnEntry } from '../../src/protocol/chatState';
import { durationWords } from '../ui/words';
import type { EntryProps } from './toolGroups';

/** Creates the node of an entry, without its contents. */
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

/** Updates the attributes that reflect the entry's state. */
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

const STATUS: Record<ToolStatus, () => string> = {
  preparing: () => t('being prepared'),
  waiting: () => t('waiting for you'),
  running: () => t('running'),
  ok: () => t('done'),
  error: () => t('failed'),
  rejected: () => t('rejected'),
  cancelled: () => t('canceled'),
};

const OUTCOME: Record<TurnEntry['outcome'], () => string> = {
  completed: () => t('Finished'),
  cancelled: () => t('Stopped'),
  paused: () => t('Paused'),
  'limit-reached': () => t('Stopped at a limit'),
  rejected: () => t('Finished with a rejected request'),
  failed: () => t('Failed'),
  interrupted: () => t('Interrupted'),
};

/** The same for use within a line. */
const AGENT_STATUS: Record<AgentEntry['status'], () => string> = {
  running: () => t('running'),
  completed: () => t('finished'),
  cancelled: () => t('stopped'),
  paused: () => t('paused'),
  'limit-reached': () => t('stopped at a limit'),
  rejected: () => t('finished with a rejected request'),
  failed: () => t('failed'),
  interrupted: () => t('interrupted'),
};

const LEVEL = {
  quiet: () => t('Note'),
  info: () => t('Note'),
  warning: () => t('Warning'),
  error: () => t('Error'),
} as const;

/** Returns the accessible name of an entry: "Read src/date.ts, done". */
export function entryLabel(entry: ChatEntry): string {
  switch (entry.kind) {
    case 'user':
      return t('You');
    case 'text':
      return entry.agent;
    case 'thinking':
      return thinkingWords(entry.streaming, entry.durationMs);
    case 'tool':
      return `${entry.title}, ${STATUS[entry.status]()}`;
    case 'agent':
      return `${entry.agent}, ${agentStatusWords(entry.status)}`;
    case 'graph':
      return t('Graph {0}, {1}', entry.name, agentStatusWords(entry.status));
    case 'notice':
      return LEVEL[entry.level]();
    case 'turn':
      return OUTCOME[entry.outcome]();
    default:
      return assertNever(entry);
  }
}

export function thinkingWords(streaming: boolean, durationMs: number | null): string {
  if (streaming) return t('Thinking…');
  return durationMs === null ? t('Thought') : t('Thought for {0}', durationWords(durationMs));
}

export function statusWords(status: ToolStatus): string {
  return STATUS[status]();
}

export function agentStatusWords(status: AgentEntry['status']): string {
  return AGENT_STATUS[status]();
}

export function outcomeWords(outcome: TurnEntry['outcome']): string {
  return OUTCOME[outcome]();
}
