import { matchesTool } from './matchesRule';
import type { PermissionRule, ToolCategory } from './permissionRule';
import { winningRule } from './toolPolicy';

/** True when no call of a tool could be allowed, whatever its arguments. `scopes` in the order in which they are asked. */
export function deniedOutright(
  tool: { name: string; category: ToolCategory },
  scopes: readonly (readonly PermissionRule[])[],
): boolean {
  for (const rules of scopes) {
    const about = rules.filter((rule) => matchesTool(rule, { tool: tool.name, category: tool.category }));
    if (about.some(({ argument, action }) => argument && action !== 'deny')) return false;
    const winner = winningRule(about.filter(({ argument }) => !argument));
    if (winner) return winner.action === 'deny';
  }
  return false;
}
