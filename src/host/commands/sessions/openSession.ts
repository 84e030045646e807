import * as vscode from 'vscode';
import { safeLabel } from '../../../base/shown/safeLabel';
import type { SessionSummary } from '../../../protocol/hostApi';
import type { Host } from '../../host';
import type { Command } from '../command';
import { askSessionTitle } from './askSessionTitle';

const RENAME = { iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Rename session' };
const DELETE = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete session…' };

interface SessionItem extends vscode.QuickPickItem {
  session: SessionSummary;
}

/** What the person did with the list: the session, and the button pressed on it. */
interface Choice {
  session: SessionSummary;
  button: vscode.QuickInputButton | null;
  /** What was typed to find it. */
  query: string;
}

/** A list of the workspace's sessions, from which one is opened; before that any may be renamed or deleted. */
export function openSession({ chats, panels, sessions }: Host): Command {
  return {
    name: 'openSession',
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
  void vscode.window.showInformationMessage('This workspace has no sessions yet. Write a message to begin one.');
}

/** Begins where the person was before. Undefined when they left. */
function choose(known: readonly SessionSummary[], last: Choice | undefined): Promise<Choice | undefined> {
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = 'Open session';
  pick.placeholder = 'Type to search the sessions of this workspace';
  pick.matchOnDescription = true;
  pick.items = known.map(itemOf);
  if (last) {
    pick.value = last.query;
    pick.activeItems = pick.items.filter(({ session }) => session.sessionId === last.session.sessionId);
  }
  return new Promise((resolve) => {
    const done = (item: SessionItem | undefined, button: vscode.QuickInputButton | null) => {
      resolve(item && { session: item.session, button, query: pick.value });
      pick.hide();
    };
    pick.onDidAccept(() => done(pick.selectedItems[0], null));
    pick.onDidTriggerItemButton(({ item, button }) => done(item, button));
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function itemOf(session: SessionSummary): SessionItem {
  const { title, modifiedAt, running, waiting } = session;
  const icon = waiting ? '$(bell-dot) ' : running ? '$(loading~spin) ' : '';
  return {
    label: `${icon}${safeLabel(title)}`,
    description: `${waiting ? 'waiting for you · ' : ''}${new Date(modifiedAt).toLocaleString()}`,
    buttons: [RENAME, DELETE],
    session,
  };
}
