import { isRecord } from '../../base/isRecord';
import { sameJson } from '../../base/sameJson';

type Fields = Readonly<Record<string, unknown>>;

/** A server as it is written in a file. */
export interface WrittenServer {
  readonly id: string;
  /** Unchecked. */
  readonly fields: unknown;
  /** The path to it within the file. */
  readonly where: readonly string[];
  /** It says everything about the server, whatever earlier files say. */
  readonly isWhole?: boolean;
}

/** What a server in version 1 says at the least. */
const SERVER_KEYS = ['type', 'enabled', 'disabled', 'command', 'url'];
/** What a server is. */
const START_KEYS = ['type', 'command', 'args', 'url'];
/** Fields without effect in Cairn. */
const UNUSED = new Set(['timeout', 'codemode']);
/** Fields of which a later file can change a part. */
const PARTS = ['environment', 'env', 'headers', 'oauth'];

/** Returns the servers in the settings of OpenCode: by name, as in version 1, or under `servers`, as in version 2. */
export function openCodeServers(found: Fields, where: readonly string[]): WrittenServer[] {
  const { servers, timeout } = found;
  const isNested = isObject(servers) && !isServer(servers);
  const isTimeout = !isObject(timeout) || !isServer(timeout);
  const flat = Object.entries(found).filter(
    ([id]) => !(id === 'servers' && isNested) && !(id === 'timeout' && isTimeout),
  );
  const nested = isNested ? Object.entries(servers) : [];
  const inside = [...where, 'servers'];
  const all = new Map(flat.map(([id, fields]) => [id, written(id, fields, [...where, id])]));
  for (const [id, fields] of nested) {
    all.set(id, { ...written(id, fields, [...inside, id]), isWhole: isObject(fields) && startsSomething(fields) });
  }
  return [...all.values()];
}

function isObject(value: unknown): value is Fields {
  return isRecord(value) && !Array.isArray(value);
}

/** Whether this is a server, not a map of servers, in which one may be called `type`. */
function isServer(value: Fields): boolean {
  return SERVER_KEYS.some((key) => Object.hasOwn(value, key) && !isObject(value[key]));
}

/** Whether it says by itself what to start or to reach. */
function startsSomething(fields: Fields): boolean {
  return fields['command'] !== undefined || fields['url'] !== undefined;
}

/** Translates the names of version 2 into those of version 1. */
function written(id: string, fields: unknown, where: readonly string[]): WrittenServer {
  if (!isObject(fields)) return { id, fields, where };
  const { disabled, oauth, ...others } = fields;
  const enabled = typeof disabled === 'boolean' && !('enabled' in others) ? { enabled: !disabled } : {};
  const kept = disabled === undefined || 'enabled' in enabled ? {} : { disabled };
  return {
    id,
    where,
    fields: {
      ...others,
      ...kept,
      ...enabled,
      ...(oauth !== undefined && { oauth: isObject(oauth) ? inCamelCase(oauth) : oauth }),
    },
  };
}

function inCamelCase(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** A server as the files so far say, and of whom what it sends may be. */
interface Merged {
  readonly server: WrittenServer;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Returns a server as a later file changes it. If that file is of another scope and names something else to start or to reach,
 * that gets nothing of what the earlier files send, such as a token.
 */
function changedServer({ server, scopes }: Merged, after: WrittenServer, scope: string): Merged {
  const own = { server: after, scopes: new Set([scope]) };
  const [old, now] = [server.fields, after.fields];
  if (after.isWhole || !isObject(old) || !isObject(now)) return own;
  const isElsewhere = START_KEYS.some((key) => key in now && !sameJson(old[key], now[key]));
  if (isElsewhere && [...scopes].some((one) => one !== scope))
    return { ...own, server: { ...after, fields: { enabled: old['enabled'], ...now } } };
  const parts = PARTS.flatMap((key) => {
    const [one, other] = [old[key], now[key]];
    return isObject(one) && isObject(other) ? [[key, { ...one, ...other }]] : [];
  });
  return {
    server: { ...after, fields: { ...old, ...now, ...Object.fromEntries(parts) } },
    scopes: new Set([...scopes, scope]),
  };
}

interface SettingsFile {
  readonly file: { readonly scope: string; readonly key: string };
  readonly servers: readonly WrittenServer[];
}

/**
 * Merges the servers of OpenCode's settings, given in the order in which they count. Returns those of each file: a server belongs
 * to the last file that changed it, and to the user as long as a workspace says the same.
 */
export function mergedServers<File extends SettingsFile>(
  files: readonly File[],
): ReadonlyMap<File, readonly WrittenServer[]> {
  const found = new Map<string, Merged & { from: File }>();
  for (const from of files) {
    const { scope } = from.file;
    for (const server of from.servers) {
      const before = found.get(server.id);
      const merged = before ? changedServer(before, server, scope) : { server, scopes: new Set([scope]) };
      const isOnlyRepeated = before && before.from.file.scope !== scope && isSame(before.server, merged.server);
      if (!isOnlyRepeated) found.set(server.id, { ...merged, from });
    }
  }
  const all = [...found.values()];
  return new Map(
    files.map((file) => [file, all.filter(({ from }) => from === file).map(({ server }) => server)] as const),
  );
}

/** Whether two servers differ only in what Cairn does not use. */
function isSame(one: WrittenServer, other: WrittenServer): boolean {
  return sameJson(usedFields(one), usedFields(other));
}

function usedFields({ fields }: WrittenServer): unknown {
  if (!isObject(fields)) return fields;
  const used = Object.entries(fields).filter(([key]) => !UNUSED.has(key));
  return Object.fromEntries([['enabled', true], ...used]);
}
