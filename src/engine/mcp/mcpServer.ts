import type { McpInput } from './serverInputs';
import { wordsText } from '../permissions/describeRule';

/** How a server is started; texts may hold `{{NAME}}` and `${env:NAME}`, which are filled in when it is. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of a file beside these, which win over them. Nothing in their values is filled in. */
  readonly envFile?: EnvFile;
}

export interface EnvFile {
  /** Absolute. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** Of all of it. */
  readonly digest: string;
}

/** Where a server is reached: `http` is the streamable transport, `sse` the one before it. */
export interface RemoteLaunch {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How the person signs in, where the server does not arrange that by itself. */
  readonly oauth?: SignInSettings;
}

export interface SignInSettings {
  /** Of a client that was registered before. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The rights that are asked for, with blanks between them; else those that the server names. */
  readonly scope?: string;
  /** On 127.0.0.1, where that client is sent back to. */
  readonly callbackPort?: number;
  /** Where that client is sent back to, as it is registered. */
  readonly redirectUri?: string;
  /** Where what is to be known of the client stands, for servers that read it there instead of registering it. */
  readonly clientMetadataUrl?: string;
}

export type McpLaunch = StdioLaunch | RemoteLaunch;

/** `always`: models are told of the tool with each request. `search`: they find it when they look for it. */
export const OFFERS = ['always', 'search', 'off'] as const;
export type Offer = (typeof OFFERS)[number];

/** A server as a file has it. */
export interface McpServer {
  /** As it was written. */
  readonly id: string;
  /** Other names that the person has for it, and for others with it. */
  readonly aliases?: readonly string[];
  /** The same as a part of the names of tools. */
  readonly name: string;
  /** Absolute path and line, from 1, of where it is written. */
  readonly source: { readonly path: string; readonly line: number };
  /** `person`: their own file of Cairn says it, so it may be started. `program`: their file of another program does. */
  readonly scope: 'person' | 'program' | 'workspace';
  readonly launch: McpLaunch;
  /** Absent: by the size of its tools. */
  readonly offer?: Offer;
  /** Name of a tool → instead of the server's. */
  readonly offerOf: Readonly<Record<string, Offer>>;
  /** Values within the launch that the person is asked for, once. */
  readonly inputs?: readonly McpInput[];
  /** Its file says where it is started. */
  readonly namesFolder?: boolean;
}

/** What of a server decides about what is started or reached. */
export type StartedServer = Pick<McpServer, 'launch' | 'inputs' | 'namesFolder'>;

/**
 * All that would be started or reached, in one line, with what stands in the place of values that nobody is asked for: what a person
 * allows is what runs.
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
 * What is named or looks like a secret, which is not shown; what steers programs is no secret, whatever it is called. Wider than what
 * `src/node/secretVariables.ts` keeps from commands: a value that is hidden here for nothing costs a person one look, and one that is kept
 * from a command for nothing breaks it.
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

/** What of an address, and of signing in there, is not seen at once. */
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
 * The same server gives the same text, and one that starts or reaches something else another: by it servers are shared and remembered.
 * A value that was given for one file is not for the server of another.
 */
export function startIdentity({ launch, inputs = [] }: StartedServer): string {
  const identity = launchIdentity(launch);
  if (inputs.length === 0) return identity;
  return JSON.stringify([identity, ...inputs.map(({ id, secret, fallback = null }) => [id, secret, fallback])]);
}

/** A launch as a person would type it. */
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

/** The same launch gives the same text, and another one another. */
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
