import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import type { LiveChat } from '../../chat/liveChat';
import { EngineError, type FileBefore, filesBefore, restoreFiles } from '../../engine';
import type { ChangeSince } from '../../protocol/hostApi';
import { askInDialog } from '../shown/notify';
import type { SessionActionsParts } from './sessionParts';

/** Actions on whole sessions, for the panel and the command palette. */
export class SessionActions {
  constructor(private readonly parts: SessionActionsParts) {}

  openInEditor(sessionId: string): void {
    this.parts.openInEditor(sessionId);
  }

  /** Rejects with EngineError `invalid-input` if the title is empty after trimming. */
  async rename(sessionId: string, title: string): Promise<void> {
    const chat = await this.parts.chats.open(sessionId);
    const name = await this.parts.engine.sessions.rename(sessionId, title);
    chat.publish([{ type: 'title-changed', title: name }]);
  }

  /** Asks the user, then ends the session's runs and deletes it. Returns false if the user declined. */
  async remove(sessionId: string): Promise<boolean> {
    return (await import('./removeSession')).removeSession(this.parts, sessionId);
  }

  async changesSince(sessionId: string, messageId: string): Promise<ChangeSince[]> {
    const before = await this.filesBefore(sessionId, messageId);
    return before.map(({ path, changedSince }) => ({ path: vscode.workspace.asRelativePath(path), changedSince }));
  }

  /**
   * Creates a session with everything before a message, optionally restoring files to their state at that point. Returns
   * undefined if the user declined. Throws while a run is active.
   */
  async branch(sessionId: string, messageId: string, restore: boolean): Promise<LiveChat | undefined> {
    const { chats, engine, files } = this.parts;
    this.checkIdle(sessionId);
    const before = restore ? await this.filesBefore(sessionId, messageId) : [];
    if (!(await mayRestore(before))) return undefined;
    // A run may have been started elsewhere while the dialog was open.
    this.checkIdle(sessionId);
    await restoreFiles(before, files);
    return this.named(await chats.open((await engine.sessions.branch(sessionId, messageId)).id));
  }

  /** Creates a session with everything up to the end of a run. Files stay as they are. */
  async branchAfter(sessionId: string, runId: string): Promise<LiveChat> {
    const { chats, engine } = this.parts;
    return this.named(await chats.open((await engine.sessions.branch(sessionId, { after: runId })).id));
  }

  /** Gives a branch a title that no other session has. */
  private async named(branch: LiveChat): Promise<LiveChat> {
    const { title } = branch.session.metadata;
    if (title !== '') await this.rename(branch.session.id, await this.unusedTitle(title));
    return branch;
  }

  private checkIdle(sessionId: string): void {
    if (!this.parts.engine.runOf(sessionId)) return;
    throw new EngineError('invalid-state', t('The agent is running in this session. Stop it first, then send again.'));
  }

  private async filesBefore(sessionId: string, messageId: string): Promise<FileBefore[]> {
    const { session } = await this.parts.chats.open(sessionId);
    return filesBefore(session, messageId, this.parts);
  }

  /** Appends a number, as in "Fix the parser (2)", so that the branches of a session can be told apart. */
  private async unusedTitle(title: string): Promise<string> {
    const used = new Set((await this.parts.chats.list()).map((one) => one.title));
    const plain = title.replace(/ \(\d+\)$/, '');
    let number = 2;
    while (used.has(`${plain} (${number})`)) number++;
    return `${plain} (${number})`;
  }
}

const MAX_NAMED = 15;

/** Changes made after the agent's would be lost, so the dialog names the files. */
async function mayRestore(files: readonly FileBefore[]): Promise<boolean> {
  const changed = listed(files.filter(({ changedSince }) => changedSince));
  const notKept = listed(files.filter((file) => file.notKept));
  if (changed === '' && notKept === '') return true;
  const detail = [
    changed && t('Changed since then by someone else: {0}', changed),
    notKept && t('Left as they are (no copy was kept): {0}', notKept),
  ];
  const choice = await askInDialog(
    {
      question:
        changed === ''
          ? t('Some files cannot be restored.')
          : t('Restoring would undo changes that the agent did not make.'),
      detail: detail.filter((line) => line !== '').join('\n'),
      exact: 'detail',
    },
    { title: t('Restore Anyway'), means: 'restore' },
  );
  return choice !== undefined;
}

/** Their paths, as many as fit in a dialog. */
function listed(files: readonly FileBefore[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ path }) => vscode.workspace.asRelativePath(path));
  return files.length > MAX_NAMED
    ? t('{0} and {1} more', names.join(', '), files.length - MAX_NAMED)
    : names.join(', ');
}
