import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isAbort, throwIfAborted } from '../../base/abort';
import { errorText } from '../../base/errors';
import {
  contentNameProblem,
  OWN_SERVER_FILE,
  type PermissionRule,
  PermissionStore,
  sessionFromArchive,
} from '../../engine';
import { errorCode } from '../fileError';
import { exclusively } from '../locks/lockFile';
import { changeOwnServers, readOwnServers } from '../mcp/ownServerFile';
import { nodeFileSystem } from '../nodeFileSystem';
import { nodePaths } from '../nodePaths';
import type { ContentFolder, ImportItem, ItemContent, ItemKind, Secrets } from './importItem';
import { ImportLedger } from './importLedger';
import { placeFile, placeFolder, renamedInside } from './placeFiles';

/** `other`: a different value with that name exists and is kept. */
export type KeptSecret = 'kept' | 'same' | 'other';

/** Where to store secrets found in configuration; if absent, they are left out. */
export interface SecretSink {
  /** Stores all secrets at once, because each write takes a while. Returns the results in order. */
  keep(secrets: readonly (readonly [name: string, value: string])[]): Promise<readonly KeptSecret[]>;
}

export interface ImportTarget {
  /** Cairn's folder, absolute. */
  configFolder: string;
  /** For sessions without a workspace, absolute. */
  workspace: string;
  /** Cairn's bundled content, whose names are taken. */
  assetsFolder: string;
  secrets?: SecretSink | undefined;
  /** Display name of the place where secrets are stored. */
  secretPlace: string;
  /** Returns how the user can add a secret manually. */
  howToAdd: (name: string) => string;
  /** Reports what would be done without doing it. */
  dryRun: boolean;
  /** Names assigned so far; empty at first. Shared by all tools of an import, so that a dry run does not assign one twice either. */
  given: Set<string>;
  now: () => number;
}

export interface ReportRow {
  kind: ItemKind;
  name: string;
  from: string;
  outcome: 'copied' | 'already' | 'skipped' | 'failed';
  /** Absolute path, with `#NAME` for a server. */
  to?: string;
  /** Full sentences. */
  notes: readonly string[];
}

interface Written {
  to: string;
  notes: readonly string[];
  skipped?: boolean;
}

/** Copies the items in order while holding a lock against imports by other processes. An item that fails does not affect the others. */
export async function writeItems(
  items: readonly ImportItem[],
  tool: { id: string; strike: (text: string) => string },
  target: ImportTarget,
  { signal, onRow = () => undefined }: { signal: AbortSignal; onRow?: (row: ReportRow) => void },
): Promise<ReportRow[]> {
  const work = async () => {
    const writer = new ItemWriter(tool, target, await ImportLedger.open(target.configFolder));
    const rows: ReportRow[] = [];
    await writer.keepAll(items);
    for (const item of items) {
      throwIfAborted(signal);
      const row = await writer.write(item);
      rows.push(row);
      onRow(row);
    }
    return rows;
  };
  if (target.dryRun) return work();
  await mkdir(target.configFolder, { recursive: true });
  return exclusively(ImportLedger.lockFile(target.configFolder), work);
}

class ItemWriter {
  /** Keyed by name and value. */
  private readonly kept = new Map<string, KeptSecret>();

  constructor(
    private readonly tool: { id: string; strike: (text: string) => string },
    private readonly target: ImportTarget,
    private readonly ledger: ImportLedger,
  ) {}

  /** Stores the secrets before any file that refers to them is written. */
  async keepAll(items: readonly ImportItem[]): Promise<void> {
    const { secrets, dryRun } = this.target;
    if (!secrets || dryRun) return;
    const found = items.flatMap(({ name, content }) => [
      ...('secrets' in content ? content.secrets : []),
      ...(content.type === 'secret' ? [[name, content.value] as const] : []),
    ]);
    const all = [...new Map(found.map((one) => [one.join('\0'), one])).values()];
    if (all.length === 0) return;
    const kept = await secrets.keep(all);
    for (const [at, pair] of all.entries()) this.kept.set(pair.join('\0'), kept[at] ?? 'other');
  }

  async write(item: ImportItem): Promise<ReportRow> {
    const row = { kind: item.kind, name: item.name, from: item.from };
    const { content } = item;
    if (content.type === 'left') return { ...row, outcome: 'skipped', notes: [content.why, ...item.notes] };
    try {
      const digest = await this.digestOf(item);
      const before = this.ledger.find(digest);
      if (before !== undefined && (await this.isThere(before))) {
        const secrets = 'secrets' in content && this.target.secrets ? content.secrets : new Map<string, string>();
        return { ...row, outcome: 'already', to: this.shown(before), notes: this.keepSecrets(secrets) };
      }
      const { to, notes, skipped } = await this.put(item, digest);
      if (skipped) return { ...row, outcome: 'skipped', notes: [...notes, ...item.notes] };
      if (!this.target.dryRun) await this.ledger.add(digest, to, this.target.now());
      return { ...row, outcome: 'copied', to: this.shown(to), notes: [...notes, ...item.notes] };
    } catch (error) {
      if (isAbort(error)) throw error;
      return { ...row, outcome: 'failed', notes: [errorText(error), ...item.notes] };
    }
  }

