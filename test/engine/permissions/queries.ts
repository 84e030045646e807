import type { JudgedPath, PermissionRule, ResolvedQuery } from '../../../src/engine/permissions/permissionRule';
import { judgeCommand } from '../../../src/engine/permissions/shell/judgeCommand';
import type { ShellKind } from '../../../src/engine/permissions/shell/shellParts';

/** An edit of a file in the workspace. */
export const edit = (relative: string): ResolvedQuery => ({
  tool: 'fs_edit',
  category: 'write',
  paths: [pathOf(relative)],
});

/** A shell line in the workspace `/w`, without symbolic links. */
export function command(line: string, shell: ShellKind = 'posix'): ResolvedQuery {
  const parts = judgeCommand(line, shell).map((part) => ({
    ...part,
    files: part.files.map((file) => ({ ...file, paths: file.paths?.map(pathOf) ?? null })),
  }));
  return { tool: 'execute_command', category: 'execute', command: { line, parts }, paths: [] };
}

/** A rule for commands that begin with these words. */
export const commandRule = (words: string, action: PermissionRule['action'] = 'allow'): PermissionRule => ({
  tool: 'execute_command',
  argument: { kind: 'command', words: words.split(' ') },
  action,
});

function pathOf(written: string): JudgedPath {
  const inside: string[] = [];
  let outside = written.startsWith('/');
  for (const part of written.split('/').filter((one) => one !== '' && one !== '.')) {
    if (part !== '..') inside.push(part);
    else if (inside.pop() === undefined) outside = true;
  }
  const relative = inside.join('/');
  return { path: outside ? written : `/w/${relative}`, relative: outside ? `../${relative}` : relative, outside };
}
