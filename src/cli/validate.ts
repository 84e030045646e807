import { resolve } from 'node:path';
import { type Engine, problemLine } from '../engine';
import { EXIT } from './exitStatus';
import type { OutputStreams } from './output';

/** Prints what is wrong with agents, skills and roles, a line each with its place; the exit status tells of errors. */
export async function validate(paths: readonly string[], engine: Engine, streams: OutputStreams): Promise<number> {
  const checked = await Promise.all(paths.map((path) => engine.validate(resolve(path))));
  const problems = checked.flatMap((one) => one.problems);
  for (const problem of problems) streams.out(`${problemLine(problem)}\n`);
  const files = checked.reduce((sum, one) => sum + one.files, 0);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counted = [count(files, 'file'), count(errors, 'error'), count(problems.length - errors, 'warning')];
  streams.err(`${counted.join(', ')}\n`);
  return errors > 0 ? EXIT.usage : EXIT.completed;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
