import { t } from '../../src/base/l10n';
import { costWords } from '../../src/protocol/costWords';
import type { BranchItems, GraphRunView, VisitView } from '../../src/protocol/graphPage';
import { durationWords, tokenWords } from '../ui/words';

export const RUN_WORDS: Readonly<Record<VisitView['state'] | GraphRunView['state'], () => string>> = {
  running: () => t('running'),
  asking: () => t('asking you'),
  done: () => t('done'),
  around: () => t('failed, fallback taken'),
  failed: () => t('failed'),
  stopped: () => t('stopped'),
  interrupted: () => t('interrupted'),
  completed: () => t('completed'),
  rejected: () => t('rejected'),
  paused: () => t('paused'),
};

/** Whether a node or run is in progress, including while it waits for the user. */
export function isAtWork(state: VisitView['state'] | GraphRunView['state']): boolean {
  return state === 'running' || state === 'asking';
}

/** Returns the duration, a map's finished items, the usage, and the number of tries. */
export function visitFacts(
  { beganAt, endedAt, state, items, itemsAround, tokens, costUsd, tries }: VisitView,
  now: number,
): string[] {
  const end = endedAt ?? (isAtWork(state) ? Math.max(now, beganAt) : null);
  return [
    ...(items > 0 ? [items === 1 ? t('1 item done') : t('{0} items done', items)] : []),
    ...(itemsAround > 0 ? [t('{0} by fallback', itemsAround)] : []),
    ...(end === null ? [] : [durationWords(end - beganAt)]),
    ...usedFacts({ tokens, costUsd }),
    ...(tries > 1 ? [t('try {0}', tries)] : []),
  ];
}

/** Describes the state of a map's items in one of the nodes it runs for them. `isOver`: no more will start. */
export function itemWords(
  { left, begun, done, around, failed, stopped, retried }: BranchItems,
  isOver: boolean,
): string {
  const counts = [
    [begun, t('{0} running', begun)],
    [done, t('{0} done', done)],
    [around, t('{0} failed, fallback taken', around)],
    [failed, t('{0} failed', failed)],
    [stopped, t('{0} stopped', stopped)],
    [left, isOver ? t('{0} not begun', left) : t('{0} waiting', left)],
    [retried, t('{0} tried again', retried)],
  ] as const;
  const all = left + begun + done + around + failed + stopped;
  const said = counts.flatMap(([count, words]) => (count > 0 ? [words] : [])).join(' · ');
  return all === 1 ? t('1 item: {0}', said) : t('{0} items: {1}', all, said);
}

export function usedFacts({ tokens, costUsd }: { tokens: number; costUsd: number }): string[] {
  return [...(tokens > 0 ? [tokenWords(tokens)] : []), ...(costUsd > 0 ? [costWords(costUsd)] : [])];
}

/** Returns each node's last visit and how often it ran. */
export function latestVisits(visits: readonly VisitView[]): Map<string, { last: VisitView; count: number }> {
  const found = new Map<string, { last: VisitView; count: number }>();
  for (const visit of visits) {
    const known = found.get(visit.node);
    // An interrupted node runs again in the same step.
    const isSame = known?.last.step === visit.step;
    found.set(visit.node, { last: visit, count: (known?.count ?? 0) + (isSame ? 0 : 1) });
  }
  return found;
}
