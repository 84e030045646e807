import { APPROVAL_SCOPES, type ApprovalScope, type RuleOffer } from './approvalHandler';
import { wordsText } from './describeRule';
import type { JudgedPart, PermissionRule, ResolvedQuery, Rulesets } from './permissionRule';
import { type PolicyUnit, policyUnits } from './policyUnit';
import type { ToolPolicy } from './toolPolicy';

const SCOPES: readonly ApprovalScope[] = ['session', 'workspace', 'user'];
const MAX_SHOWN = 200;
/** More of them than this nobody reads on a button, and each is held against all that a line would do. */
const MOST_RULES = 50;
/** A name with such characters in it would allow more than it says. */
const WILDCARD = /[*?]/;

/** A rule and the words for what it allows. */
interface Wording {
  rule: PermissionRule;
  text: string;
}

/**
 * The rules that "always" could add for a call, for each scope the narrowest first: of a compound command one for each
 * part that is not allowed yet. Only what makes the same call run without asking is offered; nothing where something
 * must be asked each time.
 */
export function offerRules(query: ResolvedQuery, rulesets: Rulesets, policy: ToolPolicy): readonly RuleOffer[] {
  const open = policyUnits(query).filter((unit) => policy.decideUnit(unit, rulesets).action !== 'allow');
  const choices = open.map(wordingsFor);
  if (choices.some((one) => one.length === 0)) return [];
  const widths = Math.max(0, ...choices.map((one) => one.length));
  const sets = Array.from({ length: widths }, (_, width) => distinct(choices.flatMap((one) => at(one, width))));
  if (sets.some(({ length }) => length > MOST_RULES)) return [];
  return SCOPES.flatMap((scope) =>
    sets
      .map((wordings) => offer(scope, wordings))
      .filter(({ rules }) => {
        const added = { ...rulesets, [scope]: [...(rulesets[scope] ?? []), ...rules] };
        return policy.decide(query, added).action === 'allow';
      }),
  );
}

/** The wording of this width, or the widest there is. */
function at(wordings: readonly Wording[], width: number): Wording[] {
  const one = wordings[Math.min(width, wordings.length - 1)];
  return one ? [one] : [];
}

function distinct(wordings: readonly Wording[]): Wording[] {
  return [...new Map(wordings.map((one) => [one.text, one])).values()];
}

function offer(scope: ApprovalScope, wordings: readonly Wording[]): RuleOffer {
  const label = `${wordings.map(({ text }) => text).join(' and ')} ${APPROVAL_SCOPES[scope]}`;
  return { scope, rules: wordings.map(({ rule }) => rule), label };
}

/** From the narrowest to the widest; empty for what must be asked each time. */
function wordingsFor(unit: PolicyUnit): readonly Wording[] {
  if (unit.unknownFile !== undefined) return [];
  if (unit.part) return unit.part.caution === null ? wordingsForCommand(unit.tool, unit.part) : [];
  if (unit.category === 'write')
    return [...forPath(unit, 'category:write', 'edits of'), all('category:write', 'all edits')];
  const whole = all(unit.tool, unit.tool);
  if (unit.host !== undefined) {
    if (unit.host === '' || WILDCARD.test(unit.host)) return [];
    const rule = argumentRule(unit.tool, { kind: 'host', pattern: unit.host });
    return [{ rule, text: `${unit.tool} of ${unit.host}` }, whole];
  }
  return unit.category === 'read' ? [...forPath(unit, unit.tool, `${unit.tool} of`), whole] : [whole];
}

/** What the call is named by, if all else of it is known to do no harm; else just the same words again. */
function wordingsForCommand(tool: string, { words, harmlessAfter }: JudgedPart): Wording[] {
  const named = words.slice(0, harmlessAfter);
  if (named.length > 0 && isShowable(named)) {
    const rule = argumentRule(tool, { kind: 'command', words: named, rest: 'harmless' });
    return [{ rule, text: `“${wordsText(named)}” with harmless options` }];
  }
  if (words.length === 0 || !isShowable(words)) return [];
  const rule = argumentRule(tool, { kind: 'command', words, rest: 'nothing' });
  return [{ rule, text: `exactly “${wordsText(words)}”` }];
}

/** What a person could not read whole on a button is not offered. */
function isShowable(words: readonly string[]): boolean {
  const text = words.join(' ');
  return text.length <= MAX_SHOWN && !/[^\S ]|[\p{Cc}\p{Cf}]/u.test(text);
}

function forPath({ paths }: PolicyUnit, tool: string, verb: string): Wording[] {
  const [path] = paths;
  if (paths.length !== 1 || !path || path.relative === '' || WILDCARD.test(path.relative)) return [];
  return [{ rule: argumentRule(tool, { kind: 'path', pattern: path.relative }), text: `${verb} ${path.relative}` }];
}

function all(tool: string, text: string): Wording {
  return { rule: { tool, action: 'allow' }, text };
}

function argumentRule(tool: string, argument: NonNullable<PermissionRule['argument']>): PermissionRule {
  return { tool, argument, action: 'allow' };
}

/** The next narrower rule that allows a command: with harmless options only, then just its words; undefined for all others. */
export function narrowRule(rule: PermissionRule): PermissionRule | undefined {
  const { argument, action } = rule;
  if (action !== 'allow' || argument?.kind !== 'command' || argument.rest === 'nothing') return undefined;
  const rest = argument.rest === 'harmless' ? ('nothing' as const) : ('harmless' as const);
  return { ...rule, argument: { ...argument, rest } };
}
