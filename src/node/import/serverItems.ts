import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as z from '../../base/zod';
import { isRecord } from '../../base/isRecord';
import type { Found, ImportItem } from './importItem';
import type { ScanContext } from './importTool';
import { issueText } from './readData';
import type { ItemSecrets } from './secretsOut';

const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true, or false'),
);

/** Fields that all tools share; the others are tool-specific. */
const serverSchema = z.looseObject({
  type: z.optional(z.string()),
  command: z.optional(
    z.union([z.string(), z.array(z.string()).check(z.minLength(1))], 'must be text, or a list of texts'),
  ),
  cmd: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  cwd: z.optional(z.string()),
  envFile: z.optional(z.string()),
  env: z.optional(values),
  envs: z.optional(values),
  environment: z.optional(values),
  url: z.optional(z.string()),
  uri: z.optional(z.string()),
  httpUrl: z.optional(z.string()),
  headers: z.optional(values),
  oauth: z.optional(z.unknown()),
  disabled: z.optional(z.boolean()),
  enabled: z.optional(z.boolean()),
});
type Server = z.infer<typeof serverSchema>;

/** The sign-in fields that Cairn knows as well. */
const signInSchema = z.union([
  z.literal(false),
  z.object({
    clientId: z.exactOptional(z.string()),
    clientSecret: z.exactOptional(z.string()),
    scope: z.exactOptional(z.string()),
    scopes: z.exactOptional(z.union([z.string(), z.array(z.string())])),
  }),
]);

const USED = new Set(Object.keys(serverSchema.def.shape));
/** Which tools of a server are offered, in the spellings of all tools. Cairn reads them all. */
const TOOL_LISTS = z.object({
  disabledTools: z.exactOptional(z.array(z.string())),
  disabled_tools: z.exactOptional(z.array(z.string())),
  excludeTools: z.exactOptional(z.array(z.string())),
  enabledTools: z.exactOptional(z.array(z.string())),
  enabled_tools: z.exactOptional(z.array(z.string())),
  includeTools: z.exactOptional(z.array(z.string())),
});
const MAX_SERVERS = 200;

/** The file that configures servers. */
interface ServersPlace {
  /** Returns the place of a server in the file. */
  place: (id: string) => string;
  /** Absolute; relative paths in the file are resolved against it. */
  folder: string;
}

/** Adds an item for each server of a map by name. */
export async function serverItems(
  servers: unknown,
  { place, folder }: ServersPlace,
  { secrets, isHome }: ScanContext,
  found: Found,
): Promise<void> {
  if (servers === undefined || servers === null) return;
  if (!isRecord(servers) || Array.isArray(servers)) {
    found.problems.push(`${place('')}: the MCP servers must be an object that maps names to servers.`);
    return;
  }
  for (const [id, written] of Object.entries(servers).slice(0, MAX_SERVERS)) {
    const parsed = serverSchema.safeParse(written);
    if (!parsed.success) {
      found.problems.push(`${place(id)}: the server “${id}” is left out: ${issueText(parsed.error)}`);
      continue;
    }
    const envFile = await envFileOf(parsed.data, folder);
    found.items.push(serverItem({ id, fields: parsed.data, from: place(id), envFile }, { secrets, isHome }));
  }
}

interface WrittenServer {
  id: string;
  fields: Server;
  from: string;
  envFile: ServerEnvFile | undefined;
}

function serverItem({ id, fields, from, envFile }: WrittenServer, { secrets, isHome }: ScanContext): ImportItem {
  const taken = secrets.ofItem(id);
  const launch = remote(fields, taken) ?? local(fields, envFile?.path, taken);
  if (typeof launch === 'string') {
    return { kind: 'server', name: id, from, content: { type: 'left', why: launch }, notes: [] };
  }
  const isOff = fields.disabled === true || fields.enabled === false;
  const unused = new Set([
    ...(launch['type'] === 'stdio' || fields.envFile === undefined ? [] : ['envFile']),
    ...(fields.oauth === undefined || 'oauth' in launch ? [] : ['oauth']),
  ]);
  const lists = TOOL_LISTS.safeParse(fields).data ?? {};
  const other = Object.keys(fields).filter((key) => !(USED.has(key) || Object.hasOwn(lists, key)) || unused.has(key));
  const notes = [
    ...(launch['type'] === 'stdio' && envFile ? [envFile.note] : []),
    ...(other.length > 0 ? [`Left out, because only the other tool has it: ${other.join(', ')}.`] : []),
    ...(isHome || isOff
      ? []
      : ['It is disabled until you remove “disabled”, because it comes from a folder that you chose.']),
  ];
  const server = { ...launch, ...lists, ...((isOff || !isHome) && { disabled: true }) };
  return { kind: 'server', name: id, from, content: { type: 'server', server, secrets: taken.all }, notes };
}

function remote(fields: Server, taken: ItemSecrets): Record<string, unknown> | string | undefined {
  const address = fields.httpUrl ?? fields.url ?? fields.uri;
  if (address === undefined) return undefined;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return 'Its address is not one that Cairn can reach.';
  const isSse = fields.httpUrl === undefined && fields.type === 'sse';
  return {
    type: isSse ? 'sse' : 'http',
    url: taken.address(address),
    ...(fields.headers && { headers: taken.values(fields.headers) }),
    ...signIn(fields, taken),
  };
}

function signIn({ oauth }: Server, taken: ItemSecrets): { oauth?: unknown } {
  const said = signInSchema.safeParse(oauth).data;
  if (said === undefined) return {};
  if (said === false || said.clientSecret === undefined) return { oauth: said };
  return { oauth: { ...said, clientSecret: taken.key('CLIENT_SECRET', said.clientSecret) } };
}

interface ServerEnvFile {
  /** The path to write for Cairn; undefined: it is left out. */
  path: string | undefined;
  note: string;
}

/** Returns the file with more variables for a server. It is not copied, because it may contain secrets. */
async function envFileOf({ envFile }: Server, folder: string): Promise<ServerEnvFile | undefined> {
  if (envFile === undefined) return undefined;
  if (/^\$\{workspaceFolder\}[^$]*$/.test(envFile)) {
    return { path: envFile, note: `It takes variables from ${envFile} of the folder that you work in.` };
  }
  const expanded = envFile.replace(/^~(?=[/\\])/, homedir());
  if (/\$\{|^~/.test(expanded)) {
    return { path: undefined, note: `Its envFile was left out, because Cairn cannot find ${envFile}.` };
  }
  const found = path.resolve(folder, expanded);
  const isThere = await stat(found).then(
    (one) => one.isFile(),
    () => false,
  );
  const note = isThere
    ? `It takes variables from ${found}, which was not copied.`
    : `It takes variables from ${found}, where there is no file. Cairn leaves the server out until there is one.`;
  return { path: found, note };
}

function local(fields: Server, envFile: string | undefined, taken: ItemSecrets): Record<string, unknown> | string {
  const given = fields.command ?? fields.cmd;
  const [command, ...before] = typeof given === 'string' ? [given] : (given ?? []);
  if (command === undefined || command === '') return 'It has no command and no address.';
  const env = { ...fields.env, ...fields.envs, ...fields.environment };
  const args = taken.words([...before, ...(fields.args ?? [])]);
  return {
    type: 'stdio',
    command: taken.text(command),
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env: taken.values(env) }),
    ...(fields.cwd !== undefined && { cwd: fields.cwd }),
    ...(envFile !== undefined && { envFile }),
  };
}
