import type { PermissionRule, ToolCategory } from './permissionRule';

/** What the person has opened. Asked anew for each call, because it may change during a run. */
export interface WorkspaceScope {
  /** False: only reading tools work, and nothing that the workspace says about agents is used. */
  trusted: boolean;
  /**
   * False: what the workspace says to agents, such as AGENTS.md, is not read, though tools work as the person says. So it is
   * on a command line in a folder that nobody trusted. Default: as `trusted`.
   */
  isHeard?: boolean;
  /** Absolute folders beside the session's own; paths in them count as inside the workspace. */
  folders: readonly string[];
}

const NOT_TRUSTED: readonly PermissionRule[] = (['write', 'execute', 'network'] satisfies ToolCategory[]).map(
  (category) => ({
    tool: `category:${category}`,
    action: 'deny',
    because: 'The person has not trusted this workspace, so only reading works.',
    priority: Number.MAX_SAFE_INTEGER,
  }),
);

/** Rules that come before all others. */
export function scopeRules({ trusted }: WorkspaceScope): readonly PermissionRule[] {
  return trusted ? [] : NOT_TRUSTED;
}
