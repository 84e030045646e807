import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { runCoalesced } from '../../base/runCoalesced';
import { sameJson } from '../../base/sameJson';
import { safeFileName } from '../../base/shown/safeLabel';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';
import { PagePanel } from '../pages/pagePanel';
import { agentOfGraph, chatWithGraph } from './agentOfGraph';
import { shapeOf } from './graphLabels';
import { graphMermaid } from './graphMermaid';
import { nodeAtLine, previewView, problemsAt, type ShownPreview } from './graphView';
import { LayoutThread } from './layout/layoutThread';
import { saveGraph } from './saveGraph';

/** So long after the last key the graph is drawn anew. */
const QUIET_MS = 150;

/** A graph drawn beside its file, which it follows while it is open. */
export class GraphPreviewPage implements Disposable {
  private readonly store = new DisposableStore();
  private readonly panel: PagePanel;
  private readonly thread: LayoutThread;
  private readonly look: () => Promise<void>;
  private shown: ShownPreview | undefined;
  private opened: readonly string[] = [];
  private note: string | null = null;
  private current: string | null = null;
  private canRun = false;
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  /** `onClosed`: the person closed it, and it is disposed. */
  constructor(
    private readonly host: Host,
    private readonly uri: vscode.Uri,
    onClosed: () => void,
  ) {
    const { extensionUri, log } = host;
    this.thread = this.store.add(new LayoutThread(join(extensionUri.fsPath, 'dist', 'graphLayout.js')));
    this.look = runCoalesced(() => this.lookOnce());
    this.panel = new PagePanel({
      type: 'cairn.graph',
      title: `Graph: ${safeFileName(this.name)}`,
      extensionUri,
      log,
      isBeside: true,
      view: () => Promise.resolve(this.view()),
      act: (action) => this.act(action),
      onClosed: () => {
        this.dispose();
        onClosed();
      },
    });
    this.listen();
  }

  async show(): Promise<void> {
    this.followCaret(vscode.window.activeTextEditor);
    await Promise.all([this.look(), this.panel.show()]);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private get name(): string {
    return basename(dirname(this.uri.path));
  }

  private listen(): void {
    const { workspace, window, languages } = vscode;
    const isOurs = (uri: vscode.Uri) => uri.toString() === this.uri.toString();
    const add = (listening: Disposable) => this.store.add(listening);
    add(workspace.onDidChangeTextDocument(({ document }) => isOurs(document.uri) && this.later()));
    add(languages.onDidChangeDiagnostics(({ uris }) => uris.some((uri) => isOurs(uri)) && this.refresh()));
    add(this.host.engine.agents.onChanged(() => this.later()));
    add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (isOurs(textEditor.document.uri) && this.followCaret(textEditor)) this.refresh();
      }),
    );
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.look().catch((error: unknown) => this.host.log.error('A graph could not be drawn', error));
    }, QUIET_MS);
  }

  private refresh(): void {
    this.panel.refresh().catch((error: unknown) => this.host.log.error('A graph could not be shown', error));
  }

  /** Draws what the file says now; while it says nothing the last drawing stays. */
  private async lookOnce(): Promise<void> {
    if (this.isDisposed) return;
    try {
      const { engine } = this.host;
      const text = (await vscode.workspace.openTextDocument(this.uri)).getText();
      const preview = await engine.content.preview(this.uri.fsPath, text);
      this.canRun = (await agentOfGraph(engine, this.uri)) !== undefined;
      if (preview) await this.draw(preview);
      else {
        this.note = this.shown
          ? 'This is the last version that could be read. The file has errors now.'
          : 'The file cannot be drawn yet. Correct the problems below.';
      }
    } catch (error) {
      this.note = errorText(error);
    }
    await this.panel.refresh();
  }

  private async draw(preview: ShownPreview['preview']): Promise<void> {
    const { shown } = this;
    const shape = shapeOf(preview);
    const isSame = shown && sameJson(shapeOf(shown.preview), shape);
    const drawing = isSame ? shown.drawing : await this.thread.layout({ shape, opened: this.opened });
    if (!drawing) return;
    this.shown = { preview, drawing };
    this.note = null;
    this.followCaret(this.editor());
  }

  /** Whether the caret is in another node than before. */
  private followCaret(editor: vscode.TextEditor | undefined): boolean {
    if (editor?.document.uri.toString() !== this.uri.toString()) return false;
    const before = this.current;
    this.current = nodeAtLine(this.shown?.preview, editor.selection.active.line + 1) ?? null;
    return this.current !== before;
  }

  private editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.uri.toString());
  }

  private view() {
    const { opened, current, note, canRun, shown } = this;
    const problems = problemsAt(this.uri, shown?.preview);
    const name = shown?.preview.name ?? this.name;
    return previewView(shown, { opened, problems, current, note, canRun, name });
  }

  private async act(action: PageAction): Promise<void> {
    const { shown } = this;
    switch (action.kind) {
      case 'show-node': {
        const node = shown?.preview.nodes.find(({ id }) => id === action.node);
        if (node) await this.goTo(node.line);
        return;
      }
      case 'show-line':
        return this.goTo(action.line);
      case 'toggle-group':
        return this.toggleGroup(action.group);
      case 'run-graph':
        return chatWithGraph(this.host.engine, this.uri);
      case 'export-graph': {
        if (!shown) return;
        const { format } = action;
        const data = format === 'mermaid' ? graphMermaid(shapeOf(shown.preview), shown.preview.nodes) : action.data;
        return saveGraph({ format, data, name: this.name, beside: this.uri.fsPath });
      }
      default:
        return;
    }
  }

  private async goTo(line: number): Promise<void> {
    const viewColumn = this.editor()?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(this.uri, { viewColumn, preview: false });
    const at = editor.document.validatePosition(new vscode.Position(line - 1, 0));
    const start = editor.document.lineAt(at).firstNonWhitespaceCharacterIndex;
    const caret = at.with({ character: start });
    editor.selection = new vscode.Selection(caret, caret);
    editor.revealRange(new vscode.Range(caret, caret), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async toggleGroup(group: string): Promise<void> {
    const isOpen = this.opened.includes(group);
    this.opened = isOpen ? this.opened.filter((one) => one !== group) : [...this.opened, group];
    const { shown } = this;
    if (!shown) return;
    const drawing = await this.thread.layout({ shape: shapeOf(shown.preview), opened: this.opened });
    if (drawing && this.shown === shown) this.shown = { preview: shown.preview, drawing };
  }
}
