import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type FileSystem, INSTRUCTION_FILES, type PathStyle, type WorkspaceScope, type McpPlace } from '../../engine';
import type { Welcome } from '../../protocol/chatState';

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
    const others = vscode.workspace.workspaceFolders?.slice(1) ?? [];
    const folders = others.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
    return { trusted: vscode.workspace.isTrusted, folders };
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

  async welcome(): Promise<Welcome> {
    const name = vscode.workspace.workspaceFolders?.[0]?.name ?? null;
    if (name === null) {
      return { workspaceName: null, found: [], starters: [t('What can you do?')] };
    }
    if (!vscode.workspace.isTrusted) {
      const starters = [
        t('What is this project, and how is it built?'),
        t('Is there anything in this folder that I should not run?'),
      ];
      return { workspaceName: name, found: [t('Restricted Mode: Cairn can only read files')], starters };
    }
    const found = await this.existing([...INSTRUCTION_FILES, '.git', 'package.json', 'README.md']);
    const starters = [
      found.has('README.md')
        ? t('What is this project, and how is it built?')
        : t('Give me an overview of this folder'),
      found.has('package.json') ? t('Run the tests and explain what fails') : t('Find something that could be simpler'),
      found.has('AGENTS.md') ? t('Find a bug and propose a fix') : t('Write an AGENTS.md for this folder'),
    ];
    const shown = [...found].filter((one) => INSTRUCTION_FILES.includes(one));
    return { workspaceName: name, found: found.has('.git') ? [...shown, t('Git repository')] : shown, starters };
  }

  private async existing(names: readonly string[]): Promise<Set<string>> {
    const checked = await Promise.all(
      names.map((name) =>
        this.files.stat(this.paths.resolve(this.folder, name)).then(
          () => [name],
          () => [],
        ),
      ),
    );
    return new Set(checked.flat());
  }
}
