import * as vscode from 'vscode';
import { errorText } from '../../base/errors';
import {
  decodeText,
  EngineError,
  type FileSystem,
  type McpPlace,
  type PathStyle,
  type WorkspaceScope,
} from '../../engine';
import type { Welcome } from '../../protocol/chatState';
import { findByPath } from './findByPath';
import { linesOf } from './linesOf';

/** Information about the open folder. */
export class WorkspaceInfo {
  constructor(
    private readonly files: FileSystem,
    private readonly paths: PathStyle,
    /** The absolute folder to use while no folder is open. */
    private readonly noFolder: string,
  ) {}

  /** The absolute folder that an agent's paths resolve against. */
  get folder(): string {
    return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? this.noFolder;
  }

  /** The editor's trust, and the folders other than the first. */
  scope(): WorkspaceScope {
    const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
    const folders = others.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
    return { trusted: vscode.workspace.isTrusted, folders, isStandIn: first === undefined };
  }

  get isTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** Where to look for files that define MCP servers. */
  place(): McpPlace {
    return { workspace: this.folder, isHeard: vscode.workspace.isTrusted };
  }

  /** The folders whose agents, roles, and skills are used: the open ones, once trusted. */
  contentFolders(): string[] {
    if (!vscode.workspace.isTrusted) return [];
    return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
  }

  /** Loads its part of the bundle first: the panel asks for it once per session, and agents never do. */
  async welcome(): Promise<Welcome> {
    const { welcomeTo } = await import('./welcome');
    return welcomeTo(this.folder, this.files, this.paths);
  }
}

/**
 * The file system from the user's view: the text of an open editor, saved or not, is what counts, and changes to an open file go
 * through the editor, so that undo works. Everything else is delegated to `below`. `hasTrash`: whether the editor can move files
 * to this machine's trash.
 */
export function workspaceFiles(below: FileSystem, hasTrash: boolean, platform = process.platform): FileSystem {
  return {
    ...(hasTrash && { trash: moveToTrash }),
    ...optionalOf(below),
    stat: (path) => below.stat(path),
    find: (path) => below.find(path),
    readDirectory: (path) => below.readDirectory(path),
    makeDirectory: (path) => below.makeDirectory(path),
    lock: (path) => below.lock(path),
    inTurn: (paths, work, signal) => below.inTurn(paths, work, signal),
    isLocked: (path) => below.isLocked(path),
    exclusively: (path, work) => below.exclusively(path, work),
    realPath: (path) => below.realPath(path),
    remove: (path) => below.remove(path),
    appendFile: (path, text) => below.appendFile(path, text),
    appendLine: (path, line) => below.appendLine(path, line),
    async readFile(path) {
      refuseUnsavedNotebook(path, platform);
      const document = openDocument(path, platform);
      return document?.isDirty ? new TextEncoder().encode(document.getText()) : below.readFile(path);
    },
    async writeFile(path, bytes, real) {
      refuseUnsavedNotebook(path, platform);
      const document = openDocument(path, platform);
      // The editor keeps the encoding in which it read the file, whatever the encoding of these bytes.
      const text = document && decodeText(bytes)?.text;
      if (!document || text === undefined || isMisread(document) || (await wouldStayAsItIs(document, text, below)))
        await below.writeFile(path, bytes, real);
      else await (await import('./writeThroughEditor')).writeThroughEditor(document.uri, text, { real, below });
    },
  };
}

function optionalOf({ digest, watch }: FileSystem): Pick<FileSystem, 'digest' | 'watch'> {
  return { ...(digest && { digest }), ...(watch && { watch }) };
}

/** Never deletes permanently if moving to the trash fails: that is not what the user allowed. */
async function moveToTrash(path: string): Promise<void> {
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(path), { recursive: true, useTrash: true });
  } catch (error) {
    const message = `${path} could not be moved to the trash, so it is left where it is: ${errorText(error)} Remove it in the explorer.`;
    throw new EngineError('io', message, { cause: error });
  }
}

function openDocument(path: string, platform: NodeJS.Platform): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  return findByPath(open, path, platform);
}

/** A notebook's cells are not text documents of the file, so unsaved changes in them can neither be read nor preserved. */
function refuseUnsavedNotebook(path: string, platform: NodeJS.Platform): void {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ uri, isDirty }) => uri.scheme === 'file' && isDirty);
  if (!findByPath(notebooks, path, platform)) return;
  const message = `${path} is open as a notebook with changes that are not saved. Ask the user to save it, then try again.`;
  throw new EngineError('io', message);
}

/**
 * Whether the editor already has this text while the disk does not: the editor does not save unchanged documents. It keeps
 * documents for minutes after their tabs are closed and notices only with a delay that a file was deleted or replaced.
 */
async function wouldStayAsItIs(document: vscode.TextDocument, text: string, below: FileSystem): Promise<boolean> {
  if (document.isDirty || !hasSameLines(document.getText(), text)) return false;
  // If the file cannot be read, writing it will fail too and report the reason.
  const onDisk = await below.readFile(document.uri.fsPath).catch(() => undefined);
  const kept = onDisk && decodeText(onDisk)?.text;
  return kept === undefined || !hasSameLines(kept, text);
}

/** Whether the editor read the file in an encoding that it is not in: saving it would lose what it could not read. */
function isMisread(document: vscode.TextDocument): boolean {
  return !document.isDirty && document.getText().includes('\uFFFD');
}

function hasSameLines(one: string, other: string): boolean {
  return linesOf(one).join('\n') === linesOf(other).join('\n');
}
