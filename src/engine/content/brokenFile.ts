import type { ContentProblem } from './contentProblem';

/** Why what somebody asks for by name is not there, although its file is: the first error in that. */
export function brokenFile(name: string, problems: readonly ContentProblem[]): ContentProblem | undefined {
  const ends = ['.md', '.agent.md', '/config.yaml', '/SKILL.md'].map((end) => `/${name}${end}`);
  return problems.find(({ severity, path }) => {
    const slashed = path.replaceAll('\\', '/');
    return severity === 'error' && ends.some((end) => slashed.endsWith(end));
  });
}
