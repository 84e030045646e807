import { unseenLines } from '../../base/shown/unseenLines';
import type { ContentProblem } from './contentProblem';

/** Says where a file holds what a model reads and a person does not see: in Markdown most editors do not mark it. */
export function unseenProblems(path: string, text: string): ContentProblem[] {
  return unseenLines(text).map(({ line, column, marks }) => ({
    ...{ kind: 'schema', severity: 'warning', path, line, column },
    message: `Here stands what a model reads and a person does not see: ${marks}. Remove it, or do not use this file.`,
  }));
}
