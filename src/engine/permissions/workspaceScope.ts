import type { PermissionRule, ToolCategory } from './permissionRule';

/** The user's open folders and their trust. Requested again for each call, because it may change during a run. */
export interface WorkspaceScope {
  /** If false, only reading tools work, and nothing that the workspace says about agents is used. */
  trusted: boolean;
  /**
   * If false, what the workspace says to agents, such as AGENTS.md, is not read, though tools work as the user decides. This is
   * the case on the command line in a folder that is not trusted. Default: same as `trusted`.
   */
  isHeard?: boolean;
  /** Absolute folders in addition to the session's own; paths in them count as inside the workspace. */
  folders: readonly string[];
  /** The session's folder only stands in for one, since none is open. */
  isStandIn?: boolean;
}

const NOT_TRUSTED: readonly PermissionRule[] = (['write', 'execute', 'network'] satisfies ToolCategory[]).map(
  (category) => ({
    tool: `category:${category}`,
    action: 'deny',
    because: 'The user has not trusted this workspace, so only reading works.',
    priority: Number.MAX_SAFE_INTEGER,
  }),
);

/** Returns rules that take precedence over all others. */
export function scopeRules({ trusted }: WorkspaceScope): readonly PermissionRule[] {
  return trusted ? [] : NOT_TRUSTED;
}
