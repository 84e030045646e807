import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type ExportFormat, exportSession as exported } from '../../engine';
import type { Command, Host } from '../host';

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
