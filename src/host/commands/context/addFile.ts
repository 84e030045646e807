import * as vscode from 'vscode';
import { mention } from '../../editor/mention';
import type { Host } from '../../host';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';

/** The file of the explorer's entry or of the active editor into the composer. */
export function addFile({ panels }: Host): Command {
  return {
    name: 'addFile',
    async run(argument) {
      const uri = argument instanceof vscode.Uri ? argument : activeEditor().document.uri;
      await panels.withPanel((controller) => controller.insertText(`${mention(uri)} `));
    },
  };
}
