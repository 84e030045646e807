import { matchesWildcard } from '../../base/matching';
import { EngineError } from '../engineError';
import type { DirectoryEntry, FileSystem, PathStyle } from '../ports';
import type {
  JudgedFile,
  JudgedPart,
  JudgedPath,
  PermissionQuery,
  ResolvedQuery,
  ToolCategory,
} from './permissionRule';
import { bareRepository } from './bareRepository';
import { protectedPart } from './protectedPaths';
import { judgeCommand, takenForOption } from './shell/judgeCommand';
import type { ShellKind } from './shell/shellParts';
import { isOptionName, type TouchedFile } from './shell/touched/touchedFiles';

/** The folders and the shell that a call is judged by. */
export interface JudgedPlaces {
  /** Absolute folder that relative paths are resolved against. */
  workspace: string;
  /** Absolute folders that count as the workspace too. */
  folders: readonly string[];
  /** Absolute folders where reading is like reading the workspace: the session's, with long outputs, and those of skills. */
  readable: readonly string[];
  /** The shell that parses its commands. */
  shell: ShellKind;
}

type PathPorts = { files: FileSystem; paths: PathStyle };
type ResolvePath = (path: string, how: ResolvedUse) => Promise<JudgedPath>;

interface Resolver {
  resolve: ResolvePath;
  /** Resolves to a name that the pattern matches and that is an option; undefined if there is none. */
  foundOption: (pattern: TouchedFile) => Promise<string | undefined>;
}

/** The way a path is used. */
interface ResolvedUse {
  category: ToolCategory;
  /** With everything in it. */
  isDeep?: boolean;
  /** The shell expands the path as a pattern; `read` if the matches are only read. */
  pattern?: 'read' | 'changed';
}

/** Whether a relative path enters a folder and leaves it again. */
function goesBackOut(path: string): boolean {
  const parts = path.split('/');
  const entered = parts.findIndex((part) => /[^.]/.test(part));
  return !path.startsWith('/') && entered >= 0 && parts.includes('..', entered);
}

/** A folder with more entries was built or downloaded, so it is not searched any further. */
const MOST_ENTRIES = 20_000;
const MOST_NAMED = 2000;
/** Kinds of use that affect everything in a folder. */
const DEEP_KINDS: ReadonlySet<string> = new Set(['remove', 'copy']);
const READ_KINDS: ReadonlySet<string> = new Set(['read', 'use', 'reach', 'copy', 'enter']);

/** Resolves symbolic links before anything is judged, so that a link cannot lead out of the workspace unnoticed. */
export async function resolveQuery(
  query: PermissionQuery,
  places: JudgedPlaces,
  ports: PathPorts,
): Promise<ResolvedQuery> {
  const { paths: asked = [], command: line, ...rest } = query;
  const commands = line === undefined ? [] : judgeCommand(line, places.shell);
  if (asked.length === 0 && commands.every(({ files }) => files.length === 0)) {
    const parts = commands.map((part) => ({ ...part, files: [] }));
    return { ...rest, paths: [], ...(line !== undefined && { command: { line, parts } }) };
  }
  const { resolve, foundOption } = await resolver(places, ports);
  const paths = await Promise.all(
    asked.map((one) => resolve(one, { category: query.category, isDeep: query.removes === true })),
  );
  if (line === undefined) return { ...rest, paths };
  const parts = commands.map(async (part): Promise<JudgedPart> => {
    const taken = part.files.map(async (file) => {
      const name = file.kind === 'option' ? await foundOption(file) : undefined;
      return name === undefined ? [] : [takenForOption(file.text, name)];
    });
    const [option = null] = (await Promise.all(taken)).flat();
    const bare = await bareIn(part.files, places, ports);
    const touched = part.files.filter(({ kind }) => kind !== 'option' && kind !== 'repository');
    const files = touched.map(async (file): Promise<readonly JudgedFile[]> => {
      if (file.kind === 'name')
        return [{ ...file, paths: file.paths?.map((one) => writtenPath(one, places, ports.paths)) ?? null }];
      const category: ToolCategory = READ_KINDS.has(file.kind) ? 'read' : 'write';
      const pattern = { pattern: category === 'read' ? 'read' : 'changed' } as const;
      const use = { category, isDeep: DEEP_KINDS.has(file.kind), ...(file.isPattern && pattern) };
      const judged = file.paths?.map((one) => resolve(one, use));
      return [{ ...file, paths: judged ? await Promise.all(judged) : null }, ...(await matchesOf(file, places, ports))];
    });
    return { ...part, unread: part.unread ?? option ?? bare, files: (await Promise.all(files)).flat() };
  });
  return { ...rest, paths, command: { line, parts: await Promise.all(parts) } };
}

