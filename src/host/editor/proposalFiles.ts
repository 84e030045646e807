import * as vscode from 'vscode';
import { t } from '../../base/l10n';

interface Proposal {
  bytes: Uint8Array;
  changedAt: number;
}

/** The content of a proposal's tab that the editor restored after a reload. */
const forgotten = (): Proposal => ({
  bytes: new TextEncoder().encode(
    `${t('This proposal was answered, or its run has ended. You can close this tab.')}\n`,
  ),
  changedAt: 0,
});

/** The right sides of proposed edits, kept in memory. They can be edited; saving only stores the text here and accepts nothing. */
export class ProposalFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly proposals = new Map<string, Proposal>();
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  put(uri: vscode.Uri, text: string): void {
    const known = this.proposals.has(uri.toString());
    if (known) return;
    this.proposals.set(uri.toString(), { bytes: new TextEncoder().encode(text), changedAt: Date.now() });
    this.changes.fire([{ type: vscode.FileChangeType.Created, uri }]);
  }

  remove(uri: vscode.Uri): void {
    if (this.proposals.delete(uri.toString())) this.changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  /** The text last saved. */
  text(uri: vscode.Uri): string {
    return new TextDecoder().decode(this.find(uri).bytes);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, changedAt } = this.find(uri);
    return { type: vscode.FileType.File, ctime: changedAt, mtime: changedAt, size: bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.find(uri).bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    // Writes to a forgotten proposal are discarded, so that its tab closes without a prompt.
    if (!this.proposals.has(uri.toString())) return;
    this.proposals.set(uri.toString(), { bytes, changedAt: Date.now() });
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.changes.dispose();
  }

  private find(uri: vscode.Uri): Proposal {
    return this.proposals.get(uri.toString()) ?? forgotten();
  }
}
