import { t } from '../../base/l10n';
import { EngineError, type GraphRecord, GraphRuns, type KnownRun, stateFromText } from '../../engine';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';
import { notify } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import { dateWords } from '../shown/shownLanguage';

/** The runs of graph agents on this machine. */
export function graphRunsOf({ engine, files, paths }: Pick<Host, 'engine' | 'files' | 'paths'>): GraphRuns {
  return new GraphRuns(engine.sessions, { files, paths, clock: { now: () => Date.now() } });
}

/** The run shown on a page. */
export interface ShownRun {
  readonly run: KnownRun;
  readonly record: GraphRecord;
  /** Whether a process is executing it. */
  readonly isCarriedOut: boolean;
}

export async function askOfRun(host: Host, { run, isCarriedOut }: ShownRun, what: 'stop' | 'pause'): Promise<void> {
  const { sessionId, view } = run;
  await graphRunsOf(host).request({ sessionId, view, isHeld: isCarriedOut }, what);
}

/** Continues a run in the chat of its session, which is opened in an editor tab if it is not the current one. */
export async function continueRun(
  host: Host,
  { sessionId, ...graphRun }: { sessionId: string; id: string; isRetry: boolean },
): Promise<void> {
  const { session } = await host.currentChat();
  if (session.id !== sessionId) host.sessions.openInEditor(sessionId);
  (await host.chats.open(sessionId)).runGraph(graphRun);
}

/** Starts a new run that continues from a step, with the state that the user entered. Returns where it is. */
export async function retryRun(
  host: Host,
  { run, isCarriedOut }: ShownRun,
  { step, state }: Extract<PageAction, { kind: 'retry-run' }>,
): Promise<{ sessionId: string; id: string }> {
  if (isCarriedOut)
    throw new EngineError('invalid-state', t('This run is still running. Stop it first, then retry from here.'));
  const edited = state === null ? undefined : stateFromText(state);
  return graphRunsOf(host).retry(run.view.id, { at: step, ...(edited && { state: edited }) });
}

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

/** Asks which other run of the same agent to compare with. */
export async function pickOther(host: Host, { sessionId, view }: KnownRun): Promise<KnownRun | undefined> {
  const { runs, problems } = await graphRunsOf(host).list();
  for (const problem of problems) host.log.warn(problem);
  const isThis = (one: KnownRun) => one.sessionId === sessionId && one.view.id === view.id;
  const others = runs.filter((one) => one.view.agent === view.agent && !isThis(one));
  if (others.length > 0) return pickRun(others, t('Compare Runs of {0}', view.agent));
  void notify('info', t('There is no other run of {0} to compare with. Run it again first.', view.agent));
  return undefined;
}
