import { t } from '../../base/l10n';
import type { KnownRun } from '../../engine';
import { dateWords } from '../shown/dateWords';
import { pickRow } from '../shown/pickList';

const STATES: Record<KnownRun['view']['state'], { words: string; icon: string }> = {
  open: {
    get words() {
      return t('not finished');
    },
    icon: 'play-circle',
  },
  completed: {
    get words() {
      return t('completed');
    },
    icon: 'check',
  },
  rejected: {
    get words() {
      return t('rejected');
    },
    icon: 'circle-slash',
  },
  failed: {
    get words() {
      return t('failed');
    },
    icon: 'error',
  },
  stopped: {
    get words() {
      return t('stopped');
    },
    icon: 'debug-stop',
  },
  paused: {
    get words() {
      return t('paused');
    },
    icon: 'debug-pause',
  },
};

/** Asks the user to pick one of the runs. */
export async function pickRun(runs: readonly KnownRun[], title: string): Promise<KnownRun | undefined> {
  const rows = runs.map((run) => ({
    label: run.view.agent,
    icon: STATES[run.view.state].icon,
    description: `${STATES[run.view.state].words} · ${dateWords(run.view.beganAt, 'day-and-time')}`,
    detail: run.view.prompt,
    run,
  }));
  return (await pickRow(rows, { title, matchOnDescription: true, matchOnDetail: true }))?.run;
}
