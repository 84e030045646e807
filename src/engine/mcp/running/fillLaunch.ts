import type { Disposable } from '../../../base/disposable';
import { EngineError } from '../../engineError';
import { resolveSecrets, type SecretValues } from '../../secrets/secretPlaceholders';
import type { McpInput, McpLaunch, McpServer } from '../mcpServer';

export interface LaunchValues {
  secrets: SecretValues;
  /** Called when secrets may have changed. Absent if they cannot change. */
  onSecretsChange?: ((listener: () => void) => Disposable) | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  homeFolder: string | undefined;
}

/** `${env:NAME}` of editors, `${NAME}` and `${NAME:-default}` of Claude Code, `{env:NAME}` of OpenCode, `${input:ID}` of VS Code. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]{0,4000}))?\}|\{env:([A-Za-z_]\w*)\}|\$\{input:([^{}]*)\}/g;

/**
 * Resolves the variables, inputs, and secrets in a launch. Inserted values are not scanned again. Rejects with an EngineError
 * `not-found` that names what is missing and where it is used.
 */
export async function fillLaunch(server: McpServer, values: LaunchValues): Promise<McpLaunch> {
  const { launch, id, source } = server;
  const missing = new Set<string>();
  const inputs = await givenInputs(server, values.secrets);
  for (const one of inputs.missing) missing.add(`the input ${one.id} was not given (it is stored as “${one.secret}”)`);
  const fill = async (text: string): Promise<string> => {
    const parts: string[] = [];
    let at = 0;
    for (const match of text.matchAll(VARIABLE)) {
      parts.push(await withSecrets(text.slice(at, match.index)), variable(match));
      at = match.index + match[0].length;
    }
    return [...parts, await withSecrets(text.slice(at))].join('');
  };
  const variable = ([written, name = '', fallback, other, input]: RegExpExecArray): string => {
    if (input !== undefined) return inputs.given.get(input) ?? written;
    const wanted = other ?? name;
    if (wanted === 'userHome' && values.homeFolder !== undefined) return values.homeFolder;
    const value = values.environment[wanted] || fallback;
    if (value === undefined) missing.add(`the variable ${wanted} is not set`);
    return value ?? written;
  };
  const withSecrets = async (text: string): Promise<string> => {
    const resolved = await resolveSecrets(text, values.secrets);
    for (const name of resolved.missing) missing.add(`there is no secret ${name}`);
    return resolved.text;
  };
  const filled = await filledLaunch(launch, fill);
  if (missing.size === 0) return filled;
  const what = [...missing].join(', and ');
  const place = `${source.path}:${source.line}`;
  throw new EngineError('not-found', `The MCP server ${id} (${place}) cannot be started: ${what}.`);
}

/** Returns the inputs that the user has provided or that have a fallback, and those still missing. */
export async function givenInputs(
  { inputs = [] }: McpServer,
  secrets: SecretValues,
): Promise<{ given: ReadonlyMap<string, string>; missing: readonly McpInput[] }> {
  const given = new Map<string, string>();
  const missing: McpInput[] = [];
  for (const input of inputs) {
    const value = (await secrets.get(input.secret)) ?? input.fallback;
    if (value === undefined) missing.push(input);
    else given.set(input.id, value);
  }
  return { given, missing };
}

async function filledLaunch(launch: McpLaunch, fill: (text: string) => Promise<string>): Promise<McpLaunch> {
  const all = async (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(map).map(async ([name, value]) => [name, await fill(value)] as const)),
    );
  if (launch.type !== 'stdio') {
    const secret = launch.oauth?.clientSecret;
    const oauth = secret === undefined ? launch.oauth : { ...launch.oauth, clientSecret: await fill(secret) };
    const filled = { ...launch, url: await fill(launch.url), headers: await all(launch.headers) };
    return oauth ? { ...filled, oauth } : filled;
  }
  return {
    type: 'stdio',
    command: await fill(launch.command),
    args: await Promise.all(launch.args.map(fill)),
    cwd: await fill(launch.cwd),
    env: { ...launch.envFile?.values, ...(await all(launch.env)) },
  };
}
