import * as vscode from 'vscode';
import { exportSession } from '../../../engine';
import type { Host } from '../../host';
import type { Command } from '../command';

/** The session shown as a document, where the editor's find, fold and copy work. */
export function openTranscript({ currentChat }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const content = exportSession(session, 'markdown');
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
      await vscode.window.showTextDocument(document, { preview: false });
    },
  };
}
