import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import type { ContextItem } from '../../protocol/messageItem';
import { itemOfUri, selectionItem } from './contextItems';

/** A selection is told of once the person has stopped to draw it. */
const SETTLED_MS = 150;

/** The file that the person looks at, or what of it is selected, for as long as it is to be seen. */
export class NearbyItem implements Disposable {
  private readonly disposables = new DisposableStore();
  private editor: vscode.TextEditor | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private item: ContextItem | null = null;
  /** Counts the looks, since a file is looked up on the disk: only the latest is told. */
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
    // None is active while the person is in a chat that is an editor tab.
    const editor = activeTextEditor ?? visibleTextEditors.find((one) => one === this.editor);
    this.editor = editor;
    const item = editor ? await itemOf(editor) : null;
    if (mine !== this.looks || JSON.stringify(item) === JSON.stringify(this.item)) return;
    this.item = item;
    this.tell(item);
  }
}

/** Null for what is no document of the person, such as the output of a program. */
async function itemOf(editor: vscode.TextEditor): Promise<ContextItem | null> {
  const { uri } = editor.document;
  if (uri.scheme !== 'file' && uri.scheme !== 'untitled') return null;
  if (!editor.selection.isEmpty) return selectionItem(editor);
  // A file that was deleted meanwhile is nothing to offer.
  return itemOfUri(uri).catch(() => null);
}
