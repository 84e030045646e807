import type { ContentProblem } from './contentProblem';

/** Of a file that has no front matter where it needs some, or begins some that does not end. */
export function noFrontMatter(path: string, unclosed: boolean): ContentProblem {
  const message = unclosed
    ? 'The front matter has no end. Close it with a line of three dashes.'
    : 'An agent begins with front matter: a line of three dashes, its settings, and three dashes again.';
  return { kind: 'parse', severity: 'error', path, line: 1, column: 1, message };
}
