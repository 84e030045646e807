import { t } from '../../base/l10n';
import { safeLine } from '../../base/shown/safeText';
import { askInDialog } from '../shown/notify';
import type { SessionActionsParts } from './sessionParts';

/** Asks the user, then ends the session's runs and deletes it. Returns false if the user declined. */
export async function removeSession(parts: SessionActionsParts, sessionId: string): Promise<boolean> {
  const { chats, engine, panels, files } = parts;
  const { session } = await chats.open(sessionId);
  const below = await engine.sessions.below(sessionId);
  const isRunning = [session, ...below].some(({ id }) => engine.runOf(id));
  const detail = [
    files.trash ? t('It will be moved to the trash.') : t('This cannot be undone.'),
    ...alongWith(below.length),
    ...(isRunning ? [t('Its agent is running and will be stopped.')] : []),
    t('Your files are not changed.'),
  ].join('\n');
  const choice = await askInDialog(
    {
      question: t('Delete the session “{0}”?', safeLine(session.metadata.title) || t('New session')),
      detail,
    },
    { title: t('Delete'), means: 'delete' },
  );
  if (choice === undefined) return false;
  const gone = await engine.deleteSession(sessionId);
  const showing = gone.flatMap((id) => panels.showing(id));
  for (const id of gone) await chats.forget(id);
  if (showing.length === 0) return true;
  const { session: shown } = await chats.openBest(undefined);
  for (const { controller } of showing) controller.show(shown.id);
  return true;
}

/** The deletion of agents' transcripts should not come as a surprise. */
function alongWith(agents: number): string[] {
  if (agents === 0) return [];
  return agents === 1
    ? [t('The session of the agent it started is deleted too.')]
    : [t('The {0} sessions of agents started in it are deleted too.', agents)];
}
