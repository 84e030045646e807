import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeLabel } from '../../base/shown/safeLabel';
import { type AgentSession, exportSession } from '../../engine';
import type { Command, Host } from '../host';

const SCHEME = 'cairn-transcript';

interface Pages {
  /** Text by address, as it was when it was asked for last. */
  texts: Map<string, string>;
  changes: vscode.EventEmitter<vscode.Uri>;
}

const pagesOf = new WeakMap<Host['config'], Pages>();

/** The session shown as a document that cannot be changed, where the editor's find, fold and copy work. */
export function openTranscript({ currentChat, config }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const pages = pagesOf.get(config) ?? register(config);
      const uri = uriOf(session);
      pages.texts.set(uri.toString(), exportSession(session, 'markdown'));
      pages.changes.fire(uri);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    },
  };
}

/** The tab is named by the path, so a title must be one name in it. */
function uriOf({ id, metadata }: AgentSession): vscode.Uri {
  const title = safeLabel(metadata.title, 60).replaceAll(/[\\/:]+/g, ' ');
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title.trim() || t('Transcript')}.md`, query: id });
}

function register(config: Host['config']): Pages {
  const pages: Pages = { texts: new Map(), changes: new vscode.EventEmitter<vscode.Uri>() };
  pagesOf.set(config, pages);
  const provider = {
    onDidChange: pages.changes.event,
    provideTextDocumentContent: (uri: vscode.Uri) => pages.texts.get(uri.toString()) ?? '',
  };
  const closed = ({ uri }: vscode.TextDocument) => pages.texts.delete(uri.toString());
  for (const item of [
    pages.changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidCloseTextDocument(closed),
  ])
    config.disposables.add(item);
  return pages;
}
