import { readDotEnv } from '../../base/dotEnv';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { resolveSecrets, type SecretValues } from '../secrets/secretPlaceholders';
import type { ToolUser } from '../tools/toolSource';
import type { ScriptFunction } from './scriptDescription';
import type { KnownScript } from './scriptFiles';

/** The sources of scripts' variables. */
export interface EnvironmentParts {
  /** Absolute path of Cairn's own folder. */
  configFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  secrets: SecretValues;
  /** Called with the variables a script gets in addition to those of every command, since they may contain secrets. */
  hide: (given: Readonly<Record<string, string>>) => void;
}

interface Called {
  readonly script: KnownScript;
  readonly called: ScriptFunction;
  readonly user: ToolUser;
}

/**
 * Returns a script's environment in addition to that of commands: the `.env` of its folder, the variables it declares, with
 * secrets in place of `{{NAME}}`, and what tools of Coyote and llm-functions expect. The actual environment overrides files.
 * Rejects with EngineError `not-found` if a required variable is missing.
 */
export async function scriptEnvironment(
  called: Called,
  parts: EnvironmentParts & { ports: { files: FileSystem; paths: PathStyle } },
): Promise<ReadonlyMap<string, string>> {
  const { script, user } = called;
  const values = new Map(await namedValues(called, parts));
  parts.hide(Object.fromEntries(values));
  const { name } = called.called;
  const cache = parts.ports.paths.resolve(parts.configFolder, 'cache', 'tools', name);
  await parts.ports.files.makeDirectory(cache);
  const ofAgent =
    script.kind === 'agent'
      ? {
          LLM_AGENT_NAME: user.agent,
          LLM_AGENT_FUNC: name,
          LLM_AGENT_ROOT_DIR: script.root,
          LLM_AGENT_CACHE_DIR: cache,
        }
      : {};
  if (script.kind === 'graph')
    return withVariables(values, user, { LLM_ROOT_DIR: parts.configFolder, LLM_AGENT_DATA_DIR: script.root });
  const root = script.kind === 'agent' ? sharedRoot(script.root, parts.ports.paths) : script.root;
  const expected = { LLM_ROOT_DIR: root, LLM_TOOL_NAME: name, LLM_TOOL_CACHE_DIR: cache, ...ofAgent };
  return withVariables(values, user, expected);
}

/** Returns the folder above that of all agents, from which their scripts load what they share. */
function sharedRoot(agent: string, paths: PathStyle): string {
  const all = paths.dirname(agent);
  return paths.basename(all) === 'agents' ? paths.dirname(all) : agent;
}

function withVariables(
  values: Map<string, string>,
  user: ToolUser,
  expected: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  for (const [variable, value] of user.variables) values.set(variableName(variable), value);
  for (const [variable, value] of Object.entries(expected)) values.set(variable, value);
  return values;
}

function variableName(variable: string): string {
  return `LLM_AGENT_VAR_${variable.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

async function namedValues(
  { script, user }: Called,
  parts: Parameters<typeof scriptEnvironment>[1],
): Promise<ReadonlyMap<string, string>> {
  const { environment, secrets } = parts;
  const file = await ownFile(script, parts);
  const declared = script.description.variables;
  const isNamed = (name: string) => declared.some((one) => one.name === name);
  // Cairn's own `.env` contains model keys, which no script may see unless it declares them.
  const isOwn = script.root === parts.configFolder;
  const values = new Map<string, string>();
  for (const [name, written] of file) {
    if (environment[name] === undefined && (!isOwn || isNamed(name))) values.set(name, written);
  }
  const missing: string[] = [];
  for (const { name, isRequired, default: given } of declared) {
    const value = environment[name] ?? values.get(name) ?? (await secrets.get(name)) ?? given;
    const isKnown = user.variables.has(name) || name.startsWith('LLM_');
    if (value !== undefined) values.set(name, value);
    else if (isRequired && !isKnown) missing.push(name);
  }
  for (const [name, value] of values) {
    const { text, missing: names } = await resolveSecrets(value, secrets);
    values.set(name, text);
    missing.push(...names);
  }
  if (missing.length > 0) throw missingError(script, missing);
  return values;
}

function missingError({ file, root, scope }: KnownScript, missing: readonly string[]): EngineError {
  const [first = ''] = missing;
  const place = scope === 'person' ? `, or add it to ${root}/.env` : '';
  return new EngineError(
    'not-found',
    `${file.path} needs ${missing.join(' and ')}, which is not set. Store it with “cairn vault add ${first}” or as a secret in the editor, or set the variable${place}.`,
  );
}

/** Ignores a workspace's `.env`, which no one has been shown. */
async function ownFile(
  { root, scope }: KnownScript,
  { ports: { files, paths } }: { ports: { files: FileSystem; paths: PathStyle } },
): Promise<ReadonlyMap<string, string>> {
  const path = paths.resolve(root, '.env');
  if (scope === 'workspace' || !(await files.find(path))) return new Map();
  return readDotEnv(new TextDecoder().decode(await files.readFile(path)));
}