async function resolver(places: JudgedPlaces, { files, paths }: PathPorts): Promise<Resolver> {
  const workspace = await files.realPath(places.workspace);
  const realOne = async (folder: string) => (folder === places.workspace ? workspace : files.realPath(folder));
  const real = (folders: readonly string[]) => Promise.all(folders.map(realOne));
  const [folders, readable] = await Promise.all([real(places.folders), real(places.readable)]);
  const isBelow = (path: string) => (folder: string) => !leadsOut(paths.relative(folder, path), paths);
  const isOutside = (path: string) => ![workspace, ...folders.filter((one) => one !== workspace)].some(isBelow(path));
  /** After a link, `..` is the parent of its target to the system, but the parent of the link to a shell: the stricter one counts. */
  const pathOf = async (one: string) => {
    const path = await files.realPath(paths.resolve(places.workspace, one));
    if (!goesBackOut(one)) return path;
    let walked = workspace;
    for (const part of one.split('/')) walked = await files.realPath(paths.resolve(walked, part));
    return isOutside(walked) || protectedPart(paths.relative(workspace, walked)) !== undefined ? walked : path;
  };
  /**
   * Returns the first match of a pattern that needs approval, or the pattern itself if there are too many matches. Reading a file
   * by a name that is itself protected does not need approval here, as in a search.
   */
  const ledTo = async (pattern: string, use: 'read' | 'changed') => {
    const matches = await patternMatches(pattern, MOST_ENTRIES, { files, paths });
    if (!matches) return pattern;
    const needsApproval = ({ named, real: path }: PatternMatch) => {
      const outside = isOutside(path);
      if (use === 'changed' && outside) return true;
      if (protectedPart(outside ? path : paths.relative(workspace, path)) === undefined) return false;
      return use === 'changed' || protectedPart(paths.relative(places.workspace, named)) === undefined;
    };
    return matches.find(needsApproval)?.real;
  };
  const foundOption = ({ text, paths: within }: TouchedFile) => {
    const absolute = (within ?? []).map((folder) => paths.resolve(places.workspace, folder));
    return optionIn(absolute, text, files);
  };
  const resolve: ResolvePath = async (one, { category, isDeep, pattern }) => {
    const remote = /^[/\\]{2}/.test(one) ? paths.resolve(one) : '';
    if (isOnServer(remote) && ![workspace, places.workspace, ...folders, ...readable].some(isBelow(remote)))
      return { path: remote, relative: paths.relative(workspace, remote), outside: true };
    const led = pattern && (await ledTo(paths.resolve(places.workspace, one), pattern));
    const path = led ?? (await pathOf(one));
    const relative = paths.relative(workspace, path);
    const own = category === 'read' ? readable.find(isBelow(path)) : undefined;
    const outside = own === undefined && isOutside(path);
    const holds = isDeep && !outside ? await protectedBelow(path, workspace, { files, paths }) : undefined;
    const within = own === undefined ? {} : { within: paths.relative(own, path) };
    const holding = holds === undefined ? {} : { holds: paths.relative(workspace, holds) };
    return { path, relative, outside, ...within, ...holding };
  };
  return { resolve, foundOption };
}

/** Returns a path as it is written, without looking for links. */
function writtenPath(one: string, { workspace }: JudgedPlaces, paths: PathStyle): JudgedPath {
  const path = paths.resolve(workspace, one);
  return { path, relative: paths.relative(workspace, path), outside: false };
}

/** Resolves to the names that a pattern matches, as a file that may be one of them; empty for anything else. */
async function matchesOf(
  { kind, text, paths: all, isPattern }: TouchedFile,
  places: JudgedPlaces,
  ports: PathPorts,
): Promise<readonly JudgedFile[]> {
  if (kind !== 'use' || !isPattern || !all) return [];
  const patterns = all.map((one) => writtenPath(one, places, ports.paths));
  const within = patterns.filter(({ relative }) => !leadsOut(relative, ports.paths));
  const found = await Promise.all(within.map(({ path }) => patternMatches(path, MOST_NAMED, ports)));
  if (found.includes(undefined)) return [{ kind: 'name', text, paths: null }];
  const named = found.flatMap((matches) => matches ?? []).map((one) => writtenPath(one.named, places, ports.paths));
  return [{ kind: 'name', text, paths: named }];
}

/** Resolves to why a command asks if Git would find a repository without a working tree, as a sentence. */
async function bareIn(
  all: readonly TouchedFile[],
  places: JudgedPlaces,
  { files, paths }: PathPorts,
): Promise<string | null> {
  const folders = all.flatMap((file) => (file.kind === 'repository' ? (file.paths ?? []) : []));
  for (const folder of new Set(folders.map((one) => paths.resolve(places.workspace, one)))) {
    if (isOnServer(folder)) continue;
    const [from, workspace] = [await files.realPath(folder), await files.realPath(places.workspace)];
    const bare = await bareRepository(from, workspace, { files, paths });
    if (bare !== undefined)
      return `${bare} is a repository without a working tree; Git would run what its settings say.`;
  }
  return null;
}

