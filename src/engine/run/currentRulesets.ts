import { defaultRuleset } from '../permissions/defaultRuleset';
import { type MatchedCall, matcherRules } from '../permissions/program/matcherRules';
import type { Rulesets } from '../permissions/permissionRule';
import { workModeRules } from '../permissions/workMode';
import { scopeRules } from '../permissions/workspaceScope';
import type { AgentSession } from '../sessions/agentSession';
import type { RuleSources } from './runContext';

type Sources = Omit<RuleSources, 'root'> & { readonly root: { readonly session: Pick<AgentSession, 'rules'> } };

/** Returns the rules in effect now. Rules with a matcher are included only if `call` is given. */
export async function currentRulesets(context: Sources, call?: Omit<MatchedCall, 'workspace'>): Promise<Rulesets> {
  const { user, workspace } = await context.permissions.rulesFor(context.workspace);
  const global = defaultRuleset(context.approvalMode());
  // Rules from the folder's trust and the mode come last in the first scope, so that no rule of the user overrides them.
  return {
    user: [...user, ...scopeRules(context.scope()), ...workModeRules(context.workMode())],
    session: context.root.session.rules,
    program: matcherRules(context.permissions.program.all, call && { ...call, workspace: context.workspace }),
    workspace,
    agent: context.agentRules,
    global,
  };
}
