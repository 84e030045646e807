import * as vscode from 'vscode';
import { safeLine } from '../../base/shown/safeText';
import {
  type Engine,
  EngineError,
  type FileBefore,
  filesBefore,
  type FileSystem,
  type PathStyle,
  restoreFiles,
} from '../../engine';
import type { ChangeSince } from '../../protocol/hostApi';
import { askInDialog } from '../shown/askInDialog';
import type { LiveChat } from '../../chat/liveChat';
import type { LiveChats } from '../../chat/liveChats';

/** The panels that show a session, which can be made to show another. */
export interface ShowingPanels {
  showing(sessionId: string): readonly { controller: Panel }[];
}

interface Panel {
  show(sessionId: string): void;
}

export interface SessionActionsParts {
  engine: Engine;
  chats: LiveChats;
  panels: ShowingPanels;
  files: FileSystem;
  paths: PathStyle;
  openInEditor: (sessionId: string) => void;
}

/** What a person does with whole sessions, from the panel and from the palette. */
export class SessionActions {
  constructor(private readonly parts: SessionActionsParts) {}

  openInEditor(sessionId: string): void {
    this.parts.openInEditor(sessionId);
  }

  /** Rejects with EngineError `invalid-input` when nothing is left of the title without its white space. */
  async rename(sessionId: string, title: string): Promise<void> {
    const chat = await this.parts.chats.open(sessionId);
    const name = await this.parts.engine.sessions.rename(sessionId, title);
    chat.publish([{ type: 'title-changed', title: name }]);
  }

  /** Asks the person, then ends what runs in the session and takes it away. False when the person decided against it. */
  async remove(sessionId: string): Promise<boolean> {
    const { chats, engine, panels, files } = this.parts;
    const { session } = await chats.open(sessionId);
    const below = await engine.sessions.below(sessionId);
    const isRunning = [session, ...below].some(({ id }) => engine.runOf(id));
    const running = isRunning ? ' Its agent is running and will be stopped.' : '';
    const where = files.trash ? 'It will be moved to the trash.' : 'This cannot be undone.';
    const choice = await askInDialog(
      {
        question: `Delete the session “${safeLine(session.metadata.title) || 'New session'}”?`,
        detail: `${where}${alongWith(below.length)}${running} Your files are not changed.`,
      },
      'Delete',
    );
    if (choice === undefined) return false;
    const gone = await engine.deleteSession(sessionId);
    const showing = gone.flatMap((id) => panels.showing(id));
    for (const id of gone) await chats.forget(id);
    if (showing.length > 0) await this.showNew(showing.map(({ controller }) => controller));
    return true;
  }

  async changesSince(sessionId: string, messageId: string): Promise<ChangeSince[]> {
    const before = await this.filesBefore(sessionId, messageId);
    return before.map(({ path, changedSince }) => ({ path: vscode.workspace.asRelativePath(path), changedSince }));
  }

  /**
   * A new session with everything before a message, on wish with the files as they were then. Undefined when the person
   * decided against it. Throws while a run is under way.
   */
  async branch(sessionId: string, messageId: string, restore: boolean): Promise<LiveChat | undefined> {
    const { chats, engine, files } = this.parts;
    this.checkIdle(sessionId);
    const before = restore ? await this.filesBefore(sessionId, messageId) : [];
    if (!(await mayRestore(before))) return undefined;
    // While the person was asked, one may have been started elsewhere.
    this.checkIdle(sessionId);
    await restoreFiles(before, files);
    return this.named(await chats.open((await engine.sessions.branch(sessionId, messageId)).id));
  }

  /** A new session with everything up to the end of a run. Files stay as they are. */
  async branchAfter(sessionId: string, runId: string): Promise<LiveChat> {
    const { chats, engine } = this.parts;
    return this.named(await chats.open((await engine.sessions.branch(sessionId, { after: runId })).id));
  }

  /** With a title that no other session has. */
  private async named(branch: LiveChat): Promise<LiveChat> {
    const { title } = branch.session.metadata;
    if (title !== '') await this.rename(branch.session.id, await this.unusedTitle(title));
    return branch;
  }

  private checkIdle(sessionId: string): void {
    if (!this.parts.engine.runOf(sessionId)) return;
    throw new EngineError('invalid-state', 'The agent is running in this session. Stop it first, then send again.');
  }

  private async filesBefore(sessionId: string, messageId: string): Promise<FileBefore[]> {
    const { session } = await this.parts.chats.open(sessionId);
    return filesBefore(session, messageId, this.parts);
  }

  private async showNew(controllers: readonly Panel[]): Promise<void> {
    const { session } = await this.parts.chats.openBest(undefined);
    for (const controller of controllers) controller.show(session.id);
  }

  /** "Fix the parser (2)", so that the branches of a session can be told apart. */
  private async unusedTitle(title: string): Promise<string> {
    const used = new Set((await this.parts.chats.list()).map((one) => one.title));
    const plain = title.replace(/ \(\d+\)$/, '');
    let number = 2;
    while (used.has(`${plain} (${number})`)) number++;
    return `${plain} (${number})`;
  }
}

const MAX_NAMED = 15;

/** Nobody should be surprised that transcripts of agents are gone, too. */
function alongWith(agents: number): string {
  if (agents === 0) return '';
  return agents === 1
    ? ' The session of the agent it started is deleted too.'
    : ` The ${agents} sessions of agents started in it are deleted too.`;
}

/** What somebody changed after the agent would be lost, so that is asked for by name. */
async function mayRestore(files: readonly FileBefore[]): Promise<boolean> {
  const changed = listed(files.filter(({ changedSince }) => changedSince));
  const notKept = listed(files.filter((file) => file.notKept));
  if (changed === '' && notKept === '') return true;
  const detail = [
    changed && `Changed since then by someone else: ${changed}`,
    notKept && `Left as they are (no copy was kept): ${notKept}`,
  ];
  const choice = await askInDialog(
    {
      question:
        changed === '' ? 'Some files cannot be restored.' : 'Restoring would undo changes that the agent did not make.',
      detail: detail.filter((line) => line !== '').join('\n'),
      exact: 'detail',
    },
    'Restore Anyway',
  );
  return choice !== undefined;
}

/** Their paths, as many as fit into a dialog. */
function listed(files: readonly FileBefore[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ path }) => vscode.workspace.asRelativePath(path));
  return files.length > MAX_NAMED ? `${names.join(', ')} and ${files.length - MAX_NAMED} more` : names.join(', ');
}
