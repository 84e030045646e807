import * as z from '../../base/zod';
import { isRecord } from '../../base/isRecord';
import type { Found, ImportItem } from './importItem';
import type { ScanContext } from './importTool';
import type { ItemSecrets } from './secretsOut';

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** What all tools have in common; other fields are theirs. */
const serverSchema = z.looseObject({
  type: z.optional(z.string()),
  command: z.optional(z.union([z.string(), z.array(z.string()).check(z.minLength(1))])),
  cmd: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  cwd: z.optional(z.string()),
  env: z.optional(values),
  envs: z.optional(values),
  environment: z.optional(values),
  url: z.optional(z.string()),
  uri: z.optional(z.string()),
  httpUrl: z.optional(z.string()),
  headers: z.optional(values),
  disabled: z.optional(z.boolean()),
  enabled: z.optional(z.boolean()),
});
type Server = z.infer<typeof serverSchema>;

const USED = new Set(Object.keys(serverSchema.def.shape));
const MAX_SERVERS = 200;

/** Each server of a map by name. `place`: tells where one stands. */
export function serverItems(
  servers: unknown,
  place: (id: string) => string,
  { secrets, isHome }: ScanContext,
  found: Found,
): void {
  if (servers === undefined || servers === null) return;
  if (!isRecord(servers) || Array.isArray(servers)) {
    found.problems.push(`${place('')}: the MCP servers must be an object that maps names to servers.`);
    return;
  }
  for (const [id, written] of Object.entries(servers).slice(0, MAX_SERVERS)) {
    const parsed = serverSchema.safeParse(written);
    const [issue] = parsed.error?.issues ?? [];
    if (!parsed.data) {
      found.problems.push(
        `${place(id)}: the server “${id}” is left out: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
      );
      continue;
    }
    found.items.push(serverItem(id, parsed.data, place(id), { secrets, isHome }));
  }
}

function serverItem(id: string, fields: Server, from: string, { secrets, isHome }: ScanContext): ImportItem {
  const taken = secrets.ofItem(id);
  const launch = remote(fields, taken) ?? local(fields, taken);
  if (typeof launch === 'string') {
    return { kind: 'server', name: id, from, content: { type: 'left', why: launch }, notes: [] };
  }
  const isOff = fields.disabled === true || fields.enabled === false;
  const other = Object.keys(fields).filter((key) => !USED.has(key));
  const notes = [
    ...(other.length > 0 ? [`Left out, because only the other tool has it: ${other.join(', ')}.`] : []),
    ...(isHome || isOff
      ? []
      : ['It is disabled until you remove “disabled”, because it comes from a folder that you chose.']),
  ];
  const server = { ...launch, ...((isOff || !isHome) && { disabled: true }) };
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
  };
}

function local(fields: Server, taken: ItemSecrets): Record<string, unknown> | string {
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
  };
}
