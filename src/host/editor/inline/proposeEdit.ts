import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort';
import { DisposableStore } from '../../../base/disposable';
import { t } from '../../../base/l10n';
import { newId } from '../../../base/newId';
import { type ApprovalRequest, type EditedProposal, EngineError, type FileChange, mergeLines } from '../../../engine';
import { nameOf, targetOf } from '../../context/contextItems';
import { EDIT_SELECTION } from '../../contributionPoints';
import type { Host } from '../../host';
import type { ReviewLedger } from '../../review/reviewLedger';
import { notify, telling, withCancel } from '../../shown/notify';
import { changeLines } from '../changeLines';
import { linesOf } from '../linesOf';
import { proposalUri } from '../proposal';
import { saveChanged } from '../saveChanged';
import type { EditedLines } from './editedLines';
import { linesAfter, withCode } from './editedText';

/** What the user wants edited, and by which model. */
export interface InlineEdit {
  editor: vscode.TextEditor;
  lines: EditedLines;
  wish: string;
  sessionId: string;
  /** The model's display name. */
  model: string;
}

/** How much of the text on each side of the edited lines is sent to the model. */
const MAX_AROUND = { lines: 150, characters: 8000 };

type Parts = Pick<Host, 'engine' | 'review' | 'approvals' | 'ledger'>;

/** An edit in progress. */
interface Proposed {
  request: ApprovalRequest;
  change: FileChange;
  right: vscode.Uri;
  before: readonly string[];
  /** Stops the writing. */
  stop: AbortController;
}

/**
 * Streams a model's edit of the lines into a diff and writes what the user accepts. Until then the file is unchanged, so there is
 * nothing to restore. Rejects with a message for the user if the model fails or the file cannot be written.
 */
export async function proposeEdit(parts: Parts, edit: InlineEdit): Promise<void> {
  const proposed = newProposal(edit);
  const { request, right, stop } = proposed;
  const { review, approvals } = parts;
  const gone = new AbortController();
  const closing = new DisposableStore();
  const answered = approvals.answered(request, gone.signal);
  answered.catch(() => undefined);
  review.setArriving(request, () => stop.abort());
  try {
    await review.open(request, { preserveFocus: false });
    closing.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length === 0 || diffTab(right)) return;
        stop.abort();
        gone.abort();
      }),
    );
    const isComplete = await arrive(parts, edit, proposed);
    review.setArriving(request);
    if (!isComplete) return;
    const answer = await answered;
    await parts.engine.audit.recordAnswer(request, answer.kind);
    if (answer.kind !== 'reject')
      await writeAccepted(parts.ledger, edit.sessionId, request.id, proposed.change, answer);
    await goBack(edit);
  } catch (error) {
    if (!isAbort(error)) throw error;
  } finally {
    review.setArriving(request);
    closing.dispose();
    const isLookedAt = diffTab(right)?.isActive === true;
    gone.abort();
    // Wait until the diff is closed.
    await answered.catch(() => undefined);
    if (isLookedAt) await goBack(edit);
  }
}

function newProposal({ editor: { document }, sessionId, model }: InlineEdit): Proposed {
  const before = document.getText();
  const target = targetOf(document.uri);
  const isInside = target !== document.uri.fsPath;
  const relativePath = isInside ? target : nameOf(target);
  const change = { path: document.uri.fsPath, relativePath, before, after: before };
  const id = newId('edit');
  const request: ApprovalRequest = {
    id,
    sessionId,
    callId: id,
    together: [],
    agent: model,
    tool: EDIT_SELECTION,
    category: 'write',
    title: t('Edit {0}', relativePath),
    reason: '',
    usual: true,
    change,
    diff: null,
    command: null,
    offers: [],
  };
  return { request, change, right: proposalUri(id, change), before: linesOf(before), stop: new AbortController() };
}

/** Streams the answer into the diff. Resolves to false if there is nothing to decide on. */
async function arrive({ engine }: Parts, edit: InlineEdit, proposed: Proposed): Promise<boolean> {
  const { before, right, stop, change } = proposed;
  const { editor, lines, model } = edit;
  const growing = new GrowingProposal(right, before, lines, stop.signal);
  const own = followLines(edit, () => stop.abort());
  reveal(right, lines.first);
  const title = t('Editing {0} with {1}', change.relativePath, model);
  try {
    const code = await withCancel(title, async (cancelled, tell) => {
      const signal = AbortSignal.any([cancelled, stop.signal]);
      return engine.editSelection(
        { ...questionOf(edit, before), sessionId: edit.sessionId, onNotice: telling(tell).onNotice },
        (linesSoFar) => {
          growing.follow(() => {
            const some = linesSoFar();
            tell(some.length === 1 ? t('1 line') : t('{0} lines', some.length));
            return some;
          });
        },
        signal,
      );
    });
    if (code === undefined || stop.signal.aborted) return false;
    if (same(code, before.slice(lines.first, lines.end))) {
      void notify('info', t('{0} left the selection as it is.', model));
      return false;
    }
    await growing.complete(code);
    reveal(right, lines.first);
    return true;
  } finally {
    stop.abort();
    own.dispose();
    // Otherwise text might be written to a diff that is already closed.
    await growing.ended();
    if (own.wereTouched) {
      const name = nameOf(editor.document.fileName);
      void notify(
        'info',
        t(
          'The lines of {0} were changed while they were being edited, so the edit was canceled. They are as you left them.',
          name,
        ),
      );
    }
  }
}

