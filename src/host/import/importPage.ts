import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { reportMarkdown, type SourceReport } from '../../node/import/importReport';
import type { Host } from '../host';

const SCHEME = 'cairn-import';
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: '/Import report.md' });

interface Page {
  markdown: string;
  changes: vscode.EventEmitter<vscode.Uri>;
}

const pages = new WeakMap<Host['config'], Page>();

/** Shows what became of each thing, as a document that cannot be changed; the next import takes its place. */
export async function showReport(reports: readonly SourceReport[], config: Host['config']): Promise<void> {
  const page = pages.get(config) ?? register(config);
  page.markdown = [`# ${t('Import report')}`, ...reports.map(reportMarkdown)].join('\n\n');
  page.changes.fire(PAGE);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(PAGE), { preview: true });
}

function register(config: Host['config']): Page {
  const page: Page = { markdown: '', changes: new vscode.EventEmitter<vscode.Uri>() };
  pages.set(config, page);
  const provideTextDocumentContent = () => page.markdown;
  const provider = { onDidChange: page.changes.event, provideTextDocumentContent };
  config.disposables.add(page.changes);
  config.disposables.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
  return page;
}
