import { matchesWildcard } from '../../base/matching';
import type { ArgumentPattern, PermissionRule } from './permissionRule';
import type { PolicyUnit } from './policyUnit';
import type { ShellWord } from './shell/shellPart';
import { programNameOf } from './shell/unwrapCommand';

/**
 * Whether a rule applies to this. Rules that ask or deny are matched loosely, rules that allow strictly. Only a rule that asks or
 * denies may yield `maybe`, and only for a command.
 */
export function matchRule(rule: PermissionRule, unit: PolicyUnit): CommandMatch | { failed: string } {
  if (!matchesTool(rule, unit)) return 'no';
  if (rule.argument?.kind === 'matcher') return matchFunction(rule.action === 'allow', rule.argument, unit);
  return rule.argument === undefined ? 'yes' : matchArgument(rule, rule.argument, unit);
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
      return matchesExpression(argument.pattern, allows, unit);
  }
}

/** Returns a host, or a pattern of hosts, as addresses contain it: in lowercase, in Punycode, and without the dot that may end it. */
function plainHost(written: string): string {
  const host = written.toLowerCase().replace(/\.$/, '');
  const url = `http://${host}/`;
  return /[^\x21-\x7e]/.test(host) && !/[?#/@:]/.test(host) && URL.canParse(url) ? new URL(url).hostname : host;
}

/** Whether a folder is removed below which the pattern begins, so that what it matches would go too. */
function isInRemoved(pattern: string, { removed = [] }: PolicyUnit): boolean {
  const [literal = ''] = pattern.split(/[*?]/, 1);
  return removed.some(({ relative }) => literal.startsWith(`${relative}/`));
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
  if (rest === 'nothing') return part.words.length === words.length;
  if (rest === undefined) return true;
  const isInside = seen.every(({ outside }) => !outside);
  return isInside && part.harmlessAfter > 0 && part.harmlessAfter <= words.length;
}

function matchesExpression(pattern: string, whole: boolean, { part, paths, host }: PolicyUnit): boolean {
  // Tested both with and without dots that match line ends: a line end in an argument must neither evade a denial nor gain a
  // permission.
  const expressions = ['', 's'].map((flags) => new RegExp(whole ? `^(?:${pattern})$` : pattern, flags));
  const isMatch = (text: string) => {
    const found = expressions.map((expression) => expression.test(text));
    return whole ? found.every(Boolean) : found.some(Boolean);
  };
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

export type CommandMatch = 'yes' | 'no' | 'maybe';

/**
 * Whether a command is the one that a rule names, matched loosely: the program by its name alone, wherever it is located.
 * Options, with what may be their values, may precede each further word, and the rule's own options may appear anywhere after the
 * program.
 */
export function matchCommand(words: readonly ShellWord[], wanted: readonly string[]): CommandMatch {
  const [first, ...others] = [words, ...otherSpellings(words)].map((one) => matchWords(one, wanted));
  return [first, ...others].includes('yes') ? 'yes' : (first ?? 'no');
}

/** Commands that do the same as another, as the words with which each begins. */
const SAME_ACTION: readonly (readonly [spelling: string, action: string])[] = [
  ...[
    'send-pack',
    'http-push',
    'subtree push',
    'lfs push',
    'svn dcommit',
    'p4 submit',
    'remote-http',
    'remote-https',
  ].map((subcommand) => [`git ${subcommand}`, 'git push'] as const),
  ...['hub push', 'gh repo sync', 'jj git push', 'sl push', 'git town sync'].map((one) => [one, 'git push'] as const),
];

/** Returns the command as the actions that are known to be the same. */
function otherSpellings([program, ...words]: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (program?.kind !== 'exact') return [];
  const [name = '', ...attached] = programNameOf(program.text).split(/(?<=^git)-/);
  const all = [...[name, ...attached].map((text): ShellWord => ({ text, kind: 'exact' })), ...words];
  return SAME_ACTION.flatMap(([spelling, action]) => {
    const begin = spelling.split(' ');
    if (matchWords(all, begin) !== 'yes') return [];
    const rest = all.slice(1).filter(({ text }) => !begin.includes(text));
    return [[...action.split(' ').map((text): ShellWord => ({ text, kind: 'exact' })), ...rest]];
  });
}

function matchWords(
  [program, ...words]: readonly ShellWord[],
  [wanted = '', ...begin]: readonly string[],
): CommandMatch {
  if (!program) return 'no';
  if (program.kind !== 'exact') return 'maybe';
  // A subcommand may be a separate program: `git-push`.
  const [subcommand = '', ...rest] = begin;
  if (/^\w/.test(subcommand) && programNameOf(program.text) === `${programNameOf(wanted)}-${subcommand}`)
    return matchWords([{ text: wanted, kind: 'exact' }, ...words], [wanted, ...rest]);
  if (program.text !== wanted && programNameOf(program.text) !== programNameOf(wanted)) return 'no';
  const abbreviates = /^(npm|hg)$/.test(programNameOf(wanted));
  const plain = matchInOrder(
    words,
    begin.filter((one) => !one.startsWith('-')),
    abbreviates,
  );
  const options = begin.filter((one) => one.startsWith('-')).map((one) => matchOption(words, one));
  const all = [plain, ...options];
  if (all.includes('no')) return 'no';
  return all.includes('maybe') ? 'maybe' : 'yes';
}

/** Returns true if one of the texts may start the command when it is executed. */
export function mentionsCommand(texts: readonly string[], words: readonly string[]): boolean {
  // Executing a text may remove quotes that are still in it.
  const unquoted = texts.map((text) => text.replaceAll(/["'\\]/g, ''));
  return [texts, unquoted].some((all) =>
    holdWords(all.flatMap((text) => text.split(/[^\p{L}\p{N}_.@%+-]+/u)).map(programNameOf), words),
  );
}

function holdWords(tokens: readonly string[], [wanted = '', ...begin]: readonly string[]): boolean {
  const name = programNameOf(wanted);
  const [plain, options] = [begin.filter((one) => !one.startsWith('-')), begin.filter((one) => one.startsWith('-'))];
  if (!options.every((option) => tokens.includes(option))) return false;
  let at = tokens.indexOf(name);
  return at !== -1 && plain.every((word) => (at = tokens.indexOf(word, at + 1)) !== -1);
}

function matchInOrder(words: readonly ShellWord[], begin: readonly string[], abbreviates: boolean): CommandMatch {
  let starts = new Set([0]);
  let isUnsure = false;
  for (const wanted of begin) {
    const next = new Set<number>();
    let isReached = false;
    for (const [at, { text, kind }] of words.entries()) {
      isReached ||= starts.has(at);
      if (!isReached) continue;
      if (kind !== 'exact') isUnsure = true;
      if (text === wanted) next.add(at + 1);
      else if (abbreviates && text !== '' && wanted.startsWith(text)) isUnsure = true;
      isReached = text.startsWith('-') || words[at - 1]?.text.startsWith('-') === true || kind !== 'exact';
    }
    if (next.size === 0) return isUnsure ? 'maybe' : 'no';
    starts = next;
  }
  return 'yes';
}

function matchOption(words: readonly ShellWord[], option: string): CommandMatch {
  const letter = /^-[a-zA-Z]$/.test(option) ? option.charAt(1) : null;
  const isIt = ({ text }: ShellWord) =>
    text === option ||
    text.startsWith(`${option}=`) ||
    (letter !== null && /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
  if (words.some(isIt)) return 'yes';
  const isShortened = ({ text }: ShellWord) => text.startsWith('--') && text.length > 3 && option.startsWith(text);
  return words.some((word) => word.kind !== 'exact' || isShortened(word)) ? 'maybe' : 'no';
}
