import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { t } from '../../base/l10n';
import { KeyedMutex } from '../../base/mutex';
import { decodeText, type EditWatcher, EngineError, type FileSystem, type Log, type WatchedEdit } from '../../engine';
import { findByPath } from '../editor/findByPath';
import { linesOf } from '../editor/linesOf';
import type { FileContent } from './fileContent';
import { isWithin, MovingFiles } from './movingFiles';
import type { ReviewedFile } from './reviewedFile';
import type { ReviewTurn } from './reviewLayers';
import type { ReviewStore } from './reviewStore';

/** Changes are told this much later, so that typing is not slowed down by what is drawn of them. */
const TELL_AFTER_MS = 60;
/** Where telling takes long, as of very many turns, so many times as long passes until the next. */
const REST_FACTOR = 5;

/** By then the editor watches a file that it was asked to watch. */
const WATCHED_AFTER_MS = 2000;

export interface ReviewLedgerParts {
  /** As the person sees them. */
  files: FileSystem;
  /** Absent where nothing can be kept, as without a folder. */
  store: ReviewStore | undefined;
  /** A few words for what was asked last in a session. */
  titleOf: (sessionId: string) => Promise<string>;
  log: Log;
}

/** The files that were changed without asking and that the person has not kept or undone yet. */
export class ReviewLedger implements EditWatcher, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly reviewed = new Map<string, ReviewedFile>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly moving = this.disposables.add(
    new MovingFiles((from) => {
      for (const path of this.reviewed.keys()) if (isWithin(path, from)) this.follow(path);
    }),
  );
  /** Files that the agent is writing at the moment. */
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

  /** Takes up what was left when the window was closed. */
  restore(): Promise<void> {
    return (this.restored = this.takeUp());
  }

  /** Resolves when what is left is on disk. */
  async flush(): Promise<void> {
    if (this.telling) this.save();
    await this.saving;
  }

  /** In the order in which they were changed first. */
  get files(): readonly ReviewedFile[] {
    return [...this.reviewed.values()].filter(({ settled }) => !settled);
  }

  /** Those in which something of a turn is left. */
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
    // As the editor writes them, also where the letter of a drive may be large or small.
    const paths = [...new Set(edit.paths.map((path) => vscode.Uri.file(path).fsPath))];
    await this.restored;
    return this.turns.take(paths, () => this.watched({ ...edit, paths }, change), edit.signal);
  }

  /** Counts changes of a file as reviewed; all of them without keys. */
  keep(path: string, keys?: readonly string[]): void {
    const file = this.reviewed.get(path);
    if (keys === undefined || !file?.hasParts) this.reviewed.delete(path);
    else file.keep(keys);
    this.changed();
  }

  /** Counts what a turn changed in a file as reviewed; what other turns changed there stays to be reviewed. */
  keepTurn(path: string, runId: string): void {
    this.reviewed.get(path)?.keepTurn(runId);
    this.changed();
  }

  /** Undoes changes of a file, in one step that the editor's undo takes back; all of them without keys. */
  undo(path: string, keys?: readonly string[]): Promise<void> {
    return this.inTurn(path, (file) =>
      this.bringTo(file, () => (keys && file.hasParts ? file.undoHunks(keys) : file.baseline)),
    );
  }

  /**
   * Undoes what a turn changed in a file, and nothing else. Resolves with true when some of it stays, because it was changed
   * again later.
   */
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

  /** Takes note of what a file is now, when nobody said that it changed. */
  async sync(path: string): Promise<void> {
    const file = this.reviewed.get(path);
    if (!file || this.busy.has(path)) return;
    const { text: before } = file;
    const onDisk = await this.readText(path);
    if (this.busy.has(path)) return;
    // What was read may be older than what the editor told meanwhile.
    if (file.text !== before) return this.sync(path);
    const text = seenText(path, onDisk);
    if (text === before || (text === null && this.moving.has(path))) return;
    file.personChanged(text);
    // Who removes a file has decided about what was changed in it.
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
    // Loaded with the first change of a window, and before it, so that none is made that cannot be followed.
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
        // One that cannot be read hides no other, and nothing of what the tool did.
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
      // One that cannot be read is left as it was.
      await this.sync(file.path).catch((error: unknown) => this.notFollowed(file.path, error));
    }
    if (kept.length > 0) this.changed();
  }

  /** A file, or a folder with all that is in it. */
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

  /** While no tool writes it. Nothing is done with a file of which nothing is left. */
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

  /** Removes the file or brings it back. */
  private async replace(file: ReviewedFile, { bytes, text }: FileContent): Promise<void> {
    const uri = vscode.Uri.file(file.path);
    this.busy.add(file.path);
    try {
      if (bytes) await vscode.workspace.fs.writeFile(uri, bytes);
      else await removeFile(uri);
      file.personChanged(text);
      // Of bytes that are no text it is not known what is left.
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
      // One that is open may become different again by the editor's undo and redo.
      if (file.settled && !openDocument(file.path) && !this.busy.has(file.path)) this.reviewed.delete(file.path);
    }
    this.followFiles();
    this.save();
    this.changes.emit(undefined);
  }

  /** Changes by others of files that are not open are seen on disk. */
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
    // The editor does not say when it begins to watch; what happened before that is looked for once.
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

/** A file as the person sees it at this moment. */
function seenText(path: string, onDisk: string | null): string | null {
  const document = openDocument(path);
  if (document?.isDirty) return document.getText();
  // What is on disk may be ahead of the editor, which is about to take it over, and differ only in its line endings.
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
