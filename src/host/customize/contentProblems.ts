import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { safeLine } from '../../base/shown/safeText';
import { CONTENT_KINDS, type ContentProblem, type Engine, type Log, type Remedy } from '../../engine';

/** How long after the last keystroke the text is checked. */
const QUIET_MS = 200;

/** A problem that can be fixed in place or elsewhere in the document. */
interface Curable {
  range: vscode.Range;
  /** The intended word. */
  instead?: string;
  remedies: readonly Remedy[];
}

/**
 * Reports problems in agents, skills, and roles in the Problems view: of files as they are on disk, and of open documents
 * including unsaved changes.
 */
export class ContentProblems implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly collection = this.disposables.add(vscode.languages.createDiagnosticCollection('cairn'));
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly found = new Map<string, Curable[]>();
  private refreshes = 0;

  constructor(
    private readonly engine: Engine,
    private readonly log: Log,
  ) {
    for (const kind of CONTENT_KINDS) this.disposables.add(engine[kind].onChanged(() => this.later('', this.refresh)));
    const add = (listening: Disposable) => this.disposables.add(listening);
    const look = (document: vscode.TextDocument) => this.later(document.uri.toString(), () => this.checkOpen(document));
    add(vscode.workspace.onDidOpenTextDocument(look));
    add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
    add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.found.delete(document.uri.toString())) this.later('', this.refresh);
      }),
    );
    this.later('', this.refresh);
  }

  /** The fixable problems of a document. */
  curable(uri: vscode.Uri): readonly Curable[] {
    return this.found.get(uri.toString()) ?? [];
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.disposables.dispose();
  }

  /** Debounces work by key: only the last requested work runs. */
  private later(key: string, work: () => Promise<void>): void {
    clearTimeout(this.timers.get(key));
    const run = () => {
      this.timers.delete(key);
      work().catch((error: unknown) => this.log.error('Agents, skills and roles could not be checked', error));
    };
    this.timers.set(key, setTimeout(run, QUIET_MS));
  }

  private readonly refresh = async (): Promise<void> => {
    const turn = ++this.refreshes;
    const read = (await Promise.all(CONTENT_KINDS.map((kind) => this.engine[kind].problems()))).flat();
    const graphs = await this.checkGraphs();
    if (turn !== this.refreshes) return;
    const open = vscode.workspace.textDocuments.filter((document) => this.placeOf(document) !== undefined);
    const openUris = new Set(open.map(({ uri }) => uri.toString()));
    const problems = [...read.filter(({ path }) => !graphs.has(path)), ...[...graphs.values()].flat()];
    const byFile = new Map<string, ContentProblem[]>();
    for (const problem of problems) {
      const uri = vscode.Uri.file(problem.path).toString();
      byFile.set(uri, [...(byFile.get(uri) ?? []), problem]);
    }
    this.collection.forEach((uri) => {
      if (!byFile.has(uri.toString()) && !openUris.has(uri.toString())) this.collection.delete(uri);
    });
    for (const [uri, ofFile] of byFile) {
      if (!openUris.has(uri))
        this.collection.set(
          vscode.Uri.parse(uri),
          ofFile.map((one) => diagnosticOf(one)),
        );
    }
    await Promise.all(open.map((document) => this.checkOpen(document)));
  };

  /** Graphs have more problems than reading them reveals: in what they reference and in how they would run. */
  private async checkGraphs(): Promise<ReadonlyMap<string, readonly ContentProblem[]>> {
    const own = (await this.engine.agents.all()).filter(({ source }) => source.scope !== 'builtin');
    const checked = own.map(async ({ source: { path }, graph }) => {
      const place = graph?.path === path ? this.engine.content.placeOf(path) : undefined;
      if (!graph || !place) return [];
      const { text } = await graph.load();
      return [[path, await this.engine.content.check(place, text)]] as const;
    });
    return new Map((await Promise.all(checked)).flat());
  }

  private async checkOpen(document: vscode.TextDocument): Promise<void> {
    const place = this.placeOf(document);
    if (!place) return;
    const { version, uri } = document;
    const problems = await this.engine.content.check(place, document.getText());
    if (document.isClosed || document.version !== version) return;
    const placed = problems.map((problem) => ({ problem, range: rangeIn(document, problem) }));
    this.collection.set(
      uri,
      placed.map(({ problem, range }) => diagnosticOf(problem, range)),
    );
    this.found.set(
      uri.toString(),
      placed.flatMap(({ problem: { meant, remedies = [] }, range }) =>
        meant || remedies.length > 0 ? [{ range, remedies, ...(meant && { instead: meant.instead }) }] : [],
      ),
    );
  }

  private placeOf({ uri, isClosed }: vscode.TextDocument) {
    return uri.scheme === 'file' && !isClosed ? this.engine.content.placeOf(uri.fsPath) : undefined;
  }
}

/** A note is shown in place but not listed in the Problems view. */
const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Hint,
};

/** By default the range is empty, for which the editor underlines the word at that position. */
function diagnosticOf(
  { line, column, message, severity }: ContentProblem,
  range = new vscode.Range(line - 1, column - 1, line - 1, column - 1),
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, safeLine(message, 1000), SEVERITIES[severity]);
  diagnostic.source = 'Cairn';
  return diagnostic;
}

function rangeIn(document: vscode.TextDocument, { line, column, meant }: ContentProblem): vscode.Range {
  const start = document.validatePosition(new vscode.Position(line - 1, column - 1));
  if (meant) {
    const index = document.getText().indexOf(meant.written, document.offsetAt(start));
    if (index >= 0)
      return new vscode.Range(document.positionAt(index), document.positionAt(index + meant.written.length));
  }
  const rest = document.lineAt(start).text.slice(start.character);
  const [word = ''] = /^[\w.-]+(?=\s*:)/.exec(rest) ?? [rest.trimEnd()];
  return new vscode.Range(start, start.translate(0, word.length));
}
