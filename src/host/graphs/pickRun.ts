import type { KnownRun } from '../../engine';
import { pickRow } from '../shown/pickList';

const STATES: Record<KnownRun['view']['state'], { words: string; icon: string }> = {
  open: { words: 'not finished', icon: 'play-circle' },
  completed: { words: 'completed', icon: 'check' },
  rejected: { words: 'rejected', icon: 'circle-slash' },
  failed: { words: 'failed', icon: 'error' },
  stopped: { words: 'stopped', icon: 'debug-stop' },
  paused: { words: 'paused', icon: 'debug-pause' },
};

/** Asks the person for one of some runs. */
export async function pickRun(runs: readonly KnownRun[], title: string): Promise<KnownRun | undefined> {
  const rows = runs.map((run) => ({
    label: run.view.agent,
    icon: STATES[run.view.state].icon,
    description: `${STATES[run.view.state].words} · ${new Date(run.view.beganAt).toLocaleString()}`,
    detail: run.view.prompt,
    run,
  }));
  return (await pickRow(rows, { title, matchOnDescription: true, matchOnDetail: true }))?.run;
}
