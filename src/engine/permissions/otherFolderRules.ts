import type { FileSystem, PathStyle } from '../ports';
import type { PermissionRule } from './permissionRule';

/** The tools whose calls name files. */
const FILE_TOOLS = /^(?:fs_.+|category:(?:read|write))$/;

export interface OtherRules {
  /** From the repositories in the folders. */
  shared: readonly PermissionRule[];
  /** The user's own for the folders. */
  own: readonly PermissionRule[];
  problems: readonly string[];
}

interface FolderRules {
  file: { rules: readonly PermissionRule[] };
  own: readonly PermissionRule[];
  problems: readonly string[];
}

/** Returns the rules of all open folders other than the session's workspace, which is a real path, as rules of the workspace. */
export async function rulesOfOthers(
  folders: readonly string[],
  workspace: string,
  { files, paths }: { files: Pick<FileSystem, 'realPath'>; paths: PathStyle },
  read: (real: string) => Promise<FolderRules>,
): Promise<OtherRules> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const real = await files.realPath(folder);
      const { file, own, problems } = await read(real);
      const here = (rules: readonly PermissionRule[]) => otherFolderRules(rules, real, workspace, paths);
      return { shared: here(file.rules), own: here(own), problems };
    }),
  );
  return {
    shared: all.flatMap(({ shared }) => shared),
    own: all.flatMap(({ own }) => own),
    problems: all.flatMap(({ problems }) => problems),
  };
}

/**
 * Returns the rules of an open folder other than the first as rules of the session's workspace: what they say about paths holds in
 * their own folder only. A rule that allows something else than paths does not count, because commands run in the workspace.
 */
function otherFolderRules(
  rules: readonly PermissionRule[],
  folder: string,
  workspace: string,
  paths: PathStyle,
): PermissionRule[] {
  const prefix = paths.relative(workspace, folder);
  return rules.flatMap((rule): PermissionRule[] => {
    const { tool, argument, action } = rule;
    if (argument?.kind === 'path') {
      const { pattern } = argument;
      const isElsewhere = paths.isAbsolute(pattern) || /^(?:\.\.(?:\/|$)|~)/.test(pattern);
      if (isElsewhere) return action === 'allow' ? [] : [rule];
      return [{ ...rule, argument: { kind: 'path', pattern: `${prefix}/${pattern.replace(/^\.\//, '')}` } }];
    }
    if (action === 'allow') return [];
    if (argument || !FILE_TOOLS.test(tool)) return [rule];
    // The folder itself, and everything in it.
    return [prefix, `${prefix}/*`].map((pattern) => ({ ...rule, argument: { kind: 'path', pattern } }));
  });
}
