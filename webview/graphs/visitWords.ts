import { t } from '../../src/base/l10n';
import { costWords } from '../../src/protocol/costWords';
import type { GraphRunView, VisitView } from '../../src/protocol/graphPage';
import { durationWords, tokenWords } from '../ui/words';

export const RUN_WORDS: Readonly<Record<VisitView['state'] | GraphRunView['state'], () => string>> = {
  running: () => t('running'),
  asking: () => t('asking you'),
  done: () => t('done'),
  failed: () => t('failed'),
  stopped: () => t('stopped'),
  interrupted: () => t('interrupted'),
  completed: () => t('completed'),
  rejected: () => t('rejected'),
  paused: () => t('paused'),
};

/** How long it took, what of a map is done, what was used, and how often it was tried. */
export function visitFacts(
  { beganAt, endedAt, state, items, itemsAround, tokens, costUsd, tries }: VisitView,
  now: number,
): string[] {
  const isOpen = state === 'running' || state === 'asking';
  const end = endedAt ?? (isOpen ? Math.max(now, beganAt) : null);
  return [
    ...(items > 0 ? [items === 1 ? t('1 item done') : t('{0} items done', items)] : []),
    ...(itemsAround > 0 ? [t('{0} by fallback', itemsAround)] : []),
    ...(end === null ? [] : [durationWords(end - beganAt)]),
    ...usedFacts({ tokens, costUsd }),
    ...(tries > 1 ? [t('try {0}', tries)] : []),
  ];
}

export function usedFacts({ tokens, costUsd }: { tokens: number; costUsd: number }): string[] {
  return [...(tokens > 0 ? [tokenWords(tokens)] : []), ...(costUsd > 0 ? [costWords(costUsd)] : [])];
}

/** Of each node the last time that it ran, and how often it did. */
export function latestVisits(visits: readonly VisitView[]): Map<string, { last: VisitView; count: number }> {
  const found = new Map<string, { last: VisitView; count: number }>();
  for (const visit of visits) {
    const known = found.get(visit.node);
    // One that was interrupted ran again in the same step.
    const isSame = known?.last.step === visit.step;
    found.set(visit.node, { last: visit, count: (known?.count ?? 0) + (isSame ? 0 : 1) });
  }
  return found;
}
