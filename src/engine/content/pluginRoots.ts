import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import type { ContentProblem, ContentWorld } from './contentProblem';
import { type ContentPlaces, type ContentRoot, type FoundKind, isBelow, PLUGIN_MARKS } from './contentRoots';

/** The conventions by which the files of a plugin are read. */
const WORLDS: Readonly<Record<(typeof PLUGIN_MARKS)[number], ContentWorld>> = {
  '.claude-plugin': 'claude',
  '.github/plugin': 'copilot',
  '.cursor-plugin': 'cursor',
  '.codex-plugin': 'codex',
  'gemini-extension.json': 'gemini',
};
const MARKETPLACE = 'marketplace.json';
const MAX_PLUGINS = 300;

const paths = z.optional(z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined));
const partsSchema = z.object({ agents: paths, skills: paths, commands: paths });
const listSchema = z.lazy(() =>
  z.object({
    metadata: z.optional(z.object({ pluginRoot: z.optional(z.string()) })),
    plugins: z.array(z.extend(partsSchema, { name: z.string(), source: z.unknown() })),
  }),
);
type Parts = z.infer<typeof partsSchema>;

interface PluginRoots {
  /** In order of precedence. */
  roots: readonly ContentRoot[];
  problems: readonly ContentProblem[];
}

interface Ports {
  files: FileSystem;
  paths: PathStyle;
}

/**
 * Returns the content of plugins: of a workspace that is a plugin, and of those that its marketplace lists with a path inside it.
 * Ignores their hooks and MCP servers.
 */
export async function pluginRoots(
  kind: FoundKind,
  { workspaceFolders }: Pick<ContentPlaces, 'workspaceFolders'>,
  ports: Ports,
): Promise<PluginRoots> {
  if (kind === 'roles') return { roots: [], problems: [] };
  const problems: ContentProblem[] = [];
  const found = await Promise.all(
    [...workspaceFolders].reverse().map((workspace) => new PluginReader(workspace, ports, problems).roots(kind)),
  );
  return { roots: found.flat(), problems };
}

class PluginReader {
  constructor(
    private readonly workspace: string,
    private readonly ports: Ports,
    private readonly problems: ContentProblem[],
  ) {}

  async roots(kind: Exclude<FoundKind, 'roles'>): Promise<ContentRoot[]> {
    const { workspace } = this;
    const list = await this.list();
    const base = list?.metadata?.pluginRoot ?? '.';
    const listed = (list?.plugins ?? []).slice(0, MAX_PLUGINS).flatMap((one) => {
      // Plugins hosted elsewhere are not downloaded.
      if (typeof one.source !== 'string') return [];
      const folder = this.inside(workspace, one.source) ?? this.inside(workspace, `${base}/${one.source}`);
      return folder === undefined ? [] : [{ folder, base: this.inside(workspace, `${base}/${one.source}`), said: one }];
    });
    const isPlugin = (await this.manifest(workspace)) !== undefined;
    const rest = await Promise.all(listed.map(async (one) => this.rootsOf(kind, await this.actual(one), one.said)));
    return [...rest.flat(), ...(isPlugin ? await this.rootsOf(kind, workspace, {}) : [])].filter(isFirst);
  }

  private async list(): Promise<z.infer<typeof listSchema> | undefined> {
    for (const mark of PLUGIN_MARKS) {
      if (mark.endsWith('.json')) continue;
      const list = await this.read(this.workspace, `${mark}/${MARKETPLACE}`, listSchema);
      if (list) return list;
    }
    return undefined;
  }

  /** Returns the manifest of a plugin, and the world of the first tool it has one for. */
  private async manifest(plugin: string): Promise<{ said: Parts; world: ContentWorld } | undefined> {
    for (const mark of PLUGIN_MARKS) {
      const said = await this.read(plugin, mark.endsWith('.json') ? mark : `${mark}/plugin.json`, partsSchema);
      if (said) return { said, world: WORLDS[mark] };
    }
    return undefined;
  }

  /** Returns the folder below the list's common base if it exists, otherwise the one without it. */
  private async actual({ folder, base }: { folder: string; base: string | undefined }): Promise<string> {
    return base !== undefined && (await this.isThere(base)) ? base : folder;
  }

  private async rootsOf(kind: Exclude<FoundKind, 'roles'>, plugin: string, listed: Parts): Promise<ContentRoot[]> {
    const { said = {}, world = 'claude' } = (await this.manifest(plugin)) ?? {};
    const named = [said[kind] ?? [], listed[kind] ?? []].flat();
    const usual = this.ports.paths.resolve(plugin, kind);
    const root = { scope: 'workspace', world, within: this.workspace, plugin } as const;
    const more = await Promise.all(
      named.map(async (path): Promise<ContentRoot[]> => {
        const at = this.inside(plugin, path);
        if (at === undefined || isBelow(at, usual, this.ports.paths) || at === usual) return [];
        const above = this.ports.paths.dirname(at);
        if (kind === 'skills' && (await this.isThere(this.ports.paths.resolve(at, 'SKILL.md'))))
          return [{ ...root, folder: above, only: [this.ports.paths.resolve(at, 'SKILL.md')] }];
        if (at.endsWith('.md')) return [{ ...root, folder: above, only: [at] }];
        return at === plugin ? [] : [{ ...root, folder: at }];
      }),
    );
    return [{ ...root, folder: usual }, ...more.flat()];
  }

  /** Returns undefined if the path leads out of the folder. */
  private inside(folder: string, path: string): string | undefined {
    const at = this.ports.paths.resolve(folder, path.replace(/\/+$/, '') || '.');
    return at === folder || isBelow(at, folder, this.ports.paths) ? at : undefined;
  }

  private async isThere(path: string): Promise<boolean> {
    return (await this.ports.files.find(path).catch(() => undefined)) !== undefined;
  }

  private async read<T>(folder: string, name: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
    const path = this.ports.paths.resolve(folder, name);
    try {
      const text = new TextDecoder().decode(await readRepositoryFile(path, this.workspace, this.ports));
      const read = schema.safeParse(JSON.parse(text));
      if (read.success) return read.data;
      this.tell(path, read.error.issues[0]?.message ?? 'it is not a list of plugins');
    } catch (error) {
      if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return undefined;
      if (!EngineError.is(error) && !(error instanceof SyntaxError)) throw error;
      this.tell(path, errorText(error));
    }
    return undefined;
  }

  private tell(path: string, why: string): void {
    const message = `This plugin was left out: ${why}`;
    this.problems.push({ kind: 'io', severity: 'error', path, line: 1, column: 1, message });
  }
}

function isFirst(root: ContentRoot, at: number, all: readonly ContentRoot[]): boolean {
  const key = ({ folder, only }: ContentRoot) => `${folder} ${only?.join(' ') ?? ''}`;
  return all.findIndex((one) => key(one) === key(root)) === at;
}
