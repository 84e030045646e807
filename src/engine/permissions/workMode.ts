import * as z from '../../base/zod';
import type { PermissionRule, ToolCategory } from './permissionRule';

/** From the narrowest to the widest. */
export const WORK_MODES = ['ask', 'plan', 'agent'] as const;
export const workModeSchema = z.enum(WORK_MODES);
/** What an agent may do at all, whatever is approved. `ask`: reads and answers. `plan`: the same, and writes a plan. */
export type WorkMode = z.infer<typeof workModeSchema>;

/** Those in which nothing is changed, run or fetched. */
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
    because: `This session is in ${NAMES[mode]} mode, in which nothing is changed, run, or fetched. Only the person can switch to Agent mode.`,
    priority: Number.MAX_SAFE_INTEGER,
  }));
}

/** Rules that come before all others. */
export function workModeRules(mode: WorkMode): readonly PermissionRule[] {
  return READS_ONLY[mode];
}

/** True for a rule of a mode, which nobody wrote. */
export function isOfWorkMode(rule: PermissionRule): boolean {
  return Object.values(READS_ONLY).some((rules) => rules.includes(rule));
}

interface ChoosesMode {
  workMode?: WorkMode | null | undefined;
}

/** What is asked for, else what is chosen for the session, else what the agent is made for. */
export function workModeOf(asked: ChoosesMode, { metadata }: { metadata: ChoosesMode }, agent: ChoosesMode): WorkMode {
  return asked.workMode ?? metadata.workMode ?? agent.workMode ?? 'agent';
}

/** The one of two in which less may be done. */
export function narrower(one: WorkMode, other: WorkMode): WorkMode {
  return WORK_MODES.indexOf(one) < WORK_MODES.indexOf(other) ? one : other;
}
