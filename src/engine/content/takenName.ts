import { MEMORY } from './contentProblem';
import type { ContentScope, Named } from './contentSource';

/**
 * Whose name something of the workspace has taken: of all that it stands in front of the last one that came with Cairn or is
 * the person's. Undefined where it takes nobody's, or does not count itself. `all` in the order of precedence.
 */
export function takenName(
  { name, source }: Named,
  all: readonly Named[],
): Exclude<ContentScope, 'workspace'> | undefined {
  if (source.scope !== 'workspace' || source.path === MEMORY) return undefined;
  const same = all.filter((one) => one.name === name);
  if (same.at(-1)?.source.path !== source.path) return undefined;
  const scope = same.findLast((one) => one.source.scope !== 'workspace')?.source.scope;
  return scope === 'workspace' ? undefined : scope;
}
