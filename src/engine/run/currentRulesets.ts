import { defaultRuleset } from '../permissions/defaultRuleset';
import type { Rulesets } from '../permissions/permissionRule';
import { scopeRules } from '../permissions/workspaceScope';
import type { RuleSources } from './runContext';

/** The rules that hold at this moment. */
export async function currentRulesets(context: RuleSources): Promise<Rulesets> {
  const { user, workspace } = await context.permissions.rulesFor(context.workspace);
  const global = defaultRuleset(context.approvalMode());
  // What the folder's trust forbids comes last in the first scope, so that no rule of the person overrides it.
  return {
    user: [...user, ...scopeRules(context.scope())],
    session: context.root.session.rules,
    workspace,
    agent: context.agentRules,
    global,
  };
}
