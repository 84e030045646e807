import * as z from '../../base/zod';
import type { PermissionRule, ToolCategory } from './permissionRule';

export const approvalModeSchema = z.enum(['everything', 'edits-and-commands', 'review-after', 'commands', 'nothing']);
/** Determines which calls require approval beforehand. */
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** To-dos and questions touch nothing, so no mode asks about them. */
const HARMLESS: readonly PermissionRule[] = [
  { tool: 'category:agent', action: 'allow' },
  { tool: 'category:user', action: 'allow' },
];

const BY_MODE: Record<ApprovalMode, readonly PermissionRule[]> = {
  everything: [{ tool: '*', action: 'ask', because: 'The approval mode is “Ask every time”.' }],
  'edits-and-commands': asking('Ask before edits and commands', ['write', 'execute', 'network']),
  'review-after': asking('Auto-edit, review later', ['execute', 'network']),
  commands: asking('Auto-edit, ask before commands', ['execute', 'network']),
  nothing: [{ tool: '*', action: 'allow' }],
};

function asking(mode: string, categories: readonly ToolCategory[]): PermissionRule[] {
  const ask = (category: ToolCategory): PermissionRule => ({
    tool: `category:${category}`,
    action: 'ask',
    because: `The approval mode is “${mode}”.`,
  });
  const allow: PermissionRule[] = [
    { tool: 'category:read', action: 'allow' },
    { tool: 'category:write', action: 'allow' },
  ];
  return [...allow, ...categories.map(ask)];
}

/** Returns the global rules of an approval mode; every other scope takes precedence over them. */
export function defaultRuleset(mode: ApprovalMode): readonly PermissionRule[] {
  return [...BY_MODE[mode], ...HARMLESS];
}
