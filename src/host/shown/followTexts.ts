import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';

interface FollowedTexts {
  isMeant: (document: vscode.TextDocument) => boolean;
  /** Milliseconds after the last keystroke. */
  quietMs: number;
  look: (document: vscode.TextDocument) => void;
}

/** Calls `look` for each matching open document, and again once typing has paused. */
export function followTexts({ isMeant, quietMs, look }: FollowedTexts): Disposable {
  const store = new DisposableStore();
  const timers = new Map<string, NodeJS.Timeout>();
  store.add(onDispose(() => timers.forEach((timer) => clearTimeout(timer))));
  const later = (document: vscode.TextDocument) => {
    if (!isMeant(document)) return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    const run = () => {
      timers.delete(key);
      look(document);
    };
    timers.set(key, setTimeout(run, quietMs));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(later));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => later(document)));
  for (const document of vscode.workspace.textDocuments) later(document);
  return store;
}
