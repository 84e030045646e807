import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { Command } from '../command';

export function openSession({ chats, panels }: Host): Command {
  return {
    name: 'openSession',
    async run() {
      const sessions = await chats.list();
      if (sessions.length === 0) {
        void vscode.window.showInformationMessage('This workspace has no sessions yet. Write a message to begin one.');
        return;
      }
      const items = sessions.map(({ sessionId, title, modifiedAt, running }) => ({
        label: running ? `$(loading~spin) ${title}` : title,
        description: new Date(modifiedAt).toLocaleString(),
        sessionId,
      }));
      const picked = await vscode.window.showQuickPick(items, {
        title: 'Open session',
        placeHolder: 'Type to search the sessions of this workspace',
        matchOnDescription: true,
      });
      if (!picked) return;
      await panels.show(picked.sessionId);
    },
  };
}
