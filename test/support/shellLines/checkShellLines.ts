import { availableParallelism } from 'node:os';
import { defaultRuleset } from '../../../src/engine/permissions/defaultRuleset';
import type { Rulesets } from '../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../../engine/permissions/queries';
import { SHELLS } from './provideShells';
import { randomNumbers } from './randomNumbers';
import { type Ran, ShellArena } from './shellArena';
import { shellLine } from './shellLine';

/** Lines for one run of each shell. */
const BATCH = 400;

export interface ShellLinesResult {
  lines: number;
  /** By the name of the rules: how many lines were let through, and so were run in every shell. */
  letThrough: Readonly<Record<string, number>>;
  /** Programs that were started by them. */
  started: number;
  /** A line that started what its rules do not let it start, in words. */
  escapes: readonly string[];
}

interface RuleTrial {
  name: string;
  rulesets: Rulesets;
  /** Whether these rules let a line start this. */
  permits: (words: readonly string[]) => boolean;
}

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

/** Judges generated lines, runs those that are let through in every shell, and compares. */
export async function checkShellLines(
  seed: number,
  count: number,
  say?: (done: number) => void,
): Promise<ShellLinesResult> {
  const random = randomNumbers(seed);
  const lines = Array.from({ length: count }, () => shellLine(random));
  const letThrough: Record<string, number> = Object.fromEntries(TRIALS.map(({ name }) => [name, 0]));
  const escapes: string[] = [];
  let started = 0;
  let next = 0;
  const arena = await ShellArena.make({ a: 'a\n', b: 'evil\n', 'src/a': 'a\n' });
  const work = async () => {
    while (next < lines.length) {
      const batch = lines.slice(next, (next += BATCH));
      const judged = batch.map((line) => ({ line, by: TRIALS.filter(({ rulesets }) => letsThrough(line, rulesets)) }));
      const run = judged.filter(({ by }) => by.length > 0);
      for (const { by } of run) for (const { name } of by) letThrough[name] = (letThrough[name] ?? 0) + 1;
      for (const shell of SHELLS) {
        const ran = await arena.run(
          shell,
          run.map(({ line }) => line),
        );
        run.forEach(({ line, by }, at) => {
          const programs = ran[at] ?? [];
          started += programs.length;
          for (const trial of by) escapes.push(...escapesOf(trial, shell, line, programs));
        });
      }
      say?.(Math.min(next, lines.length));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  } finally {
    await arena.dispose();
  }
  return { lines: count, letThrough, started, escapes };
}

function letsThrough(line: string, rulesets: Rulesets): boolean {
  return !line.includes('\0') && toolPolicy.decide(command(line), rulesets).action === 'allow';
}

function escapesOf({ name, permits }: RuleTrial, shell: string, line: string, ran: Ran): string[] {
  const worst = ran.find((words) => !permits(words));
  return worst ? [`${name}, ${shell}: ${JSON.stringify(line)} started ${JSON.stringify(worst)}`] : [];
}
