import { basename } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { EngineError } from '../../engine';
import type { Command, Host } from '../host';
import { GraphPreviewPage } from './graphPreviewPage';

const pages = new WeakMap<Host['chats'], Map<string, GraphPreviewPage>>();

/** Draws a graph next to its file: the given one, or the one in the active editor. */
export function previewGraph(host: Host): Command {
  return {
    async run(argument) {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      if (!uri || basename(uri.path) !== 'graph.yaml') {
        throw new EngineError('invalid-input', t('Only a file “graph.yaml” can be drawn. Open one first.'));
      }
      const open = pages.get(host.chats) ?? new Map<string, GraphPreviewPage>();
      pages.set(host.chats, open);
      const key = uri.toString();
      const page = open.get(key) ?? new GraphPreviewPage(host, uri, () => open.delete(key));
      open.set(key, page);
      await page.show();
    },
  };
}
