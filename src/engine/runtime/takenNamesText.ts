import { safeLine } from '../../base/shown/safeText';
import { type ContentCatalog, takenName } from '../content/contentCatalog';
import type { Named } from '../content/contentProblem';
import type { PathStyle } from '../ports';

/** Limited so that what matters stays visible. */
const MOST = 8;

interface NamedThings {
  agents: Pick<ContentCatalog<Named>, 'all'>;
  skills: Pick<ContentCatalog<Named>, 'all'>;
  roles: Pick<ContentCatalog<Named>, 'all'>;
}

/**
 * Lists the workspace's agents, skills, and roles that replace ones the user may believe they are using; undefined if there are
 * none. Roles are read only if one is in use.
 */
export async function takenNamesText(
  things: NamedThings,
  { workspace, hasRole, paths }: { workspace: string; hasRole: boolean; paths: Pick<PathStyle, 'relative'> },
): Promise<string | undefined> {
  const kinds = [
    ['agent', things.agents],
    ['skill', things.skills],
    ...(hasRole ? [['role', things.roles] as const] : []),
  ] as const;
  const found: string[] = [];
  for (const [kind, catalog] of kinds) {
    const all = await catalog.all();
    for (const item of all) {
      const whose = takenName(item, all);
      if (!whose) continue;
      const name = `“${safeLine(item.name, 80, 'exact')}”`;
      const file = safeLine(paths.relative(workspace, item.source.path), 200, 'exact');
      found.push(`${whose === 'builtin' ? `the built-in ${kind} ${name}` : `your ${kind} ${name}`} (${file})`);
    }
  }
  if (found.length === 0) return undefined;
  const more = found.length > MOST ? `, and ${found.length - MOST} more` : '';
  return `This workspace replaces ${found.slice(0, MOST).join(', ')}${more}.`;
}