  private async digestOf({ kind, name, content }: ImportItem): Promise<string> {
    const about = [this.tool.id, kind, name];
    switch (content.type) {
      case 'files':
        return ImportLedger.digest([
          ...about,
          // The same folder may be copied to two places.
          ...(content.folder === '.' ? ['.'] : []),
          ...content.files.flatMap(({ path: file, bytes }) => [file, bytes]),
        ]);
      case 'server':
        // Whether a server is enabled is not part of its identity.
        return ImportLedger.digest([...about, JSON.stringify({ ...content.server, disabled: undefined })]);
      case 'settings':
        return ImportLedger.digest([...about, content.text]);
      case 'rules':
        return ImportLedger.digest([...about, JSON.stringify(content.rules)]);
      case 'secret':
        return ImportLedger.digest([...about, content.value]);
      case 'session':
        return ImportLedger.digest([...about, await content.digest()]);
      case 'left':
        return ImportLedger.digest(about);
    }
  }

  private put(item: ImportItem, digest: string): Promise<Written> {
    const { content, name } = item;
    switch (content.type) {
      case 'files':
        return this.putFiles(item, content);
      case 'server':
        return this.putServer(name, content);
      case 'settings':
        return this.putSettings(content);
      case 'rules':
        return this.putRules(content.rules);
      case 'secret':
        return this.putSecret(name, content.value);
      case 'session':
        return this.putSession(content, digest);
      case 'left':
        throw new Error('The rest was not written.');
    }
  }

  private async putFiles(
    { kind, name }: Pick<ImportItem, 'kind' | 'name'>,
    { folder, single, files, secrets }: Extract<ItemContent, { type: 'files' }>,
  ): Promise<Written> {
    const [first] = files;
    // Tools are chosen by file, so those in several languages keep their names.
    const ending = folder === 'functions/tools' ? (first?.path ?? '') : '';
    const taken = await this.takenIn(folder, ending);
    const safe = kind === 'tool' && HIDDEN.test(name) ? name : safeName(name);
    const chosen = this.free(safe, taken, `${folder}${ending}`);
    const notes = [
      ...(safe === name ? [] : [`“${name}” is not a valid name here, so it was renamed to ${chosen}.`]),
      ...(chosen === safe ? [] : [`${safe} already exists, so it was renamed to ${chosen}.`]),
    ];
    const renamed = chosen === name ? files : files.map((file) => renamedInside(file, folder, single, chosen));
    const parent = path.join(this.target.configFolder, ...folder.split('/'));
    const base = single ? `${chosen}${first?.path ?? ''}` : chosen;
    if (!this.target.dryRun) {
      if (single) await placeFile(parent, base, renamed[0]);
      else await placeFolder(parent, base, renamed);
    }
    return { to: `${folder}/${base}`, notes: [...notes, ...this.keepSecrets(secrets)] };
  }

  private async putServer(
    name: string,
    { server, secrets }: { server: Readonly<Record<string, unknown>>; secrets: Secrets },
  ): Promise<Written> {
    const known = await readOwnServers(this.target.configFolder);
    const same = Object.entries(known).find(
      ([id, one]) => id === name && JSON.stringify(one) === JSON.stringify(server),
    );
    if (same) return { to: '', skipped: true, notes: ['The same server already exists.'] };
    const chosen = this.free(name, new Set(Object.keys(known).map(folded)), 'server');
    const notes = chosen === name ? [] : [`A server named ${name} already exists, so it was renamed to ${chosen}.`];
    if (!this.target.dryRun) {
      await changeOwnServers(this.target.configFolder, (servers) => ({ ...servers, [chosen]: server }));
    }
    return { to: `${OWN_SERVER_FILE}#${chosen}`, notes: [...notes, ...this.keepSecrets(secrets)] };
  }

  private async putSettings({ text, secrets, aside }: Extract<ItemContent, { type: 'settings' }>): Promise<Written> {
    const { configFolder, dryRun } = this.target;
    const taken = new Set((await namesIn(configFolder)).map(folded));
    const isOurs = taken.has('config.yaml') || this.target.given.has('settings/config.yaml');
    const isFirst = !aside && !isOurs;
    if (isFirst) this.target.given.add('settings/config.yaml');
    const base = isFirst ? 'config' : this.free(`config.${this.tool.id}`, withoutEndings(taken, '.yaml'), 'settings');
    const file = { path: '', bytes: Buffer.from(text), executable: false };
    if (!dryRun) await placeFile(configFolder, `${base}.yaml`, file);
    const why = isOurs ? 'A config.yaml already exists.' : 'It comes from a folder that you named.';
    const beside = `${why} ${base}.yaml has no effect; copy what you need from it.`;
    return { to: `${base}.yaml`, notes: [...(isFirst ? [] : [beside]), ...this.keepSecrets(secrets)] };
  }

