import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { runCoalesced } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { safeFileName } from '../../base/shown/safeText';
import { EngineError } from '../../engine';
import type { PageAction } from '../../protocol/pages';
import type { Command, Host } from '../host';
import { PagePanel } from '../pages/pagePanel';
import { DrawnGraph, graphView, nodeAtLine, problemsAt } from './drawnGraph';
import { agentOfGraph, chatWithGraph } from './graphLenses';

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

/** How long after the last keystroke the graph is redrawn. */
const QUIET_MS = 150;

/** A graph drawn next to its file, which it follows while open. */
class GraphPreviewPage implements Disposable {
  private readonly store = new DisposableStore();
  private readonly panel: PagePanel;
  private readonly graph: DrawnGraph;
  private readonly look: () => Promise<void>;
  private note: string | null = null;
  private current: string | null = null;
  private canRun = false;
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  /** `onClosed` is called when the user has closed the page and it is disposed. */
  constructor(
    private readonly host: Host,
    private readonly uri: vscode.Uri,
    onClosed: () => void,
  ) {
    const { extensionUri, log } = host;
    this.graph = this.store.add(new DrawnGraph(host));
    this.look = runCoalesced(() => this.lookOnce());
    this.panel = new PagePanel({
      type: 'cairn.graph',
      title: t('Graph: {0}', safeFileName(this.name)),
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

  /** Draws the file's current content. The last drawing stays while the file is not valid. */
  private async lookOnce(): Promise<void> {
    if (this.isDisposed) return;
    try {
      const { engine } = this.host;
      const text = (await vscode.workspace.openTextDocument(this.uri)).getText();
      const preview = await engine.content.preview(this.uri.fsPath, text);
      this.canRun = (await agentOfGraph(engine, this.uri)) !== undefined;
      if (preview) {
        if (!(await this.graph.draw(preview))) return;
        this.note = null;
        this.followCaret(this.editor());
      } else {
        this.note = this.graph.shown
          ? t('This is the last version that could be read. The file has errors now.')
          : t('The file cannot be drawn yet. Correct the problems below.');
      }
    } catch (error) {
      this.note = errorText(error);
    }
    await this.panel.refresh();
  }

  /** Returns whether the caret moved to another node. */
  private followCaret(editor: vscode.TextEditor | undefined): boolean {
    if (editor?.document.uri.toString() !== this.uri.toString()) return false;
    const before = this.current;
    this.current = nodeAtLine(this.graph.shown?.preview, editor.selection.active.line + 1) ?? null;
    return this.current !== before;
  }

  private editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.uri.toString());
  }

  private view() {
    const { current, note, canRun, graph } = this;
    const { shown, opened } = graph;
    const problems = problemsAt(this.uri, shown?.preview);
    const name = shown?.preview.name ?? this.name;
    return graphView(shown, { opened, problems, current, note, canRun, name, run: null });
  }

  private async act(action: PageAction): Promise<void> {
    if (action.kind === 'show-line') return this.goTo(action.line);
    if (action.kind === 'run-graph') return chatWithGraph(this.host.engine, this.uri);
    if (action.kind !== 'show-node') return this.graph.act(action, { name: this.name, beside: this.uri.fsPath });
    const node = this.graph.shown?.preview.nodes.find(({ id }) => id === action.node);
    if (node) await this.goTo(node.line);
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
}
