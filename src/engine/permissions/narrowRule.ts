import type { PermissionRule } from './permissionRule';

/** The next narrower rule that allows a command: with harmless options only, then just its words; undefined for all others. */
export function narrowRule(rule: PermissionRule): PermissionRule | undefined {
  const { argument, action } = rule;
  if (action !== 'allow' || argument?.kind !== 'command' || argument.rest === 'nothing') return undefined;
  const rest = argument.rest === 'harmless' ? ('nothing' as const) : ('harmless' as const);
  return { ...rule, argument: { ...argument, rest } };
}
