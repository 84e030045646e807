import { isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { Handlers } from '../../../protocol/hostApi';
import { commandId } from '../../contributionPoints';
import type { ChatApiParts } from './chatApiParts';

export function editorHandlers({
  workspaceFolder,
  fromPanel,
}: Pick<ChatApiParts, 'workspaceFolder' | 'fromPanel'>): Handlers<
  'editor/open-file' | 'editor/open-link' | 'command/run'
> {
  return {
    'editor/open-file': async ({ path, line }) => {
      const uri = vscode.Uri.file(isAbsolute(path) ? path : resolve(workspaceFolder(), path));
      const place = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
      const selection = place && new vscode.Range(place, place);
      await vscode.window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
      return null;
    },
    'editor/open-link': async ({ url }) => {
      const uri = vscode.Uri.parse(url, true);
      // Links come from a model: only what a browser or a mail program opens, and the editor asks the person first.
      if (!['http', 'https', 'mailto'].includes(uri.scheme)) throw new Error(`Links to ${uri.scheme}: are not opened.`);
      await vscode.env.openExternal(uri);
      return null;
    },
    'command/run': async ({ command }) => {
      await fromPanel(() => vscode.commands.executeCommand(commandId(command)));
      return null;
    },
  };
}
