import { linearExpression, NotLinear } from '../../base/linear/linearExpression';
import { matchesWildcard } from '../../base/matching';
import { memoizeByObject } from '../../base/memoizeByObject';
import { type CommandMatch, matchCommand, mentionsCommand } from './matchCommand';
import type { ArgumentPattern, PermissionRule } from './permissionRule';
import type { PolicyUnit } from './policyUnit';
import type { ShellWord } from './shell/shellPart';

/**
 * Whether a rule applies to this. Rules that ask or deny are matched loosely, rules that allow strictly. Only a rule that asks or
 * denies may yield `maybe`, and only for a command.
 */
export function matchRule(rule: PermissionRule, unit: PolicyUnit): CommandMatch | { failed: string } {
  if (!matchesTool(rule, unit)) return 'no';
  if (rule.argument?.kind === 'matcher') return matchFunction(rule.action === 'allow', rule.argument, unit);
  try {
    return rule.argument === undefined ? 'yes' : matchArgument(rule, rule.argument, unit);
  } catch (error) {
    if (!(error instanceof NotLinear)) throw error;
    if (rule.action === 'allow') return 'no';
    return { failed: `A rule’s expression could not be tried, so it counts as a match. ${error.message}` };
  }
}

/** Returns true if a rule is about this tool, whatever its argument. */
export function matchesTool({ tool }: PermissionRule, unit: Pick<PolicyUnit, 'tool' | 'category'>): boolean {
  return tool.startsWith('category:') ? tool === `category:${unit.category}` : matchesWildcard(tool, unit.tool);
}

type Matcher = Extract<ArgumentPattern, { kind: 'matcher' }>;
type Pattern = Exclude<ArgumentPattern, Matcher>;

function matchFunction(allows: boolean, { holds }: Matcher, unit: PolicyUnit): 'yes' | 'no' | { failed: string } {
  const matched = holds(unit, allows);
  if (typeof matched !== 'boolean') return matched;
  return matched && (!allows || mayBeAllowed(unit)) ? 'yes' : 'no';
}

/** No rule allows a command that is dangerous or uncertain, or that leaves the workspace, where its words may mean other programs. */
function mayBeAllowed({ part, leaves }: PolicyUnit): boolean {
  return !part || (part.caution === null && leaves !== true);
}

function matchArgument({ action }: PermissionRule, argument: Pattern, unit: PolicyUnit): CommandMatch {
  const { part } = unit;
  if (action === 'allow') return mayBeAllowed(unit) && isMeant(argument, true, unit) ? 'yes' : 'no';
  if (isMeant(argument, false, unit)) return 'yes';
  if (!part || (argument.kind !== 'command' && argument.kind !== 'regex')) return 'no';
  if (part.obscure !== null || part.unread !== null) return 'maybe';
  if (argument.kind === 'regex') return part.layers.some((words) => mayFit(argument.pattern, words)) ? 'maybe' : 'no';
  const isPossible =
    part.layers.some((words) => matchCommand(words, argument.words) === 'maybe') ||
    mentionsCommand(part.mentions, argument.words);
  return isPossible ? 'maybe' : 'no';
}

function isMeant(argument: Pattern, allows: boolean, unit: PolicyUnit): boolean {
  switch (argument.kind) {
    case 'path':
      return (
        areMeant(
          unit.paths.map(({ relative }) => relative),
          argument.pattern,
          allows,
        ) ||
        (!allows && isInRemoved(argument.pattern, unit))
      );
    case 'subject':
      return areMeant(unit.subjects ?? [], argument.pattern, allows);
    case 'command':
      return allows
        ? isAllowedCommand(argument, unit)
        : (unit.part?.layers.some((words) => matchCommand(words, argument.words) === 'yes') ?? false);
    case 'host':
      return unit.host !== undefined && matchesWildcard(plainHost(argument.pattern), plainHost(unit.host));
    case 'regex':
      return matchesExpression(argument, allows, unit);
  }
}

/** An address of the fourth version in one of the sixth, which leads to the same machine. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Returns a host, or a pattern of hosts, as addresses contain it: in lowercase, in Punycode, in the shorter version of IP, and
 * without the dot that may end it.
 */
