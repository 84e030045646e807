import { errorText } from '../../base/errors';
import { isRecord } from '../../base/isRecord';
import { safeLine } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import { jsonLine, memberLines } from '../permissions/jsonLine';
import {
  inputsIn,
  type McpInput,
  type McpLaunch,
  type McpServer,
  OFFERS,
  readInputs,
  type SignInSettings,
} from './mcpServer';
import { openCodeServers, type WrittenServer } from './openCodeServers';
import { plainJson } from './plainJson';
import { serverName } from './serverPlaces';

/** The key of the servers in a file: usually `mcpServers`, in VS Code's `servers`, in OpenCode's `mcp`. */
export type ServerKey = 'mcpServers' | 'servers' | 'mcp';

export interface ServersInFile {
  servers: readonly McpServer[];
  /** By server ID, the path of its env file, as far as it can be resolved. The files have not been read yet. */
  envFiles?: ReadonlyMap<string, string>;
  /** Each with path, line, and a remedy. */
  problems: readonly string[];
}

export interface ServerFile {
  /** Absolute. */
  path: string;
  scope: McpServer['scope'];
  key: ServerKey;
  /** The path within the file to the object that has the key. Absent: the root. */
  within?: readonly string[];
  /** Absolute path of the default folder in which servers are started. */
  folder: string;
}

/** The fields of Claude Code and OpenCode. */
const oauth = z.lazy(() =>
  z.looseObject({
    clientId: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
    scope: z.optional(z.string()),
    scopes: z.optional(z.union([z.string(), z.array(z.string())])),
    callbackPort: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
    redirectUri: z.optional(z.url()),
    clientMetadataUrl: z.optional(
      z
        .url({ protocol: /^https$/, error: 'must be an https address' })
        .check(
          z.refine(
            (address) => URL.canParse(address) && new URL(address).pathname !== '/',
            'must be the address of a file',
          ),
        ),
    ),
  }),
);

/** Other spellings of the types, and of the field, in the files of Cline, LangChain, and others. */
const typeName = z.lazy(() =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((written) => {
        const name = written.toLowerCase().replaceAll('_', '-');
        return /^(streamablehttp|http-stream)$/.test(name) ? 'http' : name;
      }),
    ),
    z.enum(['stdio', 'local', 'http', 'streamable-http', 'sse', 'remote']),
  ),
);

/** What else is in these fields says nothing about the type. */
const otherType = z.lazy(() => z.catch(z.optional(typeName), undefined));
const toolNames = z.lazy(() =>
  z.optional(
    z.union([
      z.array(z.string()),
      z.pipe(
        z.string(),
        z.transform((names) => names.split(/\s*,\s*/)),
      ),
    ]),
  ),
);
const address = z.lazy(() => z.url({ protocol: /^https?$/ }));

/** The fields of all formats. `offer` and `offerTools` are Cairn's own. */
const serverSchema = z.lazy(() => {
  const values = z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true, or false'),
  );
  const offer = z.enum(OFFERS);
  return z.looseObject({
    type: z.optional(typeName),
    transport: otherType,
    transportType: otherType,
    command: z.optional(
      z.union(
        [z.string().check(z.minLength(1)), z.array(z.string()).check(z.minLength(1))],
        'must be text, or a list of texts',
      ),
    ),
    args: z.optional(z.array(z.string())),
    env: z.optional(values),
    environment: z.optional(values),
    cwd: z.optional(z.string()),
    envFile: z.optional(z.string()),
    url: z.optional(address),
    serverUrl: z.optional(address),
    httpUrl: z.optional(address),
    headers: z.optional(values),
    // False in OpenCode: the server needs no sign-in. The pipe builds the schema only for files that have the field.
    oauth: z.optional(
      z.pipe(
        z.unknown(),
        z.lazy(() => z.union([oauth, z.literal(false)])),
      ),
    ),
    disabled: z.optional(z.boolean()),
    enabled: z.optional(z.boolean()),
    offer: z.optional(offer),
    offerTools: z.optional(z.record(z.string(), offer)),
    disabledTools: toolNames,
    disabled_tools: toolNames,
    excludeTools: toolNames,
    enabledTools: toolNames,
    enabled_tools: toolNames,
    includeTools: toolNames,
  });
});
type ServerFields = z.infer<typeof serverSchema>;

const MAX_SERVERS = 200;

/** A file's servers before they are checked. */
export interface WrittenFile {
  readonly file: ServerFile;
  readonly servers: readonly WrittenServer[];
  readonly inputs: ReadonlyMap<string, McpInput>;
  /** What is wrong with the file as a whole. */
  readonly problems: readonly string[];
  /** Returns the line of what is at a path within the file. */
  readonly lineAt: (where: readonly PropertyKey[]) => number;
  /** Returns the line of a server. */
  readonly lineOf: (server: WrittenServer) => number;
}

/** Parses the servers in a file. An invalid one is skipped without affecting the others. */
export function parseServers(text: string, file: ServerFile): ServersInFile {
  const read = readWritten(text, file);
  return checkServers(read, read.servers);
}

