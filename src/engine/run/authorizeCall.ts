import { errorText } from '../../base/errorText';
import type { RuleOffer } from '../permissions/approvalHandler';
import { type Asking, type Authorization, authorize, authorizeTogether } from '../permissions/authorize';
import { currentRulesets } from './currentRulesets';
import type { PreparedCall } from './prepareCall';
import type { Authorizing } from './runContext';

/** The verdict of the rules on one call, or of the person. */
export function authorizeCall(context: Authorizing, prepared: PreparedCall): Promise<Authorization> {
  const { question, authorizer } = askingOf(context, prepared);
  return authorize(question, authorizer, context.signal);
}

/** The same for several, whose questions are put at the same time. */
export function authorizeCalls(
  context: Authorizing,
  prepared: readonly PreparedCall[],
): readonly Promise<Authorization>[] {
  const all = prepared.map((one) => askingOf(context, one));
  return authorizeTogether(all, context.approvalTurns, context.signal);
}

function askingOf(context: Authorizing, { question }: PreparedCall): Asking {
  const { emitter } = context;
  return {
    question,
    authorizer: {
      policy: context.policy,
      rulesets: () => currentRulesets(context, question),
      handler: context.approvals,
      turns: context.approvalTurns,
      strike: context.ports.strike,
      remember: (offer) => rememberRules(context, offer),
      onDecision: (decision) => context.audit.record(context.runId, question, decision),
      onRequest: (request) => {
        emitter.emit({ type: 'state-changed', state: 'waiting-for-approval' });
        emitter.emit({ type: 'approval-requested', request });
      },
      onAnswer: (request, answer) => emitter.emit({ type: 'approval-answered', requestId: request.id, answer }),
    },
  };
}

/** What cannot be kept is said and holds for this call only; the person did allow it. */
async function rememberRules(context: Authorizing, { scope, rules, label }: RuleOffer): Promise<void> {
  const { root, permissions, workspace, emitter } = context;
  try {
    if (scope !== 'session') await permissions.add(scope, workspace, rules);
    else for (const rule of rules) await root.session.addRule(rule);
  } catch (error) {
    const text = `“Always allow ${label}” could not be kept, so it will be asked again. ${errorText(error)}`;
    emitter.emit({ type: 'notice', level: 'warning', text });
  }
}
