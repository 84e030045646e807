import type { AgentLoaderPorts } from '../agents/agentLoader';
import type { ContentBatch } from '../content/contentCatalog';
import type { ContentProblem, Named } from '../content/contentProblem';
import type { ContentKind, ContentPlace, ContentPlaces } from '../content/contentRoots';
import type { FileSystem } from '../ports';
import type { HelpNames } from './contentHelp';
import { AgentLoader, RoleLoader, SkillLoader } from './contentLoaders';
import { toolFoldersOf, withoutProvided } from './providedTools';

interface CheckTextParts {
  readonly places: () => ContentPlaces;
  readonly ports: AgentLoaderPorts;
  readonly names: HelpNames;
}

/** Returns the problems that a file would have with this text. */
export async function checkText(
  { kind, root, path }: ContentPlace,
  text: string,
  parts: CheckTextParts,
): Promise<readonly ContentProblem[]> {
  const { places, names } = parts;
  const ports = { ...parts.ports, files: withText(parts.ports.files, path, text) };
  const read: Record<ContentKind, () => Promise<ContentBatch<Named>>> = {
    agents: () => new AgentLoader(ports).readFileOf(root, path),
    skills: () => new SkillLoader(ports).readFile(path, root),
    roles: () => new RoleLoader(ports).readFile(path, root),
  };
  const { items, problems: all } = await read[kind]();
  if (items.length + all.length === 0) return [];
  const provided = { tools: names.tools().map(({ name }) => name), folders: toolFoldersOf(places(), ports.paths) };
  const problems = await withoutProvided(all, provided, ports.files);
  if (ports.paths.basename(path) !== 'graph.yaml') return problems;
  const { checkGraphAt } = await import('./graphs/checkGraph');
  return [...problems, ...(await checkGraphAt({ root, path, text }, parts, ports))];
}

function withText(files: FileSystem, path: string, text: string): FileSystem {
  const bytes = new TextEncoder().encode(text);
  return { ...files, readFile: (one) => (one === path ? Promise.resolve(bytes) : files.readFile(one)) };
}
