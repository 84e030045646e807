import { errorText } from '../../../base/errors';
import { isRecord } from '../../../base/isRecord';
import type { Matched, MatchedUnit, PermissionRule, ResolvedQuery } from '../permissionRule';
import type { KeptProgramRule, MatchContext, RuleMatcher } from './programRules';

/** The call that rules with matchers are applied to. */
export interface MatchedCall {
  query: ResolvedQuery;
  /** As its tool takes it. */
  input: unknown;
  agent: string;
  sessionId: string;
  workspace: string;
}

/** Returns the program's rules for one call. Without a call, a rule with a matcher never matches. */
export function matcherRules(rules: readonly KeptProgramRule[], call?: MatchedCall): PermissionRule[] {
  return rules.map(({ id, when, ...rule }) => {
    if (!when) return { ...rule, because: rule.because ?? `It is the rule “${id}”.` };
    const holds = (unit: MatchedUnit, allows: boolean) => call !== undefined && asked(id, when, unit, call, allows);
    return { ...rule, argument: { kind: 'matcher', id, holds } };
  });
}

function asked(id: string, when: RuleMatcher, unit: MatchedUnit, call: MatchedCall, allows: boolean): Matched {
  const answers = inputsOf(unit, call, allows).map((input) => answerTo(id, when, input, contextOf(unit, call)));
  const failed = answers.find((one) => typeof one !== 'boolean');
  if (failed !== undefined) return failed;
  return allows ? answers.length > 0 && answers.every(Boolean) : answers.some(Boolean);
}

/** To allow, all of them must match; to ask or deny, any. */
function inputsOf({ part, paths, unknownFile }: MatchedUnit, { query, input }: MatchedCall, allows: boolean) {
  const { command } = query;
  if (part) {
    const alone = isRecord(input) ? { ...input, command: part.text } : input;
    return allows ? [alone] : [alone, input];
  }
  if (!command || command.parts.length === 0) return [input];
  // A file that the shell opens.
  return unknownFile === undefined ? paths.map(({ relative }) => ({ path: relative })) : [{ path: unknownFile }];
}

function contextOf(unit: MatchedUnit, { agent, sessionId, workspace }: MatchedCall): MatchContext {
  const { tool, category, paths } = unit;
  return { tool, category, agent, sessionId, workspace, paths: paths.map(({ relative }) => relative) };
}

function answerTo(id: string, when: RuleMatcher, input: unknown, context: MatchContext): Matched {
  try {
    if (!isRecord(input)) throw new TypeError('the tool does not say what its input is');
    // A copy, so that a matcher cannot change the call. Its result is checked, whatever its type says.
    const answer: unknown = when(structuredClone(input), context);
    if (typeof answer === 'boolean') return answer;
    if (answer instanceof Promise) answer.catch(() => undefined);
    throw new TypeError(
      `it returned ${answer instanceof Promise ? 'a promise' : typeof answer} instead of true or false`,
    );
  } catch (error) {
    return { failed: `The matcher of the rule “${id}” failed: ${errorText(error).replace(/\.$/, '')}.` };
  }
}
