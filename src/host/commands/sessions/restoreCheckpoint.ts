import * as vscode from 'vscode';
import { type AgentSession, type FileBefore, filesBefore, restoreFiles, textOf, titleFrom } from '../../../engine';
import type { Host } from '../../host';
import type { Command } from '../command';

type Extent = vscode.QuickPickItem & { conversation: boolean };

const EXTENTS: readonly Extent[] = [
  { label: 'Files', detail: 'The conversation stays as it is', conversation: false },
  {
    label: 'Files and conversation',
    detail: 'Goes on from before the message in a new session; the old one is kept',
    conversation: true,
  },
];

/** Puts the files back as they were before a message, and on wish goes on from there in a branch of the session. */
export function restoreCheckpoint(host: Host): Command {
  return {
    name: 'restoreCheckpoint',
    async run() {
      const { session } = await host.currentChat();
      if (host.engine.runOf(session.id)) throw new Error('A run is under way in this session. Stop it first.');
      const messageId = await pickMessage(session);
      if (messageId === undefined) return;
      const files = await filesBefore(session, messageId, host);
      const extent = await vscode.window.showQuickPick(EXTENTS, { title: `Restore ${describe(files)}` });
      if (!extent || !(await confirmed(files))) return;
      await restoreFiles(files, host.files);
      if (extent.conversation) await showBranch(host, session, messageId);
      void vscode.window.showInformationMessage(`Restored ${describe(files)}.`);
    },
  };
}

async function pickMessage(session: AgentSession): Promise<string | undefined> {
  const items = session.messages
    .flatMap((message) => (message.role === 'user' && !message.steering ? [message] : []))
    .map((message) => ({
      label: titleFrom(textOf(message)),
      description: new Date(message.time).toLocaleTimeString(),
      id: message.id,
    }));
  if (items.length === 0) throw new Error('This session has no message yet to go back to.');
  const picked = await vscode.window.showQuickPick(items.reverse(), {
    title: 'Go back to before which message?',
    placeHolder: 'The newest is first',
  });
  return picked?.id;
}

/** What somebody changed after the agent would be lost, so that is asked for by name. */
async function confirmed(files: readonly FileBefore[]): Promise<boolean> {
  const changed = files
    .filter(({ changedSince }) => changedSince)
    .map(({ path }) => vscode.workspace.asRelativePath(path));
  if (changed.length === 0) return true;
  const detail = `Changed since by somebody else: ${changed.join(', ')}`;
  const choice = await vscode.window.showWarningMessage(
    'Restoring would undo changes that the agent did not make.',
    { modal: true, detail },
    'Restore all the same',
  );
  return choice !== undefined;
}

async function showBranch(host: Host, session: AgentSession, messageId: string): Promise<void> {
  const branch = await host.engine.sessions.branch(session.id, messageId);
  await host.panels.show(branch.id);
}

function describe(files: readonly FileBefore[]): string {
  if (files.length === 0) return 'no files: none was changed';
  return files.length === 1 ? vscode.workspace.asRelativePath(files[0]?.path ?? '') : `${files.length} files`;
}
