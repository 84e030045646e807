import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isAbort, throwIfAborted } from '../../base/abort';
import { errorText } from '../../base/errors';
import { OWN_SERVER_FILE, type PermissionRule, PermissionStore, sessionFromArchive } from '../../engine';
import { exclusively } from '../locks/lockFile';
import { changeOwnServers, readOwnServers } from '../mcp/ownServerFile';
import { nodeFileSystem } from '../nodeFileSystem';
import { nodePaths } from '../nodePaths';
import { followRenames, type Renames } from './followRenames';
import type { ImportItem, ItemContent, ItemKind, Secrets } from './importItem';
import { ImportLedger } from './importLedger';
import { ImportNames, isSameServer, type NamePlaces, validName } from './importNames';
import { placeFile, placeFolder, renamedInside } from './placeFiles';

/** `other`: a different value with that name exists and is kept. */
export type KeptSecret = 'kept' | 'same' | 'other';

/** Where to store secrets found in configuration; if absent, they are left out. */
export interface SecretSink {
  /** Stores all secrets at once, because each write takes a while. Returns the results in order. */
  keep(secrets: readonly (readonly [name: string, value: string])[]): Promise<readonly KeptSecret[]>;
}

export interface ImportTarget extends NamePlaces {
  /** For sessions without a workspace, absolute. */
  workspace: string;
  secrets?: SecretSink | undefined;
  /** Display name of the place where secrets are stored. */
  secretPlace: string;
  /** Returns how the user can add a secret manually. */
  howToAdd: (name: string) => string;
  /** Reports what would be done without doing it. */
  dryRun: boolean;
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
    await writer.nameAll(items);
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
  private readonly names: ImportNames;
  private readonly nameOf = new Map<ItemContent, string | { problem: string }>();
  private readonly renames = {
    agents: new Map<string, string>(),
    roles: new Map<string, string>(),
    skills: new Map<string, string>(),
    servers: new Map<string, string>(),
  } satisfies Renames;

  constructor(
    private readonly tool: { id: string; strike: (text: string) => string },
    private readonly target: ImportTarget,
    private readonly ledger: ImportLedger,
  ) {
    this.names = new ImportNames(tool.id, target);
  }

  /** Chooses all names before any file that refers to them is written. Items that were imported before keep theirs. */
  async nameAll(items: readonly ImportItem[]): Promise<void> {
    for (const item of items) {
      try {
        await this.giveName(item);
      } catch (error) {
        if (isAbort(error)) throw error;
        this.nameOf.set(item.content, { problem: errorText(error) });
      }
    }
  }

  private async giveName(item: ImportItem): Promise<void> {
    const { content, name } = item;
    if (content.type !== 'files' && content.type !== 'server') return;
    const before = this.ledger.find(await this.digestOf(item));
    const isThere = before !== undefined && (await this.isThere(before));
    const chosen = isThere
      ? nameIn(before, content)
      : content.type === 'files'
        ? await this.names.forFiles(item, content)
        : await this.names.forServer(name, content.server);
    this.nameOf.set(content, chosen);
    if (chosen !== name) this.renamesOf(item)?.set(name, chosen);
  }

  private renamesOf({ kind, content }: ImportItem): Map<string, string> | undefined {
    if (content.type === 'server') return this.renames.servers;
    if (content.type !== 'files' || kind === 'tool') return undefined;
    const { folder } = content;
    return folder === 'agents' || folder === 'roles' || folder === 'skills' ? this.renames[folder] : undefined;
  }

  private named(content: ItemContent): string {
    const name = this.nameOf.get(content);
    if (typeof name === 'string') return name;
    throw new Error(name?.problem ?? 'The item has no name yet.');
  }

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
    content: Extract<ItemContent, { type: 'files' }>,
  ): Promise<Written> {
    const { folder, single, files, secrets } = content;
    const chosen = this.named(content);
    const valid = validName({ kind, name });
    const notes = [
      ...(valid === name ? [] : [`“${name}” is not a valid name here, so it was renamed to ${chosen}.`]),
      ...(chosen === valid ? [] : [`${valid} already exists, so it was renamed to ${chosen}.`]),
    ];
    const own = chosen === name ? files : files.map((file) => renamedInside(file, folder, single, chosen));
    const followed = await Promise.all(own.map((file) => followRenames(file, content, this.renames)));
    const written = followed.map(({ file }) => file);
    const parent = path.join(this.target.configFolder, ...folder.split('/'));
    const base = single ? `${chosen}${files[0]?.path ?? ''}` : chosen;
    if (!this.target.dryRun) {
      if (single) await placeFile(parent, base, written[0]);
      else await placeFolder(parent, base, written);
    }
    const all = [...notes, ...followed.flatMap((one) => one.notes), ...this.keepSecrets(secrets)];
    return { to: `${folder}/${base}`, notes: all };
  }

  private async putServer(name: string, content: Extract<ItemContent, { type: 'server' }>): Promise<Written> {
    const { server, secrets } = content;
    const { configFolder, dryRun } = this.target;
    if (isSameServer(await readOwnServers(configFolder), name, server))
      return { to: '', skipped: true, notes: ['The same server already exists.'] };
    const chosen = this.named(content);
    const notes = chosen === name ? [] : [`A server named ${name} already exists, so it was renamed to ${chosen}.`];
    if (!dryRun) await changeOwnServers(configFolder, (servers) => ({ ...servers, [chosen]: server }));
    return { to: `${OWN_SERVER_FILE}#${chosen}`, notes: [...notes, ...this.keepSecrets(secrets)] };
  }

  private async putSettings({ text, secrets, aside }: Extract<ItemContent, { type: 'settings' }>): Promise<Written> {
    const { configFolder, dryRun } = this.target;
    const { base, isTaken } = await this.names.forSettings(aside);
    const read = { path: '', bytes: Buffer.from(text), executable: false };
    const { file, notes } = await followRenames(read, { folder: 'settings', single: true }, this.renames);
    if (!dryRun) await placeFile(configFolder, `${base}.yaml`, file);
    const why = isTaken ? 'A config.yaml already exists.' : 'It comes from a folder that you named.';
    const beside = `${why} ${base}.yaml has no effect; copy what you need from it.`;
    const isFirst = base === 'config';
    return { to: `${base}.yaml`, notes: [...(isFirst ? [] : [beside]), ...notes, ...this.keepSecrets(secrets)] };
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

/** Returns the name of an item that was imported to a place before. */
function nameIn(to: string, content: ItemContent): string {
  const [file = '', id] = to.split('#');
  const ending = content.type === 'files' && content.single ? (content.files[0]?.path ?? '') : '';
  return id ?? path.posix.basename(file, ending);
}
