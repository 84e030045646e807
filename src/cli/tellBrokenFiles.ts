import { type Engine, problemLine } from '../engine';
import type { OutputStreams } from './output';
import type { ListChoice } from './parseArguments';

/** Says which files are missing from a list because they are broken, so that nobody looks for them in vain. */
export async function tellBrokenFiles(choice: ListChoice, engine: Engine, { err }: OutputStreams): Promise<void> {
  if (choice !== 'agents' && choice !== 'roles' && choice !== 'skills') return;
  const problems = await engine[choice].problems();
  for (const problem of problems.filter(({ severity }) => severity === 'error')) err(`${problemLine(problem)}\n`);
}
