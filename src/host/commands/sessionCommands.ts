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

/** A new session in the view, whose title this stands in, also where a chat in a tab was used last. */
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

/** Shows the sessions of the workspace over the chat of the view, and takes them away again. */
export function showHistory({ panels }: Host): Command {
  return {
    run: () => panels.view.withPanel((controller) => controller.showPart('sessions')),
  };
}

/** Shows the chat; with the id of a session, that session. */
export function openChat({ panels }: Host): Command {
  return {
    run: (sessionId) => (typeof sessionId === 'string' ? panels.show(sessionId) : panels.view.focus()),
  };
}

/** The session shown in an editor tab of its own, beside the panel that goes on showing what it shows. */
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

/** The session shown, after the person has confirmed it. */
export function deleteSession({ currentChat, sessions, panels }: Host): Command {
  return {
    async run() {
      await sessions.remove((await currentChat()).session.id);
      panels.backToPanel();
    },
  };
}

/** Has the model sum up the conversation so far, to make room in its window. */
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

/** Finds text in the chat shown, also in the parts of it that are not drawn. */
export function find({ panels }: Host): Command {
  return {
    run: () => panels.withPanel((controller) => controller.showPart('find')),
  };
}

/** Undefined when the person thought better of it. */
export function askSessionTitle(title: string): Thenable<string | undefined> {
  return askText({
    title: t('Rename Session'),
    value: title,
    validateInput: (text) => (text.trim() === '' ? t('Enter a name for the session.') : undefined),
  });
}

/** The session shown as a file that the person names; its ending says the format. */
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
