import * as vscode from 'vscode';
import { itemOfUri } from '../../context/contextItems';
import type { Host } from '../../host';
import type { Command } from '../command';
import { activeEditor } from './activeEditor';

/** Sends the file of the explorer's entry or of the active editor along with the message that is being typed. */
export function addFile({ panels }: Host): Command {
  return {
    async run(argument) {
      const uri = argument instanceof vscode.Uri ? argument : activeEditor().document.uri;
      const item = await itemOfUri(uri);
      await panels.withPanel((controller) => controller.addItems([item]));
    },
  };
}
