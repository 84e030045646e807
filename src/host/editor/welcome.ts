import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type FileSystem, INSTRUCTION_FILES, type PathStyle } from '../../engine';
import type { Welcome } from '../../protocol/chatState';

/** Returns what an empty session says about the open folders. `folder` is where agents work. */
export async function welcomeTo(folder: string, files: FileSystem, paths: PathStyle): Promise<Welcome> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return withoutFolder(folder);
  const names = folders.map(({ name }) => name);
  const workspaceName = (folders.length > 1 ? vscode.workspace.name : names[0]) ?? folder;
  const project = names.length > 1 ? [t('Folders: {0}', names.join(', '))] : [];
  if (!vscode.workspace.isTrusted) return untrusted(workspaceName, project);
  const [first = ''] = names;
  if (names.length > 1) project.push(t('MCP servers and script tools: only those of {0}', first));
  const found = await existing([...INSTRUCTION_FILES, '.git', 'package.json', 'README.md'], folder, files, paths);
  const starters = [
    found.has('README.md') ? t('What is this project, and how is it built?') : t('Give me an overview of this folder'),
    found.has('package.json') ? t('Run the tests and explain what fails') : t('Find something that could be simpler'),
    found.has('AGENTS.md') ? t('Find a bug and propose a fix') : t('Write an AGENTS.md for this folder'),
  ];
  const instructions = [...found].filter((one) => INSTRUCTION_FILES.includes(one));
  if (found.has('.git')) project.push(t('Git repository'));
  return { workspaceName, project, instructions, starters };
}

function withoutFolder(folder: string): Welcome {
  const home = homedir();
  const shown = folder.startsWith(home) ? `~${folder.slice(home.length)}` : folder;
  return {
    workspaceName: null,
    project: [t('Files that agents write go to {0}', shown)],
    instructions: [],
    starters: [t('What can you do?')],
    action: { label: t('Open folder'), command: 'openFolder' },
  };
}

function untrusted(workspaceName: string, project: readonly string[]): Welcome {
  return {
    workspaceName,
    project: [
      ...project,
      t(
        'Restricted Mode: Cairn can only read files. It ignores the instructions, agents, skills, commands, and MCP servers of this folder.',
      ),
    ],
    instructions: [],
    starters: [
      t('What is this project, and how is it built?'),
      t('Is there anything in this folder that I should not run?'),
    ],
    action: { label: t('Manage workspace trust'), command: 'manageTrust' },
  };
}

async function existing(
  names: readonly string[],
  folder: string,
  files: FileSystem,
  paths: PathStyle,
): Promise<Set<string>> {
  const checked = await Promise.all(
    names.map((name) =>
      files.stat(paths.resolve(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return new Set(checked.flat());
}
