import { filesBelow } from './content/filesBelow';
import type { ContentProblem } from './content/contentProblem';
import type { ContentRoot } from './content/contentRoots';
import { EngineError } from './engineError';
import type { FileSearch, FileSystem, PathStyle } from './ports';

export interface Validated {
  /** How many agents, skills and roles were looked at. */
  files: number;
  problems: readonly ContentProblem[];
}

interface Found {
  path: string;
  kind: 'agent' | 'skill' | 'role';
}

/**
 * Checks agents, skills and roles: one file, or all below a folder that lie where they belong. Rejects with EngineError
 * `not-found` when there is no such file, and `invalid-input` when it is none of them.
 */
export async function validateContent(
  path: string,
  ports: { files: FileSystem; paths: PathStyle; search: FileSearch },
): Promise<Validated> {
  const { files, paths } = ports;
  const { kind } = await files.stat(path);
  const found =
    kind === 'directory' ? foundIn(path, await filesBelow(path, files, paths), paths) : [given(path, paths)];
  if (found.length === 0) {
    throw new EngineError(
      'invalid-input',
      `${path} has no agents, skills or roles. They lie in folders called agents, skills and roles.`,
    );
  }
  const { AgentLoader } = await import('./agents/agentLoader');
  const { SkillLoader } = await import('./skills/skillLoader');
  const { RoleLoader } = await import('./roles/roleLoader');
  const read = {
    agent: (file: string) => new AgentLoader(ports).readFile(file),
    skill: (file: string) => new SkillLoader(ports).readFile(file, rootOf(paths.dirname(paths.dirname(file)))),
    role: (file: string) => new RoleLoader(ports).readFile(file, rootOf(paths.dirname(file))),
  };
  const batches = await Promise.all(found.map((one) => read[one.kind](one.path)));
  return { files: found.length, problems: batches.flatMap(({ problems }) => problems) };
}

function rootOf(folder: string): ContentRoot {
  const [, world] = /\.(claude|github|opencode|agents)(?:\/|\\)/.exec(folder) ?? [];
  const worlds = { claude: 'claude', github: 'copilot', opencode: 'opencode', agents: 'shared' } as const;
  const known = Object.entries(worlds).find(([name]) => name === world)?.[1];
  return { folder, scope: 'workspace', world: known ?? 'cairn' };
}

/** By name and by the folders on the way to it from `base`. */
function kindOf(path: string, base: string, paths: PathStyle): Found['kind'] | undefined {
  const name = paths.basename(path);
  const folders = paths.relative(base, path).split('/').slice(0, -1);
  if (name === 'SKILL.md') return 'skill';
  if (folders.includes('roles')) return name.endsWith('.md') ? 'role' : undefined;
  const isAgent = name.endsWith('.md') || name === 'config.yaml';
  const isBelow = folders.includes('agents') || folders.includes('agent');
  return (isAgent && isBelow) || name.endsWith('.agent.md') ? 'agent' : undefined;
}

/** What lies beside a skill or a `config.yaml` belongs to it. */
function foundIn(folder: string, all: readonly string[], paths: PathStyle): Found[] {
  const owners = all.filter((path) => ['SKILL.md', 'config.yaml'].includes(paths.basename(path)));
  const belongs = (path: string) =>
    owners.some((owner) => owner !== path && !paths.relative(paths.dirname(owner), path).startsWith('..'));
  return all.flatMap((path) => {
    // Whoever names a folder called “agents” means what is in it.
    const kind = kindOf(path, paths.dirname(folder), paths);
    return kind === undefined || belongs(path) ? [] : [{ path, kind }];
  });
}

/** Of a file that is named itself, Markdown anywhere is an agent. */
function given(path: string, paths: PathStyle): Found {
  const kind =
    kindOf(path, paths.dirname(paths.dirname(path)), paths) ?? (/\.md$|config\.yaml$/.test(path) ? 'agent' : undefined);
  if (kind) return { path, kind };
  throw new EngineError('invalid-input', `${path} is no agent, skill or role: those are .md files and config.yaml.`);
}
