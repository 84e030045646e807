import { counted } from '../../base/counted';
import { safeLine } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import { wordsText } from '../permissions/describeRule';

/** How to start a server. Strings may contain `{{NAME}}` and `${env:NAME}`, resolved when it starts. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** More variables, from a file; `env` overrides them. Placeholders in their values are not resolved. */
  readonly envFile?: EnvFile;
}

export interface EnvFile {
  /** Absolute. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** A digest of the whole file. */
  readonly digest: string;
}

/** How to reach a server: `http` is the streamable transport, `sse` its predecessor. */
export interface RemoteLaunch {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sign-in settings, for servers that do not arrange them automatically. */
  readonly oauth?: SignInSettings;
}

export interface SignInSettings {
  /** The ID of a previously registered client. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The scopes to request, separated by spaces. Absent: those that the server names. */
  readonly scope?: string;
  /** The port on 127.0.0.1 of the registered client's redirect URI. */
  readonly callbackPort?: number;
  /** The registered client's redirect URI. */
  readonly redirectUri?: string;
  /** The URL of the client's metadata document, for servers that read it instead of registering the client. */
  readonly clientMetadataUrl?: string;
}

export type McpLaunch = StdioLaunch | RemoteLaunch;

/** `always`: the tool is part of every request. `search`: models find it by searching. */
export const OFFERS = ['always', 'search', 'off'] as const;
export type Offer = (typeof OFFERS)[number];

/** A server as defined in a file. */
export interface McpServer {
  /** As written in the file. */
  readonly id: string;
  /** The user's other names for it. Several servers may share one. */
  readonly aliases?: readonly string[];
  /** The ID in the form used in tool names. */
  readonly name: string;
  /** Where it is defined: absolute path, and line from 1. */
  readonly source: { readonly path: string; readonly line: number };
  /** `person`: the user's own Cairn file, so it may be started. `program`: the user's file of another program. */
  readonly scope: 'person' | 'program' | 'workspace';
  readonly launch: McpLaunch;
  /** Absent: depends on the size of its tools. */
  readonly offer?: Offer;
  /** By tool name; overrides the server's offer. */
  readonly offerOf: Readonly<Record<string, Offer>>;
  /** Names of its only tools that are offered without being chosen in `offerOf`. Absent: all. */
  readonly onlyTools?: readonly string[];
  /** Values within the launch that the user is asked for, once. */
  readonly inputs?: readonly McpInput[];
  /** Whether its file specifies the folder it is started in. */
  readonly namesFolder?: boolean;
}

/** The parts of a server that determine what is started or reached. */
type StartedServer = Pick<McpServer, 'launch' | 'inputs' | 'namesFolder'>;

/**
 * Describes on one line everything that would be started or reached, including the fallbacks of inputs that need not be asked
 * for, so that what the user allows is what runs.
 */
export function startText({ launch, inputs = [], namesFolder = false }: StartedServer): string {
  const given = inputs.flatMap(({ id, fallback }) =>
    fallback === undefined ? [] : [`\${input:${id}} is ${wordsText([fallback])} unless another value is given`],
  );
  const more =
    launch.type === 'stdio'
      ? [namesFolder && `in ${wordsText([launch.cwd])}`, launch.envFile && envFileNote(launch.envFile)]
      : remoteNotes(launch);
  const notes = [...more, ...given].filter((one) => typeof one === 'string');
  return [launchText(launch), ...notes.map((note) => `(${note})`)].join(' ');
}

/**
 * Names and values that look like secrets, which are hidden. Variables that control programs are shown whatever their name. This
 * is broader than what `src/node/secretVariables.ts` withholds from commands: hiding a value by mistake costs the user one look,
 * but withholding one by mistake breaks a command.
 */
const SECRET = /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|PRIVATE|AUTH|COOKIE|JWT|WEBHOOK|DSN/i;
const WITH_PASSWORD = /:\/\/[^/\s]*@/;
const STEERS = /ASKPASS$|AUTH_SOCK$|^(?:LD|DYLD|NODE|NPM|PYTHON|GIT|SSH)_(?!.*(?:KEY|TOKEN|SECRET|PASSWORD))/i;

function envFileNote({ path, values }: EnvFile): string {
  const shown = Object.entries(values).map(([name, value]) => {
    const isSecret = (SECRET.test(name) && !STEERS.test(name)) || WITH_PASSWORD.test(value);
    return `${wordsText([name])}=${isSecret ? '•••' : wordsText([value])}`;
  });
  return `with ${shown.join(' ') || 'nothing'} of ${wordsText([path])}`;
}

