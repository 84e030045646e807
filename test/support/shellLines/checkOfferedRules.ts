import { offerRules } from '../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../src/engine/permissions/modes';
import type { PermissionRule } from '../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { command } from '../../engine/permissions/queries';
import { ADDED, ASKED_FOR, BEFORE, HARMFUL } from './offeredPieces';
import { type RandomNumbers, randomNumbers } from './randomNumbers';
import { type RuleTrial, runTrials, type TrialsResult, type TriedLine } from './runTrials';
import { editedLine, shellLine } from './shellLine';

const global = defaultRuleset('commands');
const INTERPRETER = /^(node|python3)$/;
/** Protected places, and places outside the workspace. */
const OUTSIDE = /^(\/etc|\.env$|\.git\/|\.\.(\/|$))/;

/** Checks lines that begin like a command for which "Always…" offered a rule, each with only the rules of the first offer. */
export function checkOfferedRules(seed: number, count: number): Promise<TrialsResult> {
  const random = randomNumbers(seed);
  const lines: TriedLine[] = [];
  while (lines.length < count) {
    const asked = random.oneIn(5) ? shellLine(random) : random.pick(ASKED_FOR);
    const [offer] = offerRules(command(asked), { global }, toolPolicy);
    if (!offer) continue;
    const trials = [trialOf(offer.rules)];
    for (let each = 0; each < 8; each++) lines.push({ line: each === 0 ? asked : variant(asked, random), trials });
  }
  return runTrials(lines);
}

function trialOf(rules: readonly PermissionRule[]): RuleTrial {
  return {
    name: 'offered',
    rulesets: { session: rules, global },
    permits: (words) => rules.some((rule) => isMeant(rule, words) && (isExact(rule, words) || !isHarmful(words))),
  };
}

/** What the button said: exactly these words, or these and what may follow them. An allowed script may also start other programs. */
function isMeant({ argument }: PermissionRule, ran: readonly string[]): boolean {
  if (argument?.kind !== 'command') return false;
  const { words, rest } = argument;
  if (/^(sh|bash|\.|source)$/.test(words[0] ?? '') && words[1] === 'b') return true;
  // The shell replaces a pattern with what it matches.
  const pattern = words.findIndex((word) => /^~|[*?[]/.test(word));
  if (pattern > 0) return words.slice(0, pattern).every((word, at) => word === ran[at]);
  return words.every((word, at) => word === ran[at]) && (rest === 'harmless' || ran.length === words.length);
}

/** For such a rule, the button showed every word, even one that would be harmful under a rule for more than one line. */
function isExact({ argument }: PermissionRule, ran: readonly string[]): boolean {
  return argument?.kind === 'command' && argument.rest === 'nothing' && argument.words.join('\0') === ran.join('\0');
}

function isHarmful([program = '', ...words]: readonly string[]): boolean {
  if (INTERPRETER.test(program) && /^(-|\/|\.\.)|\/\.\.\/|^$/.test(words[0] ?? '')) return true;
  const { options, valued } = HARMFUL[program] ?? {};
  const end = words.indexOf('--');
  const script = /^(sed|awk)$/.test(program) ? words.slice(0, lastOfScript(words)) : words;
  const given = script.filter((_, at) => (end === -1 || at < end) && valued?.test(words[at - 1] ?? '') !== true);
  // npm passes the words after `--` to the script, where they were not judged.
  const handsOn = program === 'npm' && end !== -1 && end + 1 < words.length;
  return handsOn || given.some((word) => options?.test(word)) || words.some((word) => OUTSIDE.test(word));
}

/** After the script of sed or awk, there are only files. */
function lastOfScript(words: readonly string[]): number {
  const first = words.findIndex((word) => !word.startsWith('-'));
  const last = words.lastIndexOf('-e');
  return last === -1 ? (first === -1 ? words.length : first + 1) : last + 2;
}

function variant(asked: string, random: RandomNumbers): string {
  let line = asked;
  for (let count = random.below(4); count > 0; count--) line += ` ${random.pick(ADDED)}`;
  if (random.oneIn(4)) line = random.pick(BEFORE) + line;
  if (random.oneIn(6)) line += random.pick([' && ', ' | ', '; ', '\n', ' & ']) + asked;
  return random.oneIn(4) ? editedLine(line, random) : line;
}