  /** Imports rules that ask or deny: they cannot allow anything. */
  private async putRules(rules: readonly PermissionRule[]): Promise<Written> {
    const { configFolder, dryRun } = this.target;
    if (rules.some(({ action }) => action === 'allow')) throw new Error('A rule that allows is not imported.');
    const ports = { files: nodeFileSystem(false), paths: nodePaths() };
    if (!dryRun) await new PermissionStore(configFolder, ports).add('user', configFolder, rules);
    return { to: 'permissions.json', notes: [] };
  }

  private async putSecret(name: string, value: string): Promise<Written> {
    const { secrets, howToAdd } = this.target;
    if (!secrets) return { to: '', skipped: true, notes: [`It may be a secret. Store it with: ${howToAdd(name)}.`] };
    return { to: `vault#${name}`, notes: this.keepSecrets(new Map([[name, value]])) };
  }

  private async putSession(
    { read }: Extract<ImportItem['content'], { type: 'session' }>,
    digest: string,
  ): Promise<Written> {
    const { session, problems } = await read();
    const id = uuidOf(digest);
    const { configFolder, workspace, now, dryRun } = this.target;
    const place = { id, workspace, importedAt: now(), strike: this.tool.strike };
    const { metadata, entries } = sessionFromArchive(session, place);
    const to = `sessions/${id}`;
    if (entries.length === 0) return { to, skipped: true, notes: ['It is empty.', ...problems] };
    if (!dryRun) {
      const history = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      await placeFolder(path.join(configFolder, 'sessions'), id, [
        { path: 'history.jsonl', bytes: Buffer.from(history), executable: false },
        { path: 'metadata.json', bytes: Buffer.from(JSON.stringify(metadata, undefined, 2)), executable: false },
      ]);
    }
    return { to, notes: [`It is called “${metadata.title}”.`, ...problems] };
  }

  private keepSecrets(secrets: Secrets): string[] {
    const notes: string[] = [];
    for (const [name, value] of secrets) {
      const { secrets: sink, dryRun, howToAdd, secretPlace } = this.target;
      if (!sink) notes.push(`Its secret ${name} was left out. Store it with: ${howToAdd(name)}.`);
      else if (dryRun) notes.push(`Its secret will be stored in ${secretPlace} as ${name}.`);
      else {
        const kept = this.kept.get(`${name}\0${value}`);
        const other = `${secretPlace} already has another ${name}, which was kept. Compare the two.`;
        notes.push(kept === 'other' ? other : `Its secret is in ${secretPlace} as ${name}.`);
      }
    }
    return notes;
  }

  private async isThere(to: string): Promise<boolean> {
    const [file = '', id] = to.split('#');
    if (file === 'vault') return true;
    if (id !== undefined) return Object.hasOwn(await readOwnServers(this.target.configFolder), id);
    return existsSync(path.join(this.target.configFolder, file));
  }

  private shown(to: string): string {
    return to.startsWith('vault#')
      ? `${this.target.secretPlace}: ${to.slice('vault#'.length)}`
      : path.join(this.target.configFolder, to);
  }

  /** Returns a name that neither Cairn's files nor this run uses. */
  private free(name: string, taken: ReadonlySet<string>, where: string): string {
    const isTaken = (one: string) => taken.has(folded(one)) || this.target.given.has(`${where}/${folded(one)}`);
    let chosen = name;
    for (let count = 1; isTaken(chosen); count++) {
      chosen = `${name.slice(0, 50)}-${this.tool.id}${count === 1 ? '' : `-${count}`}`;
    }
    this.target.given.add(`${where}/${folded(chosen)}`);
    return chosen;
  }

  /** `ending`: only files that end so count; without one, files and folders of any ending. */
  private async takenIn(folder: ContentFolder, ending: string): Promise<Set<string>> {
    const { configFolder, assetsFolder } = this.target;
    const all = (await Promise.all([configFolder, assetsFolder].map((one) => namesIn(path.join(one, folder))))).flat();
    if (ending !== '') return withoutEndings(new Set(all.filter((name) => name.endsWith(ending)).map(folded)), ending);
    return new Set(all.map((name) => folded(name.replace(/\.(?:md|ya?ml)$/, ''))));
  }
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

/** What agents share keeps its name, by which their scripts load it. */
const HIDDEN = /^\.[A-Za-z0-9_-]+$/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Makes a name valid as a file name on every platform and for Cairn. */
function safeName(name: string): string {
  const made = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .slice(0, 64);
  if (made === '' || contentNameProblem(made) !== undefined) return 'imported';
  return RESERVED.test(made) ? `${made}-` : made;
}

function uuidOf(digest: string): string {
  const variant = ((parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
