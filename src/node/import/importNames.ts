import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { contentNameProblem } from '../../engine';
import { errorCode } from '../fileError';
import { readOwnServers } from '../mcp/ownServerFile';
import type { ImportItem, ItemContent } from './importItem';

type FilesContent = Extract<ItemContent, { type: 'files' }>;

export interface NamePlaces {
  /** Cairn's folder, absolute. */
  configFolder: string;
  /** Cairn's bundled content, whose names are taken. */
  assetsFolder: string;
  /** Names assigned so far; empty at first. Shared by all tools of an import, so that a dry run does not assign one twice either. */
  given: Set<string>;
}

/** Gives the items of an import names that neither Cairn's files nor other items have. */
export class ImportNames {
  constructor(
    private readonly tool: string,
    private readonly target: NamePlaces,
  ) {}

  async forFiles(item: Pick<ImportItem, 'kind' | 'name'>, { folder, files: [first] }: FilesContent): Promise<string> {
    // Tools are chosen by file, so those in several languages keep their names.
    const ending = folder === 'functions/tools' ? (first?.path ?? '') : '';
    return this.free(validName(item), await this.takenIn(folder, ending), `${folder}${ending}`);
  }

  /** An equal server keeps its name, since it is not imported again. */
  async forServer(name: string, server: Readonly<Record<string, unknown>>): Promise<string> {
    const known = await readOwnServers(this.target.configFolder);
    if (isSameServer(known, name, server)) return name;
    return this.free(name, new Set(Object.keys(known).map(folded)), 'server');
  }

  /** Returns a name without its ending. `isAside`: `config.yaml` is not to be taken, even if it is free. */
  async forSettings(isAside: boolean): Promise<{ base: string; isTaken: boolean }> {
    const taken = new Set((await namesIn(this.target.configFolder)).map(folded));
    const isTaken = taken.has('config.yaml') || this.target.given.has('settings/config.yaml');
    if (isAside || isTaken)
      return { base: this.free(`config.${this.tool}`, withoutEndings(taken, '.yaml'), 'settings'), isTaken };
    this.target.given.add('settings/config.yaml');
    return { base: 'config', isTaken };
  }

  private free(name: string, taken: ReadonlySet<string>, where: string): string {
    const isTaken = (one: string) => taken.has(folded(one)) || this.target.given.has(`${where}/${folded(one)}`);
    let chosen = name;
    for (let count = 1; isTaken(chosen); count++) {
      chosen = `${name.slice(0, 50)}-${this.tool}${count === 1 ? '' : `-${count}`}`;
    }
    this.target.given.add(`${where}/${folded(chosen)}`);
    return chosen;
  }

  /** `ending`: only files that end so count; without one, files and folders of any ending. */
  private async takenIn(folder: string, ending: string): Promise<Set<string>> {
    const { configFolder, assetsFolder } = this.target;
    const all = (await Promise.all([configFolder, assetsFolder].map((one) => namesIn(path.join(one, folder))))).flat();
    if (ending !== '') return withoutEndings(new Set(all.filter((name) => name.endsWith(ending)).map(folded)), ending);
    return new Set(all.map((name) => folded(name.replace(/\.(?:md|ya?ml)$/, ''))));
  }
}

export function isSameServer(
  known: Readonly<Record<string, unknown>>,
  name: string,
  server: Readonly<Record<string, unknown>>,
): boolean {
  return Object.hasOwn(known, name) && JSON.stringify(known[name]) === JSON.stringify(server);
}

/** What agents share keeps its name, by which their scripts load it. */
const HIDDEN = /^\.[A-Za-z0-9_-]+$/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Makes a name valid as a file name on every platform and for Cairn. */
export function validName({ kind, name }: Pick<ImportItem, 'kind' | 'name'>): string {
  if (kind === 'tool' && HIDDEN.test(name)) return name;
  const made = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .slice(0, 64);
  if (made === '' || contentNameProblem(made) !== undefined) return 'imported';
  return RESERVED.test(made) ? `${made}-` : made;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** Many file systems are case-insensitive. */
function folded(name: string): string {
  return name.toLowerCase();
}

function withoutEndings(names: ReadonlySet<string>, ending: string): Set<string> {
  return new Set([...names].map((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : name)));
}
