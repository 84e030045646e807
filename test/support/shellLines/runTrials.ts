import { availableParallelism } from 'node:os';
import type { Rulesets } from '../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { command } from '../../engine/permissions/queries';
import { SHELLS } from './provideShells';
import { type Ran, ShellArena } from './shellArena';

/** Rules, and what an allowed line may start under them. */
export interface RuleTrial {
  name: string;
  rulesets: Rulesets;
  permits: (words: readonly string[]) => boolean;
}

export interface TriedLine {
  line: string;
  trials: readonly RuleTrial[];
}

export interface TrialsResult {
  lines: number;
  /** By the rules' name, how many lines were allowed and therefore run in every shell. */
  letThrough: Readonly<Record<string, number>>;
  /** How many programs the lines started. */
  started: number;
  /** Descriptions of lines that started what their rules do not permit. */
  escapes: readonly string[];
}

/** Lines per run of each shell. */
const BATCH = 400;

/** Judges lines, runs the allowed ones in every shell, and compares. */
export async function runTrials(lines: readonly TriedLine[]): Promise<TrialsResult> {
  const letThrough: Record<string, number> = {};
  for (const { trials } of lines) for (const { name } of trials) letThrough[name] = 0;
  const escapes: string[] = [];
  let started = 0;
  let next = 0;
  const arena = await ShellArena.make({ a: 'a\n', b: 'evil\n', 'src/a': 'a\n' });
  const work = async () => {
    while (next < lines.length) {
      const batch = lines.slice(next, (next += BATCH));
      const judged = batch.map(({ line, trials }) => ({ line, by: lettingThrough(line, trials) }));
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
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  } finally {
    await arena.dispose();
  }
  return { lines: lines.length, letThrough, started, escapes };
}

function lettingThrough(line: string, trials: readonly RuleTrial[]): readonly RuleTrial[] {
  if (line.includes('\0')) return [];
  const query = command(line);
  return trials.filter(({ rulesets }) => toolPolicy.decide(query, rulesets).action === 'allow');
}

function escapesOf({ name, permits }: RuleTrial, shell: string, line: string, ran: Ran): string[] {
  const worst = ran.find((words) => words[0] === 'wrote' || !permits(words));
  return worst ? [`${name}, ${shell}: ${JSON.stringify(line)} started ${JSON.stringify(worst)}`] : [];
}
