import type { PermissionQuery, Rulesets } from './permissionRule';
import type { ToolPolicy } from './toolPolicy';

/**
 * True when a rule allows a call of this kind and names the host: more than any rule that allows all hosts, which nobody
 * wrote with the machines of their own network in mind.
 */
export function namesHost(
  { tool, category, host }: PermissionQuery & { host: string },
  policy: ToolPolicy,
  rulesets: Rulesets,
): boolean {
  const { action, rule } = policy.decide({ tool, category, host, paths: [] }, rulesets);
  const argument = rule?.rule.argument;
  return action === 'allow' && argument?.kind === 'host' && /[^*?.]/.test(argument.pattern);
}
