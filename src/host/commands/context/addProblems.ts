import * as vscode from 'vscode';
import { problemText } from '../../editor/problemText';
import type { Host } from '../../host';
import type { Command } from '../command';

/** The problems of the active file into the composer; those of all files when no file is active. */
export function addProblems({ panels }: Host): Command {
  return {
    name: 'addProblems',
    async run() {
      const active = vscode.window.activeTextEditor?.document.uri;
      const all: [vscode.Uri, readonly vscode.Diagnostic[]][] = active
        ? [[active, vscode.languages.getDiagnostics(active)]]
        : vscode.languages.getDiagnostics();
      const texts = all.flatMap(([uri, problems]) => (problems.length > 0 ? [problemText(uri, problems)] : []));
      if (texts.length > 0) await panels.withPanel((controller) => controller.insertText(texts.join('\n')));
      else void vscode.window.showInformationMessage(active ? 'This file has no problems.' : 'There are no problems.');
    },
  };
}