function plainHost(written: string): string {
  const host = written.toLowerCase().replace(/\.$/, '');
  const [, ...groups] = MAPPED.exec(host) ?? [];
  if (groups.length > 0)
    return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]).join('.');
  const url = `http://${host}/`;
  return /[^\x21-\x7e]/.test(host) && !/[?#/@:]/.test(host) && URL.canParse(url) ? new URL(url).hostname : host;
}

/** Whether a folder is removed below which the pattern begins, so that what it matches would go too. */
function isInRemoved(pattern: string, { removed = [] }: PolicyUnit): boolean {
  const [literal = ''] = pattern.split(/[*?]/, 1);
  return removed.some(({ relative }) => relative === '' || literal.startsWith(`${relative}/`));
}

function areMeant(texts: readonly string[], pattern: string, allows: boolean): boolean {
  const matches = texts.map((text) => matchesWildcard(pattern, text));
  return allows ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean);
}

function isAllowedCommand(
  { words, rest }: Extract<ArgumentPattern, { kind: 'command' }>,
  { part, seen = [] }: PolicyUnit,
): boolean {
  if (!part || !words.every((word, index) => part.words[index] === word)) return false;
  if (rest === 'nothing') return part.words.length === words.length && !part.isFed;
  if (rest === undefined) return true;
  const isInside = seen.every(({ outside }) => !outside);
  return isInside && part.harmlessAfter > 0 && part.harmlessAfter <= words.length;
}

type Expression = Extract<ArgumentPattern, { kind: 'regex' }>;

// Both with and without dots that match line ends: a line end in an argument must neither evade a denial nor gain a permission.
const FLAGS = ['', 's'];
const anywhere = memoizeByObject(({ pattern }: Expression) => FLAGS.map((flags) => linearExpression(pattern, flags)));
const asWhole = memoizeByObject(({ pattern }: Expression) =>
  FLAGS.map((flags) => linearExpression(`^(?:${pattern})$`, flags)),
);

function matchesExpression(argument: Expression, whole: boolean, { part, paths, host }: PolicyUnit): boolean {
  const expressions = whole ? asWhole(argument) : anywhere(argument);
  const isMatch = (text: string) =>
    whole ? expressions.every((matches) => matches(text)) : expressions.some((matches) => matches(text));
  const layers = whole ? [] : (part?.layers ?? []).flatMap(waysToSay);
  const texts = [
    ...(part ? [part.text] : []),
    ...layers,
    ...paths.map(({ relative }) => relative),
    ...(host ? [plainHost(host)] : []),
  ];
  const matches = texts.map(isMatch);
  return whole ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean);
}

/** Whether an expression may match a command with words that only the shell will know. */
function mayFit(pattern: string, words: readonly ShellWord[]): boolean {
  const unknown = words.findIndex(({ kind }) => kind !== 'exact');
  if (unknown === -1) return false;
  const start = literalStart(pattern);
  const known = waysToSay(words.slice(0, unknown));
  return known.some((text) => text === '' || start.startsWith(`${text} `) || text.startsWith(start));
}

/** Returns the literal prefix of every text that matches the expression, as far as its beginning shows it. */
function literalStart(pattern: string): string {
  if (!pattern.startsWith('^') || pattern.includes('|')) return '';
  const [, written = ''] = /^\^((?:[\w \-/:=,@%]|\\\W)*)/.exec(pattern) ?? [];
  const mayLack = /^[?*{]/.test(pattern.slice(1 + written.length));
  return (mayLack ? written.replace(/\\?.$/, '') : written).replaceAll(/\\(\W)/g, '$1');
}

/** Returns a command without its quotes, and also without its options, with and without a value after each. */
function waysToSay(words: readonly ShellWord[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  const isOption = (text: string | undefined) => text?.startsWith('-') === true;
  const bare = texts.filter((text) => !isOption(text));
  const barer = texts.filter((text, at) => !isOption(text) && !isOption(texts[at - 1]));
  return [texts, bare, barer].map((one) => one.join(' '));
}
