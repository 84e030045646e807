import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../base/l10n';
import { safeLabel, safeLine } from '../../../base/shown/safeText';
import { notify, NotPossible } from '../../shown/notify';
import { placeCode } from './placeCode';

/** URI scheme of both sides of the diff shown before the change is applied. */
const SCHEME = 'cairn-code';

let shown = 0;

/**
 * Applies a code block from the chat to the file at `path`, creating it if necessary, or without `path` to the file of the editor
 * used last. The change is shown as a diff first, and nothing is written until the user accepts it. Throws if no file is open, or
 * if the file changes in the meantime or cannot be written.
 */
export async function applyCode(code: string, path: string | undefined, folder: string): Promise<void> {
  const uri = path === undefined ? usedEditor()?.document.uri : vscode.Uri.file(resolve(folder, path));
  if (!uri) throw new NotPossible(t('No file is open to apply this to. Open the file and try again.'));
  const document = await openIfThere(uri);
  const text = document?.getText() ?? '';
  const proposed = proposedText(text, code);
  if (!(await isTaken(uri, text, proposed))) return;
  const edit = new vscode.WorkspaceEdit();
  if (!document) edit.createFile(uri, { contents: new TextEncoder().encode(proposed) });
  else {
    if (document.getText() !== text)
      throw new Error(t('The file has changed in the meantime. Apply the code again to review it.'));
    edit.replace(uri, document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)), proposed);
  }
  const done = await vscode.workspace.applyEdit(edit);
  if (!done) throw new Error(t('{0} could not be changed. Is it read-only?', vscode.workspace.asRelativePath(uri)));
  await vscode.window.showTextDocument(uri, { preview: false });
}

async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open;
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  return isThere ? vscode.workspace.openTextDocument(uri) : undefined;
}

function proposedText(text: string, code: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const { start, end } = placeCode(lines.join('\n'), code);
  const block = code.replace(/\n$/, '').split('\n');
  const behind = end >= lines.length ? [''] : lines.slice(end);
  return [...lines.slice(0, start), ...block, ...behind].join(eol);
}

/** Shows the change and asks the user. The diff is closed whatever the answer. */
async function isTaken(uri: vscode.Uri, before: string, after: string): Promise<boolean> {
  const name = safeLine(vscode.workspace.asRelativePath(uri), 300, 'exact');
  const side = (text: string) => ({ uri: uri.with({ scheme: SCHEME, query: String(++shown) }), text });
  const [left, right] = [side(before), side(after)];
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => (query === left.uri.query ? left.text : right.text),
  });
  try {
    await vscode.commands.executeCommand(
      'vscode.diff',
      left.uri,
      right.uri,
      safeLabel(t('{0}: code from the chat', name), 300),
    );
    const apply = { title: t('Apply'), means: 'apply' } as const;
    const discard = { title: t('Discard'), means: 'discard' } as const;
    return (await notify('info', t('Apply this code to {0}?', name), apply, discard)) === 'apply';
  } finally {
    await closeDiff(right.uri);
    provider.dispose();
  }
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}

/** Inserts the text at the cursor, replacing the selection, and focuses the editor. Throws without an editor. */
export async function insertCode(text: string): Promise<void> {
  const editor = usedEditor();
  if (!editor)
    throw new NotPossible(
      t('No file is open to insert into. Open one, put the cursor where it belongs, and try again.'),
    );
  const done = await editor.edit((builder) => {
    for (const selection of editor.selections) builder.replace(selection, text.replace(/\n$/, ''));
  });
  if (!done)
    throw new Error(
      t('{0} could not be changed. Is it read-only?', vscode.workspace.asRelativePath(editor.document.uri)),
    );
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}

/** The editor used last. `activeTextEditor` is not set while a chat in an editor tab is active. */
function usedEditor(): vscode.TextEditor | undefined {
  const isFile = ({ document }: vscode.TextEditor) => ['file', 'untitled'].includes(document.uri.scheme);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return activeTextEditor && isFile(activeTextEditor) ? activeTextEditor : visibleTextEditors.find(isFile);
}
