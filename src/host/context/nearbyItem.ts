import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import type { ContextItem } from '../../protocol/messageItem';
import { itemOfUri, selectionItem } from './contextItems';

/** A selection is reported once the user has stopped changing it. */
const SETTLED_MS = 150;

/** The file that the user is looking at, or its selection, while it is visible. */
export class NearbyItem implements Disposable {
  private readonly disposables = new DisposableStore();
  private editor: vscode.TextEditor | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private item: ContextItem | null = null;
  /** Counts lookups, because a file is looked up on disk. Only the latest lookup is reported. */
  private looks = 0;

  constructor(private readonly tell: (item: ContextItem | null) => void) {
    const soon = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.look(), SETTLED_MS);
    };
    this.disposables.add(vscode.window.onDidChangeActiveTextEditor(soon));
    this.disposables.add(vscode.window.onDidChangeVisibleTextEditors(soon));
    this.disposables.add(vscode.window.onDidChangeTextEditorSelection(soon));
    this.disposables.add(onDispose(() => clearTimeout(this.timer)));
    void this.look();
  }

  get current(): ContextItem | null {
    return this.item;
  }

  dispose(): void {
    this.looks++;
    this.disposables.dispose();
  }

  private async look(): Promise<void> {
    const mine = ++this.looks;
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    // No editor is active while the user is in a chat in an editor tab.
    const editor = activeTextEditor ?? visibleTextEditors.find((one) => one === this.editor);
    this.editor = editor;
    const item = editor ? await itemOf(editor) : null;
    if (mine !== this.looks || JSON.stringify(item) === JSON.stringify(this.item)) return;
    this.item = item;
    this.tell(item);
  }
}

/** Returns null for documents that are not the user's, such as a program's output. */
async function itemOf(editor: vscode.TextEditor): Promise<ContextItem | null> {
  const { uri } = editor.document;
  if (uri.scheme !== 'file' && uri.scheme !== 'untitled') return null;
  if (!editor.selection.isEmpty) return selectionItem(editor);
  // A file that was deleted in the meantime is not offered.
  return itemOfUri(uri).catch(() => null);
}