/**
 * Whether a path leads to a server in a Windows network. Even looking whether it exists sends that server a sign-in, so it is
 * judged as written.
 */
export function isOnServer(path: string): boolean {
  return path.startsWith('\\\\');
}

/** Resolves to a name in one of the folders that the pattern matches and that is an option. */
async function optionIn(folders: readonly string[], pattern: string, files: FileSystem): Promise<string | undefined> {
  const entries = folders.map(async (folder) => entriesOf(files, await files.realPath(folder)));
  const [first = ''] = pattern.split('/', 1);
  // Brackets may match anything.
  const name = first.replace(/\[[^]*\]/, '*');
  return (await Promise.all(entries)).flat().find((one) => isOptionName(one.name) && matchesWildcard(name, one.name))
    ?.name;
}

/**
 * Returns the first protected path in a folder or below it, without looking into `node_modules`. For a pattern, everything that
 * begins like it counts. Beyond `MOST_ENTRIES` it returns the entry that it stopped at.
 */
async function protectedBelow(
  folder: string,
  workspace: string,
  { files, paths }: PathPorts,
): Promise<string | undefined> {
  const [, parent = folder, prefix = ''] = /^(.*?)\/([^/*?[]*)[*?[].*$/s.exec(folder) ?? [];
  // Some names are protected only in combination with the folder around them.
  const around = parent === workspace ? parent : paths.resolve(parent, '..');
  const folders = [parent];
  let seen = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const isPattern = seen === 0 && parent !== folder;
    const entries = await entriesOf(files, next);
    for (const { name, kind } of entries) {
      if (isPattern && (!name.startsWith(prefix) || (prefix === '' && name.startsWith('.')))) continue;
      const path = paths.resolve(next, name);
      if (protectedPart(paths.relative(around, path)) !== undefined || ++seen > MOST_ENTRIES) return path;
      if (kind === 'directory' && name !== 'node_modules') folders.push(path);
    }
  }
  return undefined;
}

/** On Windows, the relative path to another drive is absolute. */
function leadsOut(relative: string, paths: PathStyle): boolean {
  return relative === '..' || relative.startsWith('../') || paths.isAbsolute(relative);
}

/** A path by the names that lead to it, and its real path. */
interface PatternMatch {
  named: string;
  real: string;
}

const WILD = /[*?[]/;

/**
 * Returns what a shell pattern, an absolute path with slashes, may match: too much rather than too little, since only the literal
 * beginning of each wildcard name counts. Undefined if that is more than `most`.
 */
async function patternMatches(
  pattern: string,
  most: number,
  { files, paths }: PathPorts,
): Promise<readonly PatternMatch[] | undefined> {
  const names = pattern.split('/');
  const first = names.findIndex((name) => WILD.test(name));
  const base = names.slice(0, first).join('/') || '/';
  let found: PatternMatch[] = [{ named: base, real: await files.realPath(base) }];
  for (const name of names.slice(first)) {
    const next = await Promise.all(found.map((folder) => matchesIn(folder, name, { files, paths })));
    found = next.flat();
    if (found.length > most) return undefined;
  }
  return found;
}

async function matchesIn(folder: PatternMatch, name: string, ports: PathPorts): Promise<PatternMatch[]> {
  const { files, paths } = ports;
  const below = (entry: string) => paths.resolve(folder.real, entry);
  const named = (entry: string) => paths.resolve(folder.named, entry);
  if (!WILD.test(name)) return [{ named: named(name), real: await files.realPath(below(name)) }];
  // Some file systems ignore case.
  const beginning = name.slice(0, name.search(WILD)).toLowerCase();
  const meant = (await entriesOf(files, folder.real)).filter(
    (entry) =>
      entry.name.toLowerCase().startsWith(beginning) && (beginning.startsWith('.') || !entry.name.startsWith('.')),
  );
  return Promise.all(
    meant.map(async ({ name: entry, kind }) => ({
      named: named(entry),
      real: kind === 'symlink' ? await files.realPath(below(entry)) : below(entry),
    })),
  );
}

/** Returns nothing for a path that is not a folder or cannot be read. */
async function entriesOf(files: FileSystem, folder: string): Promise<DirectoryEntry[]> {
  try {
    return await files.readDirectory(folder);
  } catch (error) {
    if (EngineError.is(error)) return [];
    throw error;
  }
}
