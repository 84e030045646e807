import * as z from 'zod';
import type { PermissionRule } from './permissionRule';

export const approvalModeSchema = z.enum(['everything', 'edits-and-commands', 'commands', 'nothing']);
/** What is asked before it is done. */
export type ApprovalMode = z.infer<typeof approvalModeSchema>;

/** To-dos and questions touch nothing, so no mode asks for them. */
const HARMLESS: readonly PermissionRule[] = [
  { tool: 'category:agent', action: 'allow' },
  { tool: 'category:user', action: 'allow' },
];

const BY_MODE: Record<ApprovalMode, readonly PermissionRule[]> = {
  everything: [],
  'edits-and-commands': [
    { tool: 'category:read', action: 'allow' },
    { tool: 'category:write', action: 'ask' },
    { tool: 'category:execute', action: 'ask' },
  ],
  commands: [
    { tool: 'category:read', action: 'allow' },
    { tool: 'category:write', action: 'allow' },
    { tool: 'category:execute', action: 'ask' },
  ],
  nothing: [{ tool: '*', action: 'allow' }],
};

/** The global rules of an approval mode; every other scope comes before them. */
export function defaultRuleset(mode: ApprovalMode): readonly PermissionRule[] {
  return [...BY_MODE[mode], ...HARMLESS];
}
