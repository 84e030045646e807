import * as z from '../../base/zod';
import type { PermissionRule, ToolCategory } from './permissionRule';

/** From narrowest to widest. */
export const WORK_MODES = ['ask', 'plan', 'agent'] as const;
export const workModeSchema = z.enum(WORK_MODES);
/** Limits what an agent may do at all, whatever is approved. `ask`: reads and answers. `plan`: the same, and writes a plan. */
export type WorkMode = z.infer<typeof workModeSchema>;

/** The modes in which nothing is changed, run or fetched. */
export type ReadingMode = Exclude<WorkMode, 'agent'>;

const NAMES: Record<WorkMode, string> = { ask: 'Ask', plan: 'Plan', agent: 'Agent' };

const READS_ONLY: Record<WorkMode, readonly PermissionRule[]> = {
  ask: denying('ask'),
  plan: denying('plan'),
  agent: [],
};

function denying(mode: WorkMode): readonly PermissionRule[] {
  return (['write', 'execute', 'network'] satisfies ToolCategory[]).map((category) => ({
    tool: `category:${category}`,
    action: 'deny',
    because: `This session is in ${NAMES[mode]} mode, in which nothing is changed, run, or fetched. Only the user can switch to Agent mode.`,
    priority: Number.MAX_SAFE_INTEGER,
  }));
}

/** Returns rules that take precedence over all others. */
export function workModeRules(mode: WorkMode): readonly PermissionRule[] {
  return READS_ONLY[mode];
}

/** Returns true for a rule that a mode implies, as opposed to one that somebody wrote. */
export function isOfWorkMode(rule: PermissionRule): boolean {
  return Object.values(READS_ONLY).some((rules) => rules.includes(rule));
}

interface ChoosesMode {
  workMode?: WorkMode | null | undefined;
}

/** Returns the mode that is asked for, otherwise the session's, otherwise the agent's, otherwise `agent`. */
export function workModeOf(asked: ChoosesMode, { metadata }: { metadata: ChoosesMode }, agent: ChoosesMode): WorkMode {
  return asked.workMode ?? metadata.workMode ?? agent.workMode ?? 'agent';
}

/** Returns the more restrictive of two modes. */
export function narrower(one: WorkMode, other: WorkMode): WorkMode {
  return WORK_MODES.indexOf(one) < WORK_MODES.indexOf(other) ? one : other;
}

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

/** Returns the mode in effect: nothing runs without approval in a folder that the user has not trusted. */
export function usableMode(mode: ApprovalMode, { trusted }: { readonly trusted: boolean }): ApprovalMode {
  return trusted || mode !== 'nothing' ? mode : 'edits-and-commands';
}