/** Describes what is easy to overlook in an address and its sign-in settings. */
function remoteNotes({ url, oauth: { scope, redirectUri, callbackPort } = {} }: RemoteLaunch): string[] {
  const { username, password, host } = URL.canParse(url) ? new URL(url) : { username: '', password: '', host: '' };
  return [
    ...(username === '' && password === '' ? [] : [`the host is ${host}`]),
    ...(scope === undefined ? [] : [`asks for the rights ${wordsText([scope])}`]),
    ...(redirectUri === undefined ? [] : [`sends you back to ${wordsText([redirectUri])}`]),
    ...(callbackPort === undefined ? [] : [`sends you back to port ${callbackPort}`]),
  ];
}

/**
 * Returns a text that is equal for servers that start or reach the same thing, and different otherwise. Servers are shared and
 * remembered by it. A value given for one file is not used for another file's server.
 */
export function startIdentity({ launch, inputs = [] }: StartedServer): string {
  const identity = launchIdentity(launch);
  if (inputs.length === 0) return identity;
  return JSON.stringify([identity, ...inputs.map(({ id, secret, fallback = null }) => [id, secret, fallback])]);
}

/** Formats a launch as the user would type it. */
export function launchText(launch: McpLaunch): string {
  if (launch.type !== 'stdio') {
    const headers = Object.entries(launch.headers).map(([name, value]) => `${name}: ${value}`);
    const { clientId, clientSecret, clientMetadataUrl } = launch.oauth ?? {};
    const secret = clientSecret === undefined ? '' : ` with ${wordsText([clientSecret])}`;
    const names = [clientMetadataUrl, clientId].filter((name) => name !== undefined).map((name) => wordsText([name]));
    const client = names.length === 0 ? [] : [`(signs you in as ${names.join(' or ')}${secret})`];
    return [launch.url, ...headers.map((header) => wordsText([header])), ...client].join(' ');
  }
  const env = Object.entries(launch.env).map(([name, value]) => `${wordsText([name])}=${wordsText([value])}`);
  return [...env, wordsText([launch.command, ...launch.args])].join(' ');
}

/** Returns a text that is equal for equal launches, and different otherwise. */
export function launchIdentity(launch: McpLaunch): string {
  const sorted = (map: object) => Object.entries<unknown>({ ...map }).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(
    launch.type === 'stdio'
      ? [
          ...[launch.type, launch.command, launch.args, launch.cwd, sorted(launch.env)],
          ...(launch.envFile ? [launch.envFile.path, launch.envFile.digest] : []),
        ]
      : [launch.type, launch.url, sorted(launch.headers), ...(launch.oauth ? [sorted(launch.oauth)] : [])],
  );
}

/** Formats a count for display: "1 tool", "12 tools". */
export function toolCount(count: number): string {
  return counted(count, 'tool');
}

/** A value that a server file has the user asked for. */
export interface McpInput {
  /** The ID, as in `${input:ID}` in launches. */
  readonly id: string;
  /** The file's own description. */
  readonly description: string;
  readonly isHidden: boolean;
  /** Empty: any value is allowed. */
  readonly options: readonly string[];
  readonly fallback: string | undefined;
  /** The name of the secret that stores the user's value, separate for each file. */
  readonly secret: string;
}

const inputSchema = z.lazy(() =>
  z.looseObject({
    id: z.string().check(z.minLength(1), z.maxLength(80)),
    type: z.enum(['promptString', 'pickString']),
    description: z.optional(z.string()),
    password: z.optional(z.boolean()),
    default: z.optional(z.string()),
    options: z.optional(z.array(z.union([z.string(), z.looseObject({ value: z.string() })]))),
  }),
);

const MAX_INPUTS = 50;
const MAX_OPTIONS = 100;
/** Longer paths would not fit in the name of a secret. */
const MAX_PATH = 100;
const USE = /\$\{input:([^{}]*)\}/g;

/** Returns a file's inputs by ID. Invalid ones, and those that would run a command, are skipped; servers that use them are reported. */
export function readInputs(inputs: unknown, path: string): ReadonlyMap<string, McpInput> {
  const found = new Map<string, McpInput>();
  for (const one of Array.isArray(inputs) ? inputs.slice(0, MAX_INPUTS) : []) {
    const { data } = inputSchema.safeParse(one);
    if (!data || /[{}\p{C}]/u.test(data.id)) continue;
    const { id, description = '', password = false, default: fallback, options = [] } = data;
    const values = options.slice(0, MAX_OPTIONS).map((option) => (typeof option === 'string' ? option : option.value));
    const of = path.replaceAll(/[{}\p{C}]/gu, '').slice(-MAX_PATH);
    found.set(id, {
      id,
      description: safeLine(description, 500),
      isHidden: password,
      options: data.type === 'pickString' ? values : [],
      fallback,
      secret: `input ${id} of ${of}`,
    });
  }
  return found;
}

/** Returns the IDs of the inputs used in the texts, without duplicates. */
export function inputsIn(texts: readonly string[]): readonly string[] {
  const using = texts.filter((text) => text.includes('${input:'));
  return [...new Set(using.flatMap((text) => [...text.matchAll(USE)].map(([, id = '']) => id)))];
}