function questionOf({ editor: { document }, lines: { first, end }, wish }: InlineEdit, before: readonly string[]) {
  return {
    path: targetOf(document.uri),
    language: document.languageId,
    before: before
      .slice(Math.max(0, first - MAX_AROUND.lines), first)
      .join('\n')
      .slice(-MAX_AROUND.characters),
    part: before.slice(first, end).join('\n'),
    after: before
      .slice(end, end + MAX_AROUND.lines)
      .join('\n')
      .slice(0, MAX_AROUND.characters),
    wish,
  };
}

/** Calls `onTouched` once if the user changes the lines in the file. */
function followLines({ editor: { document }, lines }: InlineEdit, onTouched: () => void) {
  let place: EditedLines | undefined = lines;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || !place || event.contentChanges.length === 0) return;
    place = linesAfter(place, event.contentChanges);
    if (!place) onTouched();
  });
  return {
    get wereTouched() {
      return place === undefined;
    },
    dispose: () => void listening.dispose(),
  };
}

function diffTab(right: vscode.Uri): vscode.Tab | undefined {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString());
}

function reveal(right: vscode.Uri, line: number): void {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === right.toString());
  editor?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Returns to the file, which still has its selection. */
async function goBack({ editor: { document, viewColumn } }: InlineEdit): Promise<void> {
  if (document.isClosed) return;
  await vscode.window.showTextDocument(document, { ...(viewColumn && { viewColumn }) });
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/**
 * Writes the user's version of a proposal to the file, in one step that the editor's undo reverts. Saves the file unless it had
 * unsaved changes before. Rejects with EngineError `io` if the same lines have changed in the meantime, in which case nothing is
 * written.
 */
async function writeAccepted(
  ledger: ReviewLedger,
  sessionId: string,
  runId: string,
  { path, before }: FileChange,
  { contents, basedOn }: EditedProposal,
): Promise<void> {
  if (contents === undefined) return;
  const uri = vscode.Uri.file(path);
  const from = linesOf(basedOn ?? before ?? '');
  const wanted = linesOf(contents);
  const { signal } = new AbortController();
  await ledger.around({ sessionId, runId, paths: [path], reviewAfter: false, signal }, async () => {
    const old = await vscode.workspace.openTextDocument(uri);
    const wasDirty = old.isDirty;
    const kept = linesOf(old.getText());
    await changeLines(uri, (document) => {
      const { lines, overlaps } = mergeLines(from, wanted, linesOf(document.getText()));
      if (overlaps.length === 0) return lines;
      throw new EngineError(
        'io',
        t('{0} was changed while the edit was written into it. Nothing of the edit was.', path),
      );
    });
    const end = wasDirty ? 'saved' : await saveChanged(uri, kept);
    if (end === 'saved') return;
    if (end === 'read-only')
      throw new EngineError('io', t('{0} is read-only in the editor, so nothing was written.', nameOf(path)));
    throw new EngineError('io', t('The editor could not save {0}. The change is in the editor, unsaved.', path));
  });
}

/** The pause between two updates: at least `REST_MS`, and `REST_FACTOR` times as long as the last update took. */
const REST_MS = 50;
const REST_FACTOR = 3;

/** The right side of a diff, into which a model's answer is streamed. What the user types there is preserved. */
class GrowingProposal {
  private latest: (() => string[]) | undefined;
  private showing: Promise<void> | undefined;
  private shown: readonly string[];

  constructor(
    private readonly right: vscode.Uri,
    private readonly before: readonly string[],
    private readonly place: EditedLines,
    private readonly signal: AbortSignal,
  ) {
    this.shown = before;
  }

  /** Records the latest lines, which are shown soon. */
  follow(linesSoFar: () => string[]): void {
    this.latest = linesSoFar;
    this.showing ??= this.showLatest();
    // `ended` reports the error.
    this.showing.catch(() => undefined);
  }

  /** Resolves once nothing is being written any more. Rejects if a write failed. */
  async ended(): Promise<void> {
    this.latest = undefined;
    await this.showing;
  }

  /** Shows the complete answer. */
  async complete(code: readonly string[]): Promise<void> {
    await this.ended();
    await this.show(code, false);
  }

  private async showLatest(): Promise<void> {
    for (let next = this.latest; next && !this.signal.aborted; next = this.latest) {
      this.latest = undefined;
      const start = performance.now();
      await this.show(next(), true);
      const rest = Math.max(REST_MS, REST_FACTOR * (performance.now() - start));
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
    this.showing = undefined;
  }

  private async show(code: readonly string[], isOpen: boolean): Promise<void> {
    const next = withCode(this.before, this.place, code, isOpen);
    await changeLines(this.right, (document) => mergeLines(this.shown, linesOf(document.getText()), next).lines);
    this.shown = next;
  }
}
