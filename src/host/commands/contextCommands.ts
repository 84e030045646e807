import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { itemOfUri, problemsItem, selectionItem } from '../context/contextItems';
import { isFixTarget } from '../editor/fixActions';
import { mention, problemText, quote } from '../editor/mention';
import type { Command, Host } from '../host';
import { notify, NotPossible } from '../shown/notify';

/** Throws with a message for the user if no text editor is active. */
export function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new NotPossible(t('No text editor is active. Open a file first.'));
  return editor;
}

/** Attaches the file selected in the explorer, or that of the active editor, to the message being typed. */
export function addFile({ panels }: Host): Command {
  return {
    async run(argument) {
      const uri = argument instanceof vscode.Uri ? argument : activeEditor().document.uri;
      const item = await itemOfUri(uri);
      await panels.withPanel((controller) => controller.addItems([item]));
    },
  };
}

/** Attaches the selection to the message being typed. Its text is read when the message is sent. */
export function addSelection({ panels }: Host): Command {
  return {
    async run() {
      const item = selectionItem(activeEditor());
      await panels.withPanel((controller) => controller.addItems([item]));
    },
  };
}

/** Attaches the problems of the active file, or of all files if none is active, to the message being typed. */
export function addProblems({ panels }: Host): Command {
  return {
    async run() {
      const active = vscode.window.activeTextEditor?.document.uri;
      const found = active
        ? vscode.languages.getDiagnostics(active)
        : vscode.languages.getDiagnostics().flatMap(([, problems]) => problems);
      if (found.length > 0) await panels.withPanel((controller) => controller.addItems([problemsItem(active)]));
      else void notify('info', active ? t('This file has no problems.') : t('There are no problems.'));
    },
  };
}

/** Asks what the selection does, or the whole file if nothing is selected. */
export function explain(host: Host): Command {
  return {
    async run() {
      const { document, selection } = activeEditor();
      const what = selection.isEmpty ? mention(document.uri) : `\n\n${quote(document, selection)}`;
      await sendToChat(host, `Explain this: ${what}`);
    },
  };
}

/** Asks to fix the problems at the quick fix or in the selection. Without any, asks what is wrong there. */
export function fix(host: Host): Command {
  return {
    async run(argument) {
      await sendToChat(host, isFixTarget(argument) ? textAt(argument.uri, argument.range) : textOfSelection());
    },
  };
}

function textAt(uri: vscode.Uri, range: vscode.Range): string {
  const problems = vscode.languages.getDiagnostics(uri).filter((one) => one.range.intersection(range) !== undefined);
  return problems.length > 0
    ? `Fix this. ${problemText(uri, problems)}`
    : `Fix what is wrong at ${mention(uri, range)}`;
}

function textOfSelection(): string {
  const { document, selection } = activeEditor();
  const found = vscode.languages.getDiagnostics(document.uri);
  const meant = selection.isEmpty ? found : found.filter(({ range }) => range.intersection(selection) !== undefined);
  if (meant.length > 0) return `Fix this. ${problemText(document.uri, meant)}`;
  if (selection.isEmpty) return `Find what is wrong in ${mention(document.uri)} and fix it.`;
  return `Find what is wrong here and fix it:\n\n${quote(document, selection)}`;
}

/** Shows the panel used last and sends it the text, steering the active run if there is one. */
async function sendToChat({ panels, currentChat }: Host, text: string): Promise<void> {
  await panels.withPanel((controller) => controller.focusComposer());
  (await currentChat()).steer({ text });
}
