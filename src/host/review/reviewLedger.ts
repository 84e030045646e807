import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { KeyedMutex } from '../../base/async';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable';
import { t } from '../../base/l10n';
import { decodeText, type EditWatcher, EngineError, type FileSystem, type Log, type WatchedEdit } from '../../engine';
import { findByPath } from '../editor/findByPath';
import { linesOf } from '../editor/linesOf';
import type { FileContent } from './fileContent';
import { isWithin, MovingFiles } from './movingFiles';
import type { ReviewedFile } from './reviewedFile';
import type { ReviewTurn } from './reviewLayers';
import type { ReviewStore } from './reviewStore';

/** Delays notifications, so that redrawing does not slow down typing. */
const TELL_AFTER_MS = 60;
/** If notifying takes long, such as with very many turns, the next one waits this many times as long. */
const REST_FACTOR = 5;

/** The time by which the editor has started watching a file. */
const WATCHED_AFTER_MS = 2000;

export interface ReviewLedgerParts {
  /** The user's view of files. */
  files: FileSystem;
  /** Undefined if nothing can be stored, such as without a folder. */
  store: ReviewStore | undefined;
  /** A short title from the session's last message. */
  titleOf: (sessionId: string) => Promise<string>;
  log: Log;
}

/** The files that were changed without asking and that the user has not kept or undone yet. */
export class ReviewLedger implements EditWatcher, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly reviewed = new Map<string, ReviewedFile>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly moving = this.disposables.add(
    new MovingFiles((from) => {
      for (const path of this.reviewed.keys()) if (isWithin(path, from)) this.follow(path);
    }),
  );
  /** Files that the agent is currently writing. */
  private readonly busy = new Set<string>();
  private readonly turns = new KeyedMutex();
  private readonly ended = new AbortController();
  private restored = Promise.resolve();
  private saving = Promise.resolve();
  private readonly changes: Emitter<undefined>;
  private telling: NodeJS.Timeout | undefined;
  private tellAfter = TELL_AFTER_MS;

  constructor(private readonly parts: ReviewLedgerParts) {
    this.changes = this.disposables.add(
      new Emitter<undefined>((error) => parts.log.error('Changes to review could not be redrawn', error)),
    );
    this.disposables.add(vscode.workspace.onDidChangeTextDocument((change) => this.documentChanged(change)));
    this.disposables.add(
      vscode.workspace.onDidOpenTextDocument(({ uri }) => uri.scheme === 'file' && this.follow(uri.fsPath)),
    );
    this.disposables.add(
      vscode.workspace.onWillRenameFiles(({ files }) => {
        for (const { oldUri } of files) this.moving.begin(oldUri.fsPath);
      }),
    );
    this.disposables.add(
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.renamed(oldUri.fsPath, newUri.fsPath);
      }),
    );
  }

  /** Restores what was left when the window was closed. */
  restore(): Promise<void> {
    return (this.restored = this.takeUp());
  }

  /** Resolves once the remaining changes are on disk. */
  async flush(): Promise<void> {
    if (this.telling) this.save();
    await this.saving;
  }

  /** In the order in which they were first changed. */
  get files(): readonly ReviewedFile[] {
    return [...this.reviewed.values()].filter(({ settled }) => !settled);
  }

  /** The files with remaining changes of a turn. */
  ofTurn(runId: string): readonly ReviewedFile[] {
    return this.files.filter(({ parts }) => parts.some(({ turn }) => turn.runId === runId));
  }

  get(path: string): ReviewedFile | undefined {
    return this.reviewed.get(path);
  }

  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  async around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T> {
    // Normalized like the editor's paths, including the case of the drive letter.
    const paths = [...new Set(edit.paths.map((path) => vscode.Uri.file(path).fsPath))];
    await this.restored;
    return this.turns.take(paths, () => this.watched({ ...edit, paths }, change), edit.signal);
  }

  /** Marks changes of a file as reviewed; all of them without `keys`. */
  keep(path: string, keys?: readonly string[]): void {
    const file = this.reviewed.get(path);
    if (keys === undefined || !file?.hasParts) this.reviewed.delete(path);
    else file.keep(keys);
    this.changed();
  }

  /** Marks a turn's changes of a file as reviewed. Changes by other turns are still to be reviewed. */
  keepTurn(path: string, runId: string): void {
    this.reviewed.get(path)?.keepTurn(runId);
    this.changed();
  }

  /** Undoes changes of a file in one step that the editor's undo reverts; all of them without `keys`. */
  undo(path: string, keys?: readonly string[]): Promise<void> {
    return this.inTurn(path, (file) =>
      this.bringTo(file, () => (keys && file.hasParts ? file.undoHunks(keys) : file.baseline)),
    );
  }

  /** Undoes only what a turn changed in a file. Resolves to true if some of it remains because it was changed again later. */
  async undoTurn(path: string, runId: string): Promise<boolean> {
    let left = false;
    await this.inTurn(path, (file) =>
      this.bringTo(file, () => {
        const undone = file.undoTurn(runId);
        left = undone.left;
        return undone.content;
      }),
    );
    return left;
  }

  /** Picks up a file's current content, if it changed without an event. */
  async sync(path: string): Promise<void> {
    const file = this.reviewed.get(path);
    if (!file || this.busy.has(path)) return;
    const { text: before } = file;
    const onDisk = await this.readText(path);
    if (this.busy.has(path)) return;
    // The text read may be older than what the editor has reported since.
    if (file.text !== before) return this.sync(path);
    const text = seenText(path, onDisk);
    if (text === before || (text === null && this.moving.has(path))) return;
    file.personChanged(text);
    // Whoever deletes a file has decided about the changes in it.
    if (text === null) this.reviewed.delete(path);
    this.changed();
  }

  dispose(): void {
    clearTimeout(this.telling);
    this.ended.abort();
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.watchers.clear();
    this.disposables.dispose();
  }

  private async watched<T>(
    { paths, sessionId, runId, reviewAfter }: WatchedEdit,
    change: () => Promise<T>,
  ): Promise<T> {
    if (!reviewAfter) {
      try {
        return await change();
      } finally {
        for (const path of paths) await this.sync(path).catch((error: unknown) => this.notFollowed(path, error));
      }
    }
    // Loaded on the first change in a window, but before it is made, so that every change can be tracked.
    const { ReviewedFile } = await import('./reviewedFile');
    const turn: ReviewTurn = { sessionId, runId, title: await this.parts.titleOf(sessionId) };
    const before = new Map<string, Uint8Array | null>();
    for (const path of paths) {
      await this.sync(path);
      before.set(path, await this.readBytes(path));
    }
    for (const path of paths) this.busy.add(path);
    try {
      return await change();
    } finally {
      for (const path of paths) {
        // An unreadable file must not hide other files or the tool's result.
        await this.agentChanged(path, before.get(path) ?? null, turn, ReviewedFile.firstSeen).catch((error: unknown) =>
          this.notFollowed(path, error),
        );
      }
    }
  }

  private async takeUp(): Promise<void> {
    const kept = (await this.parts.store?.load()) ?? [];
    for (const file of kept) {
      this.reviewed.set(file.path, file);
      // An unreadable file is left as it was.
      await this.sync(file.path).catch((error: unknown) => this.notFollowed(file.path, error));
    }
    if (kept.length > 0) this.changed();
  }

  /** `from` is a file, or a folder with everything in it. */
  private renamed(from: string, to: string): void {
    this.moving.end(from);
    for (const [path, file] of [...this.reviewed]) {
      if (!isWithin(path, from)) continue;
      const moved = to + path.slice(from.length);
      this.reviewed.delete(path);
      this.reviewed.set(moved, file.movedTo(moved));
      this.changed();
    }
  }

  /** Runs `work` while no tool writes the file. Skips files with nothing left to review. */
  private inTurn(path: string, work: (file: ReviewedFile) => Promise<void>): Promise<void> {
    const now = async () => {
      await this.sync(path);
      const file = this.reviewed.get(path);
      if (file) await work(file);
    };
    return this.turns.take([path], now, this.ended.signal);
  }

  private async bringTo(file: ReviewedFile, wanted: () => FileContent): Promise<void> {
    const content = wanted();
    if (content.lines && file.text !== null) await this.bringToLines(file, wanted);
    else if (content.exists || file.text !== null) await this.replace(file, content);
    this.changed();
  }

  private async bringToLines(file: ReviewedFile, wanted: () => FileContent): Promise<void> {
    const uri = vscode.Uri.file(file.path);
    const wasDirty = (await vscode.workspace.openTextDocument(uri)).isDirty;
    const { changeLines } = await import('../editor/changeLines');
    await changeLines(uri, (document) => {
      file.personChanged(document.getText());
      return wanted().lines ?? linesOf(document.getText());
    });
    if (wasDirty || (await (await vscode.workspace.openTextDocument(uri)).save())) return;
    throw new EngineError('io', t('The editor could not save {0}. The change is in the editor, unsaved.', file.path));
  }

  /** Deletes or recreates the file. */
  private async replace(file: ReviewedFile, { bytes, text }: FileContent): Promise<void> {
    const uri = vscode.Uri.file(file.path);
    this.busy.add(file.path);
    try {
      if (bytes) await vscode.workspace.fs.writeFile(uri, bytes);
      else await removeFile(uri);
      file.personChanged(text);
      // For binary content, what is left cannot be determined.
      if (file.settled || (bytes && text === null)) this.reviewed.delete(file.path);
    } finally {
      this.busy.delete(file.path);
    }
  }

  private async agentChanged(
    path: string,
    before: Uint8Array | null,
    turn: ReviewTurn,
    firstSeen: (path: string, bytes: Uint8Array | null) => ReviewedFile,
  ): Promise<void> {
    try {
      const now = seenText(path, await this.readText(path));
      const file = this.reviewed.get(path) ?? firstSeen(path, before);
      file.agentChanged(before, now, turn);
      if (!file.settled) this.reviewed.set(path, file);
    } finally {
      this.busy.delete(path);
    }
    this.changed();
  }

  private documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { uri } = document;
    const file = uri.scheme === 'file' ? this.reviewed.get(uri.fsPath) : undefined;
    if (!file || contentChanges.length === 0 || this.busy.has(file.path)) return;
    file.personChanged(document.getText(), reason !== undefined);
    this.changed();
  }

  private changed(): void {
    this.followFiles();
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      const start = performance.now();
      this.tell();
      this.tellAfter = Math.max(TELL_AFTER_MS, REST_FACTOR * (performance.now() - start));
    }, this.tellAfter);
  }

  private save(): void {
    this.saving = this.parts.store?.save(this.files) ?? Promise.resolve();
  }

  private tell(): void {
    for (const file of this.reviewed.values()) {
      // An open file may differ again after the editor's undo or redo.
      if (file.settled && !openDocument(file.path) && !this.busy.has(file.path)) this.reviewed.delete(file.path);
    }
    this.followFiles();
    this.save();
    this.changes.emit(undefined);
  }

  /** Watches the disk, where changes by others to files that are not open become visible. */
  private followFiles(): void {
    for (const [path, watcher] of this.watchers) {
      if (this.reviewed.has(path)) continue;
      watcher.dispose();
      this.watchers.delete(path);
    }
    for (const path of this.reviewed.keys()) {
      if (!this.watchers.has(path)) this.watchers.set(path, this.watch(path));
    }
  }

  private follow(path: string): void {
    this.sync(path).catch((error: unknown) => this.notFollowed(path, error));
  }

  private notFollowed(path: string, error: unknown): void {
    this.parts.log.error(`${path} could not be followed`, error);
  }

  private watch(path: string): vscode.Disposable {
    const name = basename(path).replaceAll(/[[\]{}*?]/g, '[$&]');
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(dirname(path)), name),
    );
    const follow = () => this.follow(path);
    watcher.onDidChange(follow);
    watcher.onDidCreate(follow);
    watcher.onDidDelete(follow);
    // The editor does not report when it starts watching, so earlier changes are checked for once.
    const once = setTimeout(follow, WATCHED_AFTER_MS);
    return vscode.Disposable.from(watcher, { dispose: () => clearTimeout(once) });
  }

  private async readBytes(path: string): Promise<Uint8Array | null> {
    return this.parts.files.readFile(path).catch((error: unknown) => {
      if (EngineError.is(error, 'not-found')) return null;
      throw error;
    });
  }

  private async readText(path: string): Promise<string | null> {
    const bytes = await this.readBytes(path);
    return bytes && (decodeText(bytes)?.text ?? null);
  }
}

/** A file's text as the user currently sees it. */
function seenText(path: string, onDisk: string | null): string | null {
  const document = openDocument(path);
  if (document?.isDirty) return document.getText();
  // The disk may be ahead of the editor, which is about to load the change, and may differ only in line endings.
  return onDisk !== null && document && sameLines(onDisk, document.getText()) ? document.getText() : onDisk;
}

function openDocument(path: string): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  return findByPath(open, path);
}

function sameLines(a: string, b: string): boolean {
  return linesOf(a).join('\n') === linesOf(b).join('\n');
}

async function removeFile(uri: vscode.Uri): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, { ignoreIfNotExists: true });
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new EngineError('io', t('{0} could not be removed.', uri.fsPath));
}
