import { t } from '../../base/l10n';
import { EngineError, type GraphRecord, GraphRuns, type KnownRun, stateFromText } from '../../engine';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';

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

/** Resumes a run in the chat of its session, which is opened in an editor tab if it is not the current one. */
export async function continueRun(host: Host, { sessionId }: Pick<KnownRun, 'sessionId'>): Promise<void> {
  const { session } = await host.currentChat();
  if (session.id !== sessionId) host.sessions.openInEditor(sessionId);
  (await host.chats.open(sessionId)).run();
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
