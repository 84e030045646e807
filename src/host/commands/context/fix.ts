import * as vscode from 'vscode';
import { mention, quote } from '../../editor/mention';
import { problemText } from '../../editor/problemText';
import type { Host } from '../../host';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';
import { isFixTarget } from './fixTarget';
import { sendToChat } from './sendToChat';

/** Asks for a fix of the problems at the quick fix or in the selection; without any, of what is wrong there. */
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
