import { assertNever } from '../../src/base/errors';
import { t } from '../../src/base/l10n';
import { safeText } from '../../src/base/shown/safeText';
import type { ChatState } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { entryLabel, outcomeWords } from './entryArticle';

/** The whole answer can be read in the transcript; the announcement only contains its beginning. */
const LONGEST = 600;

/** Announces to screen readers what has finished and what waits for the user. Never tokens. */
export class Announcer {
  readonly element = document.createElement('div');

  constructor() {
    this.element.className = 'visually-hidden';
    this.element.setAttribute('role', 'status');
    this.element.setAttribute('aria-live', 'polite');
  }

  say(text: string): void {
    this.element.textContent = safeText(text);
  }

  /** `textOf` returns the plain text of a message as rendered. */
  tell(state: ChatState, events: readonly HostEvent[], textOf: (entryId: string) => string): void {
    const words = events.flatMap((event) => announcement(state, event, textOf) ?? []);
    if (words.length > 0) this.say(words.join(' '));
  }
}

function announcement(state: ChatState, event: HostEvent, textOf: (entryId: string) => string): string | undefined {
  switch (event.type) {
    case 'text-finished':
      return finished(state, event.entryId, textOf);
    case 'approval-added':
      return t('Waiting for your approval: {0}.', event.approval.title);
    case 'question-added':
      return t('Question: {0}', event.question.question);
    case 'entry-added':
      if (event.entry.kind === 'notice') return event.entry.text;
      return event.entry.kind === 'turn' ? `${outcomeWords(event.entry.outcome)}.` : undefined;
    case 'agent-changed':
    case 'graph-changed':
      return agentFinished(state, event);
    case 'text-appended':
    case 'tool-changed':
    case 'tool-output-appended':
    case 'graph-node-changed':
    case 'approval-removed':
    case 'approval-parts-changed':
    case 'review-changed':
    case 'question-removed':
    case 'queue-changed':
    case 'run-changed':
    case 'resumable-changed':
    case 'todos-changed':
    case 'title-changed':
    case 'setup-changed':
    case 'model-changed':
    case 'approval-mode-changed':
    case 'usage-changed':
    case 'welcome-changed':
      return undefined;
    default:
      return assertNever(event);
  }
}

function agentFinished(
  { entries }: ChatState,
  { entryId, changes }: Extract<HostEvent, { type: 'agent-changed' | 'graph-changed' }>,
) {
  const entry = changes.status === undefined ? undefined : entries.findLast(({ id }) => id === entryId);
  return entry && `${entryLabel(entry)}.`;
}

function finished(state: ChatState, entryId: string, textOf: (entryId: string) => string): string | undefined {
  const entry = state.entries.findLast(({ id }) => id === entryId);
  if (entry?.kind !== 'text') return undefined;
  return `${entry.agent}: ${(textOf(entryId) || entry.text).trim().slice(0, LONGEST)}`;
}
