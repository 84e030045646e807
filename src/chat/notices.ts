import { t } from '../base/l10n';
import { type AgentEvent, DEFAULT_TURNS, type RunOutcome } from '../engine';
import type { ChatState, NoticeAction, TurnEntry } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';

type Happening = Extract<AgentEvent, { type: 'auto-continued' | 'skill-loaded' | 'skill-unloaded' }>;
type Told<T> = T extends unknown ? Omit<T, 'seq' | 'sessionId'> : never;

/** The notice for something that a run did on its own. */
export function happeningText(event: Told<Happening>): string {
  switch (event.type) {
    case 'auto-continued': {
      const { count, max, open } = event;
      return open === 1
        ? t('Continuing automatically: {0} of {1}, 1 to-do open', count, max)
        : t('Continuing automatically: {0} of {1}, {2} to-dos open', count, max, open);
    }
    case 'skill-loaded':
      return t('Skill {0} loaded', event.skill);
    case 'skill-unloaded':
      return t('Skill {0} unloaded', event.skill);
  }
}

type Limit = Extract<RunOutcome, { kind: 'limit-reached' }>['limit'];

/** Why a run was stopped, and where the user can raise the limit. Repeated calls have no such limit. */
export function stoppedText(limit: Limit): string {
  if (limit === 'repeats') return t('The run was stopped because it kept repeating the same tool call.');
  const more = t('Continue, or raise the limit in the setting cairn.limits or where the agent sets it.');
  return `${limitSentence(limit)} ${more}`;
}

function limitSentence(limit: Exclude<Limit, 'repeats'>): string {
  switch (limit) {
    case 'turns':
      return t(
        'The run was stopped because it reached its limit of turns ({0} requests to the model where nothing else is set).',
        DEFAULT_TURNS,
      );
    case 'tokens':
      return t('The run was stopped because it reached its token limit.');
    case 'cost':
      return t('The run was stopped because it reached its cost limit.');
    case 'time':
      return t('The run was stopped because it reached its time limit.');
    case 'depth':
      return t('The run was stopped because it reached its depth limit.');
  }
}

/** Like `stoppedText`, for an agent started by another one. */
export function childStoppedText(limit: Limit): string {
  switch (limit) {
    case 'repeats':
      return t('It kept repeating the same tool call.');
    case 'turns':
      return t('It reached its limit of turns.');
    case 'tokens':
      return t('It reached its token limit.');
    case 'cost':
      return t('It reached its cost limit.');
    case 'time':
      return t('It reached its time limit.');
    case 'depth':
      return t('It reached its depth limit.');
  }
}

/** The notice for an unfinished run that is not running in this window. */
export function cutOffText(heldElsewhere: boolean): string {
  return heldElsewhere
    ? t('This session is running in another window. Messages you send here wait until that run ends.')
    : t(
        'The last run was interrupted by a reload or because the editor closed. Everything up to that point was saved.',
      );
}

/** The button that helps with a failure; null if none does. */
export function failureAction(reason: Extract<RunOutcome, { kind: 'failed' }>['reason']): NoticeAction | null {
  switch (reason) {
    case 'no-key':
    case 'auth':
      return { label: t('Set API key'), command: 'setApiKey' };
    case 'unknown-model':
    case 'context-overflow':
    case 'bad-request':
    case 'rate-limit':
    case 'server':
      return { label: t('Choose another model'), command: 'chooseModel' };
    case 'unreachable':
      return { label: t('Open settings'), command: 'openBaseUrls' };
    case 'graph':
      return { label: t('Try again'), resume: true };
    case 'cut-stream':
      return { label: t('Continue'), resume: true };
    case 'session':
    case 'internal':
      return { label: t('Show the log'), command: 'showLog' };
    case 'unknown-agent':
      return { label: t('Choose another agent'), command: 'chooseAgent' };
    case 'configuration':
    case 'middleware':
    case 'context-strategy':
    case 'tool':
    case 'cancelled':
      return null;
  }
}

/** How the panel shows the end of a run. */
export function endOf(outcome: RunOutcome): TurnEntry['outcome'] {
  return outcome.kind === 'cancelled' && outcome.paused ? 'paused' : outcome.kind;
}

/** Cancels the cards of calls that never finished. */
export function openTools({ entries }: ChatState): HostEvent[] {
  return entries.flatMap((entry): HostEvent[] =>
    entry.kind === 'tool' && (entry.status === 'preparing' || entry.status === 'running')
      ? [{ type: 'tool-changed', entryId: entry.id, changes: { status: 'cancelled' } }]
      : [],
  );
}
