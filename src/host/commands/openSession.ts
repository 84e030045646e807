import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import type { SessionSummary } from '../../protocol/hostApi';
import type { Command, Host } from '../host';
import { dateWords } from '../shown/dateWords';
import { notify } from '../shown/notify';
import { PickList, type PickRow } from '../shown/pickList';
import { askSessionTitle } from './sessionCommands';

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
