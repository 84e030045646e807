import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type ExportFormat, exportSession as exported } from '../../engine';
import type { SessionSummary } from '../../protocol/hostApi';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { notify, NotPossible } from '../shown/notify';
import { PickList, type PickRow } from '../shown/pickList';
import { dateWords } from '../shown/shownLanguage';

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
        throw new NotPossible(t('The demo cannot compact a conversation. Choose a model first.'));
      if (chat.state.entries.length === 0) throw new NotPossible(t('Nothing to compact yet: this session is empty.'));
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
function askSessionTitle(title: string): Thenable<string | undefined> {
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

const RENAME = {
  iconPath: new vscode.ThemeIcon('edit'),
  get tooltip() {
    return t('Rename Session');
  },
};
const DELETE = {
  iconPath: new vscode.ThemeIcon('trash'),
  get tooltip() {
    return t('Delete session…');
  },
};

interface SessionItem extends PickRow {
  session: SessionSummary;
}

/** What the user picked: the session, and the button pressed on its row, if any. */
interface Choice {
  session: SessionSummary;
  button: vscode.QuickInputButton | null;
  /** The search text that was typed to find it. */
  query: string;
}

/** Lists the workspace's sessions to open one. Sessions can also be renamed or deleted from the list. */
export function openSession({ chats, panels, sessions }: Host): Command {
  return {
    async run() {
      let last: Choice | undefined;
      for (;;) {
        const known = await chats.list();
        if (known.length === 0 && !last) tellNone();
        last = known.length > 0 ? await choose(known, last) : undefined;
        if (!last) {
          panels.backToPanel();
          return;
        }
        const { sessionId, title } = last.session;
        if (last.button === null) return panels.show(sessionId);
        if (last.button === DELETE) await sessions.remove(sessionId);
        else {
          const name = await askSessionTitle(title);
          if (name !== undefined) await sessions.rename(sessionId, name);
        }
      }
    },
  };
}

function tellNone(): void {
  void notify('info', t('No sessions in this workspace yet. Send a message to start one.'));
}

/** Restores the previous position in the list. Returns undefined if the user dismissed it. */
async function choose(known: readonly SessionSummary[], last: Choice | undefined): Promise<Choice | undefined> {
  const list = new PickList<SessionItem>({
    title: t('Open Session'),
    placeholder: t('Search sessions'),
  });
  list.rows = known.map(itemOf);
  if (last) {
    list.query = last.query;
    list.goTo(({ session }) => session.sessionId === last.session.sessionId);
  }
  let pressed: Choice | undefined;
  list.onButton(({ session }, button) => {
    pressed = { session, button, query: list.query };
    list.close();
  });
  const row = await list.chosen();
  return row ? { session: row.session, button: null, query: '' } : pressed;
}

function itemOf(session: SessionSummary): SessionItem {
  const { title, modifiedAt, running, waiting } = session;
  const icon = waiting ? 'bell-dot' : running ? 'loading~spin' : undefined;
  return {
    label: title,
    ...(icon !== undefined && { icon }),
    description: [...(waiting ? [t('waiting for you')] : []), dateWords(modifiedAt, 'day-and-time')].join(' · '),
    buttons: [RENAME, DELETE],
    session,
  };
}
