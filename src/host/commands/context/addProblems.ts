import * as vscode from 'vscode';
import { problemsItem } from '../../context/contextItems';
import type { Host } from '../../host';
import { notify } from '../../shown/notify';
import type { Command } from '../command';

/** Sends the problems of the active file along with the message that is being typed; those of all files without one. */
export function addProblems({ panels }: Host): Command {
  return {
    async run() {
      const active = vscode.window.activeTextEditor?.document.uri;
      const found = active
        ? vscode.languages.getDiagnostics(active)
        : vscode.languages.getDiagnostics().flatMap(([, problems]) => problems);
      if (found.length > 0) await panels.withPanel((controller) => controller.addItems([problemsItem(active)]));
      else void notify('info', active ? 'This file has no problems.' : 'There are no problems.');
    },
  };
}
