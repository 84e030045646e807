import type { PathStyle } from '../ports';
import type { PermissionRule } from './permissionRule';

/** The tools whose calls name files. */
const FILE_TOOLS = /^(?:fs_.+|category:(?:read|write))$/;

/**
 * Returns the rules of an open folder other than the first as rules of the session's workspace: what they say about paths holds in
 * their own folder only. A rule that allows something else than paths does not count, because commands run in the workspace.
 */
export function otherFolderRules(
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
