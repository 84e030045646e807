import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { Command } from '../command';

export function renameSession({ currentChat, sessions }: Host): Command {
  return {
    name: 'renameSession',
    async run() {
      const { session } = await currentChat();
      const title = await vscode.window.showInputBox({
        title: 'Rename session',
        value: session.metadata.title,
        validateInput: (text) => (text.trim() === '' ? 'A session needs a name.' : undefined),
      });
      if (title !== undefined) await sessions.rename(session.id, title);
    },
  };
}
