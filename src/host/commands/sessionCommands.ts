import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type ExportFormat, exportSession as exported } from '../../engine';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';

export function newSession({ chats, panels }: Host): Command {
  return {
    async run() {
      const chat = await chats.openNew();
      await panels.show(chat.session.id);
    },
  };
}

/** Opens a new session in the view, whose title bar has this command, even if a chat in a tab was used last. */
export function newSessionInView({ chats, panels }: Host): Command {
  return {
    async run() {
      const { session } = await chats.openNew();
      await panels.view.withPanel((controller) => {
        controller.show(session.id);
        controller.focusComposer();
      });
    },
  };
}

/** Toggles the list of the workspace's sessions over the view's chat. */
export function showHistory({ panels }: Host): Command {
  return {
    run: () => panels.view.withPanel((controller) => controller.showPart('sessions')),
  };
}

/** Shows the chat, or a given session by id. */
export function openChat({ panels }: Host): Command {
  return {
    run: (sessionId) => (typeof sessionId === 'string' ? panels.show(sessionId) : panels.view.focus()),
  };
}

/** Opens the current session in an editor tab. The panel keeps showing it. */
export function openInEditor({ panels, currentChat }: Host): Command {
  return {
    async run() {
      panels.editors.open((await currentChat()).session.id);
    },
  };
}

export function renameSession({ currentChat, sessions, panels }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const title = await askSessionTitle(session.metadata.title);
      panels.backToPanel();
      if (title !== undefined) await sessions.rename(session.id, title);
    },
  };
}

/** Deletes the current session after the user has confirmed. */
export function deleteSession({ currentChat, sessions, panels }: Host): Command {
  return {
    async run() {
      await sessions.remove((await currentChat()).session.id);
      panels.backToPanel();
    },
  };
}

/** Has the model summarize the conversation so far, to make room in its context window. */
export function compactSession({ currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      if (chat.state.model.scripted)
        throw new Error(t('The demo cannot compact a conversation. Choose a model first.'));
      if (chat.state.entries.length === 0) throw new Error(t('Nothing to compact yet: this session is empty.'));
      chat.compact();
      await panels.show(chat.session.id);
    },
  };
}

export function clearTodos({ currentChat }: Host): Command {
  return {
    async run() {
      await (await currentChat()).clearTodos();
    },
  };
}

export function stopRun({ currentChat }: Host): Command {
  return {
    async run() {
      (await currentChat()).cancel();
    },
  };
}

/** Finds text in the current chat, including parts that are not rendered. */
export function find({ panels }: Host): Command {
  return {
    run: () => panels.withPanel((controller) => controller.showPart('find')),
  };
}

/** Returns undefined if the user canceled. */
export function askSessionTitle(title: string): Thenable<string | undefined> {
  return askText({
    title: t('Rename Session'),
    value: title,
    validateInput: (text) => (text.trim() === '' ? t('Enter a name for the session.') : undefined),
  });
}

/** Exports the current session to a file chosen by the user, whose extension determines the format. */
export function exportSession({ currentChat }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const name = session.metadata.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'session';
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const target = await vscode.window.showSaveDialog({
        title: t('Export Session'),
        saveLabel: t('Export'),
        filters: { Markdown: ['md'], JSON: ['json'] },
        ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.md`) }),
      });
      if (!target) return;
      const format: ExportFormat = target.path.endsWith('.json') ? 'json' : 'markdown';
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(exported(session, format)));
      await vscode.window.showTextDocument(target, { preview: false });
    },
  };
}
