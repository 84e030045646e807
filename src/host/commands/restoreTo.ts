import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeLine } from '../../base/shown/safeText';
import { type AgentSession, type FileBefore, filesBefore, restoreFiles, textOf, titleFrom } from '../../engine';
import type { Command, Host } from '../host';
import { askInDialog, NotPossible } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import { dateWords } from '../shown/shownLanguage';

const MAX_NAMED = 15;

/**
 * Restores files to their state before a message, after the user has confirmed the list, and optionally continues from there in a
 * branch of the session. Throws while a run is active.
 */
export async function restoreTo(host: Host, session: AgentSession, messageId: string): Promise<void> {
  if (host.engine.runOf(session.id)) throw new NotPossible(t('The agent is running in this session. Stop it first.'));
  const files = await filesBefore(session, messageId, host);
  const all = {
    title: files.length > 0 ? t('Restore Files and Conversation') : t('Restore Conversation'),
    means: 'all',
  };
  const choices = files.length > 0 ? [{ title: t('Restore Files'), means: 'files' }, all] : [all];
  const detail = [
    ...named(files, host.files.trash !== undefined),
    t('The conversation continues in a new session; this one is kept.'),
  ].join('\n');
  const question = t('Restore the checkpoint before “{0}”?', safeLine(messageTitle(session, messageId)));
  const choice = await askInDialog({ question, detail, exact: 'detail' }, ...choices);
  if (choice === undefined) return;
  // A run may have been started elsewhere while the dialog was open.
  if (host.engine.runOf(session.id)) throw new NotPossible(t('The agent is running in this session. Stop it first.'));
  try {
    await restoreFiles(files, host.files);
  } finally {
    for (const { path } of files) await host.ledger.sync(path);
  }
  if (choice === 'files') return;
  const branch = await host.engine.sessions.branch(session.id, messageId);
  await host.panels.show(branch.id);
}

/** Changes made after the agent's would be lost, so the dialog names the files. */
function named(files: readonly FileBefore[], hasTrash: boolean): string[] {
  if (files.length === 0) return [t('No files have changed since then.')];
  const rows = files.slice(0, MAX_NAMED).map(({ path, bytes, changedSince, notKept }) => {
    const name = vscode.workspace.asRelativePath(path);
    if (notKept) return t('Will be left as it is (no copy was kept): {0}', name);
    if (bytes === null) return hasTrash ? trashed(name, changedSince) : deleted(name, changedSince);
    return changedSince ? t('Will be restored: {0}, including later changes', name) : t('Will be restored: {0}', name);
  });
  return files.length > MAX_NAMED ? [...rows, t('and {0} more', files.length - MAX_NAMED)] : rows;
}

function trashed(name: string, changedSince: boolean): string {
  return changedSince
    ? t('Will be moved to the trash: {0}, including later changes', name)
    : t('Will be moved to the trash: {0}', name);
}

function deleted(name: string, changedSince: boolean): string {
  return changedSince ? t('Will be deleted: {0}, including later changes', name) : t('Will be deleted: {0}', name);
}

function messageTitle({ messages }: AgentSession, messageId: string): string {
  const message = messages.find(({ id }) => id === messageId);
  return message?.role === 'user' ? titleFrom(textOf(message)) : t('the message');
}

/** Restores files to their state before a message that the user picks. */
export function restoreCheckpoint(host: Host): Command {
  return {
    async run() {
      const { session } = await host.currentChat();
      if (host.engine.runOf(session.id))
        throw new NotPossible(t('The agent is running in this session. Stop it first.'));
      const messageId = await pickMessage(session);
      host.panels.backToPanel();
      if (messageId !== undefined) await restoreTo(host, session, messageId);
    },
  };
}

async function pickMessage(session: AgentSession): Promise<string | undefined> {
  const items = session.messages
    .flatMap((message) => (message.role === 'user' && !message.steering ? [message] : []))
    .map((message) => ({
      label: titleFrom(textOf(message)),
      description: dateWords(message.time, 'time'),
      id: message.id,
    }));
  if (items.length === 0) throw new NotPossible(t('This session has no checkpoints yet.'));
  const picked = await pickRow(items.reverse(), {
    title: t('Restore Checkpoint'),
    placeHolder: t('Select the message to go back to'),
  });
  return picked?.id;
}
