import { sameJson } from '../../base/sameJson';
import { EngineError } from '../engineError';
import type { PermissionRule } from '../permissions/permissionRule';
import type { CheckParts } from './checkCall';
import { rulesOf } from './equipAgent';

/** Every written rule, grouped by its owner. */
export interface RulesInForce {
  user: readonly PermissionRule[];
  session: readonly PermissionRule[];
  /** The user's own rules for this workspace. */
  workspace: readonly PermissionRule[];
  /** The rules that come with the workspace. */
  repository: readonly PermissionRule[];
  agent: readonly PermissionRule[];
  /** Empty if the agent no longer exists. */
  agentName: string;
  /** Problems with rule files, with path and line. */
  problems: readonly string[];
}

/** A rule that the user may change. */
export interface OwnRule {
  scope: 'user' | 'workspace' | 'session';
  /** The session it applies in; for `workspace`, any session of that workspace. */
  sessionId: string;
  rule: PermissionRule;
}

type Parts = Pick<CheckParts, 'permissions' | 'sessions' | 'runtime'>;

/** Returns every written rule that applies in a session. Rejects with EngineError `not-found` if there is no such session. */
export async function rulesInForce(
  { permissions, sessions, runtime }: Parts,
  sessionId: string,
): Promise<RulesInForce> {
  const session = await sessions.open(sessionId);
  const { user, workspace, fromRepository, problems } = await permissions.rulesFor(session.metadata.workspace);
  // A session whose agent is gone still has all other rules.
  const plan = await runtime.plan({ model: '', sessionId }).catch(() => undefined);
  return {
    user,
    session: session.rules,
    workspace: workspace.slice(fromRepository),
    repository: workspace.slice(0, fromRepository),
    agent: plan ? rulesOf(plan.agent) : [],
    agentName: plan?.agent.name ?? '',
    problems,
  };
}

/** Replaces one of the user's rules with others, or with none. Rejects with EngineError `not-found`, `damaged`, and `invalid-state`. */
export async function replaceRule(
  { permissions, sessions }: Parts,
  { scope, sessionId, rule }: OwnRule,
  others: readonly PermissionRule[],
): Promise<void> {
  const session = await sessions.open(sessionId);
  if (scope !== 'session') {
    return permissions.edit(scope, session.metadata.workspace, (rules) => replaced(rules, rule, others));
  }
  const left = replaced(session.rules, rule, others);
  await session.clearRules();
  for (const one of left) await session.addRule(one);
}

/** A rule is identified by its full contents. Of several identical rules, the last is decisive. */
function replaced(
  rules: readonly PermissionRule[],
  rule: PermissionRule,
  others: readonly PermissionRule[],
): PermissionRule[] {
  const at = rules.findLastIndex((one) => sameJson(one, rule));
  if (at < 0) throw new EngineError('not-found', 'This rule was changed or removed in the meantime.');
  return [...rules.slice(0, at), ...others, ...rules.slice(at + 1)];
}