/** Parses a file without checking its servers. */
export function readWritten(text: string, file: ServerFile): WrittenFile {
  const json = plainJson(text);
  const { within = [], key } = file;
  const lineAt = (where: readonly PropertyKey[]) => jsonLine(json, [...within, ...where]);
  const problem = (where: readonly PropertyKey[], what: string) => problemAt(file, lineAt(where), what);
  const lines = new Map<string, ReadonlyMap<string, number>>();
  const lineOf = ({ id, where }: WrittenServer) => {
    const parent = where.slice(0, -1);
    const name = parent.join('\n');
    const known = lines.get(name) ?? memberLines(json, [...within, ...parent]);
    lines.set(name, known);
    return known.get(id) ?? lineAt(parent);
  };
  const base = { file, lineAt, lineOf };
  const read = objectIn(json, file, problem);
  if ('problems' in read) return { ...base, servers: [], inputs: new Map(), problems: read.problems };
  const all =
    key === 'mcp'
      ? openCodeServers(read.found, [key])
      : Object.entries(read.found).map(([id, fields]) => ({ id, fields, where: [key, id] }));
  const tooMany = `it has ${all.length} servers; only the first ${MAX_SERVERS} are used.`;
  return {
    ...base,
    servers: all.slice(0, MAX_SERVERS),
    inputs: readInputs(read.inputs, file.path),
    problems: all.length > MAX_SERVERS ? [problem([key], tooMany)] : [],
  };
}

function problemAt({ path }: ServerFile, line: number, what: string): string {
  return `${path}:${line}: ${what}`;
}

/** Checks servers of a file. An invalid one is skipped without affecting the others. */
export function checkServers(written: WrittenFile, all: readonly WrittenServer[]): ServersInFile {
  const { file, inputs, lineAt, lineOf } = written;
  const servers: McpServer[] = [];
  const envFiles = new Map<string, string>();
  const problems = [...written.problems];
  const leftOut = (where: readonly PropertyKey[], id: string, why: string) =>
    problems.push(problemAt(file, lineAt(where), `the server ${named(id)} is left out: ${why}`));
  for (const one of all) {
    const { id, fields, where } = one;
    const parsed = serverSchema.safeParse(fields);
    const [issue] = parsed.error?.issues ?? [];
    if (issue) {
      const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
      leftOut([...where, ...issue.path], id, `${place}${issue.message}.`);
      continue;
    }
    if (!parsed.data || parsed.data.disabled === true || parsed.data.enabled === false) continue;
    const launch = launchOf(parsed.data, file, inputs);
    if (typeof launch === 'string') leftOut(where, id, launch);
    else {
      servers.push(serverOf(id, parsed.data, launch, { file, lineOf: () => lineOf(one), inputs }));
      const { envFile } = parsed.data;
      if (envFile !== undefined && launch.type === 'stdio') envFiles.set(id, inPlace(envFile, file));
    }
  }
  return { servers: withOwnNames(servers), ...(envFiles.size > 0 && { envFiles }), problems };
}

/** Returns the object with the servers, and the inputs next to it, or why there is none. */
function objectIn(
  json: string,
  { key, scope, within = [] }: ServerFile,
  problem: (where: readonly PropertyKey[], what: string) => string,
): { found: Record<string, unknown>; inputs: unknown } | { problems: readonly string[] } {
  let data: unknown;
  try {
    data = within.reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), JSON.parse(json));
  } catch (error) {
    return { problems: [problem([], `this is not JSON (${errorText(error)}), so none of its servers are available.`)] };
  }
  const found = isRecord(data) ? data[key] : undefined;
  const mayLack = key === 'mcp' || scope === 'program';
  if (found === undefined) {
    const hint = `write {"${key}": {"NAME": {"command": "…"}}}.`;
    return { problems: mayLack ? [] : [problem([], `there is no “${key}”; ${hint}`)] };
  }
  if (isRecord(found) && !Array.isArray(found)) return { found, inputs: isRecord(data) ? data['inputs'] : undefined };
  return { problems: [problem([key], `“${key}” must be an object that maps names to servers.`)] };
}

function serverOf(
  id: string,
  fields: ServerFields,
  launch: McpLaunch,
  { file, lineOf, inputs }: { file: ServerFile; lineOf: () => number; inputs: ReadonlyMap<string, McpInput> },
): McpServer {
  const asked = inputsIn(textsOf(launch)).flatMap((name) => inputs.get(name) ?? []);
  return {
    id,
    name: serverName(id),
    source: {
      path: file.path,
      // A lazy getter, because few runs need it.
      get line() {
        return lineOf();
      },
    },
    scope: file.scope,
    launch,
    ...offers(fields),
    ...(asked.length > 0 && { inputs: asked }),
    ...(launch.type === 'stdio' && launch.cwd !== file.folder && { namesFolder: true }),
  };
}

