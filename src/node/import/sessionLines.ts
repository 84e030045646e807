import { errorText } from '../../base/errorText';
import { DEEPEST, nesting } from '../../engine';
import { fewOf } from './readData';
import type { SourceFolder } from './sourceFolder';

/**
 * Calls `onValue` for each readable line of a JSON lines file. Returns the problems of the others: the first few individually,
 * the rest as a count.
 */
export async function sessionLines(
  source: SourceFolder,
  parts: readonly string[],
  onValue: (value: unknown) => void,
): Promise<readonly string[]> {
  const file = source.at(...parts);
  const problems: string[] = [];
  await source.lines(parts, (line, number) => {
    if (line === '' || line?.trim() === '') return;
    const problem = line === null ? 'it is too long (more than 16 MB)' : valueOf(line, onValue);
    if (problem !== undefined) problems.push(`${file}:${number}: ${problem}, so it was left out.`);
  });
  return fewOf(problems);
}

function valueOf(line: string, onValue: (value: unknown) => void): string | undefined {
  try {
    if (nesting(line).deepest > DEEPEST) return `it is nested too deeply (more than ${DEEPEST} levels)`;
    onValue(JSON.parse(line));
    return undefined;
  } catch (error) {
    return `it is not JSON (${errorText(error)})`;
  }
}
