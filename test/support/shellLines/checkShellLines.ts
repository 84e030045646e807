import { defaultRuleset } from '../../../src/engine/permissions/modes';
import { commandRule } from '../../engine/permissions/queries';
import { randomNumbers } from './randomNumbers';
import { type RuleTrial, runTrials, type TrialsResult } from './runTrials';
import { shellLine } from './shellLine';

const ALLOWED = ['git status', 'ls', 'npm test', 'echo', 'cat', 'cd', 'true', 'wc', 'find', 'env', 'timeout', 'grep'];

const TRIALS: readonly RuleTrial[] = [
  {
    name: 'allow',
    rulesets: { session: ALLOWED.map((words) => commandRule(words)), global: defaultRuleset('commands') },
    permits: (words) => ALLOWED.some((one) => one.split(' ').every((word, at) => words[at] === word)),
  },
  {
    name: 'deny',
    rulesets: { user: [commandRule('git push', 'deny')], global: defaultRuleset('nothing') },
    permits: (words) => !isPush(words),
  },
];

function isPush([program, ...words]: readonly string[]): boolean {
  if (program !== 'git') return false;
  let at = 0;
  while (words[at]?.startsWith('-')) at += /^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(words[at] ?? '') ? 2 : 1;
  return words[at] === 'push';
}

/** Checks generated lines with rules that allow some commands, and with one that denies a command and allows everything else. */
export function checkShellLines(seed: number, count: number): Promise<TrialsResult> {
  const random = randomNumbers(seed);
  return runTrials(Array.from({ length: count }, () => ({ line: shellLine(random), trials: TRIALS })));
}