/** Returns what is offered: as Cairn's own fields say, without the tools that other programs leave out of a server. */
function offers(fields: ServerFields): Pick<McpServer, 'offer' | 'offerOf' | 'onlyTools'> {
  const { offer, offerTools } = fields;
  const [onlyTools] = [fields.enabledTools, fields.enabled_tools, fields.includeTools].filter((one) => one?.length);
  const out = [fields.disabledTools, fields.disabled_tools, fields.excludeTools].flatMap((one) => one ?? []);
  return {
    ...(offer !== undefined && { offer }),
    offerOf: { ...offerTools, ...Object.fromEntries(out.map((name) => [name, 'off' as const])) },
    ...(onlyTools && { onlyTools }),
  };
}

/** Returns a sentence if there is nothing to start or reach. */
function launchOf(fields: ServerFields, file: ServerFile, inputs: ReadonlyMap<string, McpInput>): McpLaunch | string {
  const type = fields.type ?? fields.transport ?? fields.transportType;
  const url = fields.url ?? fields.httpUrl ?? fields.serverUrl;
  const texts = (map: Readonly<Record<string, string | number | boolean>> = {}) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, inPlace(String(value), file)]));
  const isRemote =
    type === undefined ? url !== undefined && fields.command === undefined : !/^(stdio|local)$/.test(type);
  if (isRemote) {
    if (url === undefined) return `a server of the type “${type ?? 'http'}” needs a url.`;
    const headers = texts(fields.headers);
    const signIn = fields.oauth ? signInSettings(fields.oauth) : undefined;
    return (
      asking([url, ...Object.values(headers), signIn?.clientSecret ?? ''], file, inputs) ?? {
        type: type === 'sse' ? 'sse' : 'http',
        url,
        headers,
        ...(signIn && { oauth: signIn }),
      }
    );
  }
  const [command, ...before] = typeof fields.command === 'string' ? [fields.command] : (fields.command ?? []);
  if (command === undefined) return 'it needs a command, or a url.';
  const words = [command, ...before, ...(fields.args ?? [])].map((word) => inPlace(word, file));
  const [program = '', ...args] = words;
  const env = texts({ ...fields.env, ...fields.environment });
  const cwd = fields.cwd === undefined ? file.folder : inPlace(fields.cwd, file);
  const unseen = [...words, cwd, ...Object.values(env)].find((one) => one.includes('\0'));
  if (unseen !== undefined) return 'its launch line contains a character that commands cannot have.';
  return (
    asking([...words, cwd, ...Object.values(env)], file, inputs) ?? { type: 'stdio', command: program, args, cwd, env }
  );
}

function textsOf(launch: McpLaunch): readonly string[] {
  if (launch.type !== 'stdio') {
    return [launch.url, ...Object.values(launch.headers), launch.oauth?.clientSecret ?? ''];
  }
  return [launch.command, ...launch.args, launch.cwd, ...Object.values(launch.env)];
}

function signInSettings({
  clientId,
  clientSecret,
  scope,
  scopes,
  callbackPort,
  redirectUri,
  clientMetadataUrl,
}: z.infer<typeof oauth>): SignInSettings {
  const rights = scope ?? (typeof scopes === 'string' ? scopes : scopes?.join(' '));
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(rights !== undefined && { scope: rights }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
  };
}

/** Resolves the variables known when the file is read. */
function inPlace(text: string, { folder }: ServerFile): string {
  if (!text.includes('${')) return text;
  const separator = /^(?:[A-Za-z]:)?\\/.test(folder) ? '\\' : '/';
  return text
    .replaceAll(/\$\{(?:workspaceFolder|workspaceRoot|CLAUDE_PROJECT_DIR)\}/g, () => folder)
    .replaceAll('${workspaceFolderBasename}', () => folder.split(separator).at(-1) ?? '')
    .replaceAll(/\$\{(?:pathSeparator|\/)\}/g, () => separator);
}

/** A file's text in the settings of OpenCode. */
const FILE_TEXT = /\{file:([^{}]*)\}/;

/** Returns a sentence if a text uses an input that Cairn does not ask for, or a file. */
function asking(
  texts: readonly string[],
  { key }: ServerFile,
  inputs: ReadonlyMap<string, McpInput>,
): string | undefined {
  const [, wanted] = texts.map((text) => FILE_TEXT.exec(text)).find((found) => found !== null) ?? [];
  if (key === 'mcp' && wanted !== undefined)
    return `it asks for the file “${safeLine(wanted)}”, which Cairn does not read. Write {{NAME}} and store the value as a secret.`;
  const input = inputsIn(texts).find((id) => !inputs.has(id));
  if (input === undefined) return undefined;
  return `it asks for the input “${safeLine(input)}”, which Cairn does not ask for. Write {{${safeLine(input)}}} and store the value as a secret.`;
}

function named(id: string): string {
  return `“${safeLine(id)}”`;
}

/** Makes names unique, since different IDs can map to the same name. */
export function withOwnNames(servers: readonly McpServer[]): McpServer[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    let { name } = server;
    for (let count = 2; taken.has(name); count++) name = `${server.name}-${count}`;
    taken.add(name);
    return { ...server, name };
  });
}
