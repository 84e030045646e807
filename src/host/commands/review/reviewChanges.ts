import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { Command } from '../command';

/** Opens the diff of the edit that waits longest in the chat shown. */
export function reviewChanges({ approvals, currentChat }: Host): Command {
  return {
    name: 'reviewChanges',
    async run() {
      const chat = await currentChat();
      const edit = approvals.waitingIn(chat.session.id).find(({ change }) => change !== null);
      if (edit) await approvals.openDiff(edit.id);
      else void vscode.window.showInformationMessage('No proposed edit waits in this session.');
    },
  };
}
