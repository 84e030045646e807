import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import {
  checkContent,
  type ContentProblem,
  EngineError,
  modelId,
  problemLine,
  PROVIDER_KEYS,
  readYaml,
  resolveSecrets,
  type SecretValues,
  yamlReady,
  type YamlSource,
} from '../../engine';
import { ProgramSecrets } from '../vault/programSecrets';
import {
  type ConfigData,
  configSchema,
  type FileConfig,
  readVariables,
  usedSchema,
  type VariableConfig,
  WITHOUT_EFFECT,
} from './configSchema';
import { addressVariable, fieldLayer } from './effectiveConfig';

type Clients = NonNullable<ConfigData['clients']>;

/** A source of secrets, and how the user adds one to it. */
export interface ConfigSecrets extends SecretValues {
  howToAdd: (name: string) => string;
}

const TYPES: Readonly<Record<string, string>> = { claude: 'anthropic' };

/**
 * Reads `config.yaml` from Cairn's folder, overridden by the variables for its fields. Throws EngineError `invalid-input` naming
 * the file and line, or the variable, of an invalid value. A missing secret affects only the key that needs it.
 */
export async function readConfig(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  secrets: ConfigSecrets,
): Promise<FileConfig> {
  const said = readVariables(env);
  if (said.problems.length > 0) throw new EngineError('invalid-input', said.problems.join('\n       '));
  const { config, source, problems } = await readFields(file);
  const both = merged(config, said.data);
  // Variables and file share the clients, which determine the provider of a model.
  const clients = clientsOf(both, source);
  const provided = providedSecrets(config, file, env);
  const keys = await keysOf(clients.used, source, provided ? bothSecrets(secrets, provided) : secrets);
  const partsOf = (data: ConfigData) => ({
    values: valuesOf(data),
    settings: settingsOf(data),
    variables: variablesOf({ ...data, clients: config.clients }, clients.used),
    keys: keys.values,
  });
  const ofVariables = { ...partsOf(said.data), variables: variablesOf({ ...said.data, clients: config.clients }, []) };
  const byVariables = fieldLayer({ ...ofVariables, keys: new Map() }, preludePlaces(said));
  const byFile = new Map(fieldLayer(partsOf(config), placesOf(config, clients.used, source)));
  for (const name of said.places.keys()) if (!byVariables.has(name)) byFile.delete(name);
  return {
    ...partsOf(both),
    provided,
    byVariables,
    byFile,
    warnings: [...clients.passedOver, ...keys.missing].map(problemLine),
    notes: [...said.notes, ...[...problems, ...clients.problems, ...keys.problems].map(problemLine)],
  };
}

/**
 * Reads from `config.yaml` only what graphs may name: aliases of MCP servers, and visible skills. Throws EngineError
 * `invalid-input` as `readConfig` does.
 */
export async function readGraphNames(file: string): Promise<{
  servers: Readonly<Record<string, readonly string[]>>;
  visibleSkills: readonly string[] | undefined;
}> {
  const { config } = await readFields(file);
  return { servers: config.mapping_mcp_servers ?? {}, visibleSkills: config.visible_skills ?? undefined };
}

/** Returns the secrets of the provider named by `secrets_provider`; undefined for Cairn's vault. */
function providedSecrets(
  { secrets_provider: provider }: ConfigData,
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): SecretValues | undefined {
  if (!provider || provider.type === 'local' || file === undefined) return undefined;
  return new ProgramSecrets({ provider, env, cwd: dirname(file) });
}

/** Secrets stored by Cairn need no external program. */
function bothSecrets(own: ConfigSecrets, provided: SecretValues): ConfigSecrets {
  return { ...own, get: async (name) => (await own.get(name)) ?? (await provided.get(name)) };
}

interface Fields {
  config: ConfigData;
  source: YamlSource;
  /** Entries that have no effect. */
  problems: readonly ContentProblem[];
}

async function readFields(file: string | undefined): Promise<Fields> {
  if (file === undefined) {
    await yamlReady('');
    return { config: {}, source: readYaml('', { path: 'config.yaml' }), problems: [] };
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new EngineError('invalid-input', `${file} cannot be read (${errorText(error)}).`, { cause: error });
  });
  await yamlReady(text);
  const source = readYaml(text, { path: file });
  const checked = checkContent(source, configSchema, { unknownKeys: 'misspelt' });
  const config = checked.value === undefined ? undefined : usedSchema.safeParse(checked.value).data;
  if (!config) {
    throw new EngineError('invalid-input', checked.problems.map(problemLine).join('\n       '));
  }
  return { config, source, problems: [...checked.problems, ...withoutEffect(checked.value ?? {}, source)] };
}

/** Merges the two; `first` wins, even with null. Agent, role and prelude all come from `first` if it sets any of them. */
function merged(config: ConfigData, first: ConfigData): ConfigData {
  const limits = { ...config.limits, ...first.limits };
  const isChosen = [first.agent, first.role, first.cmd_prelude].some((one) => (one ?? '') !== '');
  const nobody = { agent: null, role: null, cmd_prelude: null };
  return {
    ...config,
    ...(isChosen && nobody),
    ...first,
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/** Adds the location of the value set by the prelude. */
function preludePlaces({ data, places }: VariableConfig): ReadonlyMap<string, string> {
  const variable = places.get('cmd_prelude');
  if (variable === undefined) return places;
  return new Map([...preludeOf(data.cmd_prelude).keys()].map((name) => [name, variable] as const).concat([...places]));
}

/** Returns the values of a prelude by the field names of `FileConfig`; `SESSION:ROLE` sets two of them. */
function preludeOf(prelude: ConfigData['cmd_prelude']): ReadonlyMap<string, string> {
  if (!prelude) return new Map();
  const colon = prelude.indexOf(':');
  const [first, second] = [prelude.slice(0, colon).trim(), prelude.slice(colon + 1).trim()];
  if (first === 'role' || first === 'session') return new Map([[first, second]]);
  return new Map([
    ['session', first],
    ['session_role', second],
  ]);
}

function valuesOf({
  agent,
  role,
  approve,
  cmd_prelude: prelude,
  secrets_provider: provider,
}: ConfigData): FileConfig['values'] {
  const said = preludeOf(prelude);
  return {
    agent: agent ?? undefined,
    role: role ?? said.get('role'),
    session: said.get('session'),
    session_role: said.get('session_role'),
    approve: approve ?? undefined,
    secrets_provider: provider?.type,
  };
}

/** Returns the settings that have no variable. */
function settingsOf(config: ConfigData): Record<string, unknown> {
  const { turns, tokens, minutes, cost_usd: costUsd } = config.limits ?? {};
  const skills = {
    enabled: config.skills_enabled,
    byDefault: config.enabled_skills,
    visible: config.visible_skills,
  };
  return present({
    instructions: config.instructions?.trim() || undefined,
    temperature: config.temperature,
    topP: config.top_p,
    autoContinue: config.auto_continue,
    autoContinueLimit: config.max_auto_continues,
    limits: group({ turns, tokens, minutes, costUsd }),
    skills: group(skills),
    servers: group({
      on: config.mcp_server_support,
      // null is the default, so writing it explicitly means none.
      enabled: config.enabled_mcp_servers === null ? [] : config.enabled_mcp_servers,
      mapping: config.mapping_mcp_servers,
    }),
    tools: group({
      visible: unlessAll(config.visible_tools),
      enabled: enabledTools(config),
      mapping: config.mapping_tools,
    }),
  });
}

/** Expands names defined in `mapping_tools`. */
function enabledTools({ enabled_tools: names, mapping_tools: mapping }: ConfigData): readonly string[] | undefined {
  const meant = new Map(Object.entries(mapping ?? {}));
  return names?.flatMap((name) => meant.get(name) ?? [name]);
}

function unlessAll(names: readonly string[] | null | undefined): readonly string[] | undefined {
  return names?.includes('all') ? undefined : (names ?? undefined);
}

/** Returns undefined if no value is set. */
function group(values: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const some = present(values);
  return Object.keys(some).length > 0 ? some : undefined;
}

function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the location of each value. */
function placesOf(config: ConfigData, clients: readonly UsedClient[], source: YamlSource): Map<string, string> {
  const places = new Map<string, string>();
  const add = (name: string, where: readonly PropertyKey[]) => places.set(name, placeAt(source, where));
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined || value === null || key === 'clients' || key.startsWith('mapping_')) continue;
    if (key === 'limits') for (const limit of Object.keys(value)) add(`limits.${limit}`, [key, limit]);
    else if (key === 'cmd_prelude') for (const name of preludeOf(config.cmd_prelude).keys()) add(name, [key]);
    else if (key === 'secrets_provider') add(key, [key, 'type']);
    else if (key !== 'role') add(key, [key]);
  }
  // Takes precedence over the role from the prelude.
  if (config.role) add('role', ['role']);
  for (const { id, client, at } of clients) {
    const variable = PROVIDER_KEYS.find((one) => one.id === id)?.keyVariable;
    if (client.api_base) add(addressVariable(id), ['clients', at, 'api_base']);
    if (client.api_key && variable !== undefined) add(variable, ['clients', at, 'api_key']);
  }
  return places;
}

function placeAt(source: YamlSource, where: readonly PropertyKey[]): string {
  return `config.yaml:${source.position(where, 'value').line}`;
}

/** Returns the values as environment variables; the environment takes precedence over them. */
function variablesOf(config: ConfigData, clients: readonly UsedClient[]): Record<string, string> {
  const addresses = clients.flatMap(({ id, client }) =>
    client.api_base ? [[addressVariable(id), client.api_base] as const] : [],
  );
  const found = Object.fromEntries(addresses);
  if (config.model) found['CAIRN_MODEL'] = ourModel(config.model, config.clients ?? []);
  if (config.reasoning_effort) found['CAIRN_REASONING_EFFORT'] = config.reasoning_effort;
  return found;
}

/** Converts a Coyote model name, which starts with the name of its client. */
function ourModel(written: string, clients: Clients): string {
  const model = modelId(written);
  const colon = model.indexOf(':');
  const name = model.slice(0, colon);
  const client = clients.find((one) => nameOf(one) === name);
  return `${(client && providerOf(client)) ?? TYPES[name] ?? name}${model.slice(colon)}`;
}

function nameOf({ name, type }: Clients[number]): string {
  return name ?? type;
}

/** Returns undefined for clients that Cairn does not support. */
function providerOf({ type, name }: Clients[number]): string | undefined {
  const known = (id: string | null | undefined) => PROVIDER_KEYS.find((one) => one.id === id)?.id;
  if (type === 'openai-compatible') return known(name) ?? 'custom';
  return Object.hasOwn(TYPES, type) ? TYPES[type] : known(type);
}

interface UsedClient {
  /** Cairn's id of the provider. */
  id: string;
  client: Clients[number];
  at: number;
}

interface FoundClients {
  used: UsedClient[];
  /** Clients that Cairn does not support. */
  problems: ContentProblem[];
  /** Clients superseded by another one of the same provider. */
  passedOver: ContentProblem[];
}

/** Picks one client per provider, so that no key is sent to another client's address: the one `model` names, or else the first. */
function clientsOf({ clients = [], model }: ConfigData, source: YamlSource): FoundClients {
  const found: FoundClients = { used: [], problems: [], passedOver: [] };
  const all = (clients ?? []).map((client, at) => ({ id: providerOf(client), client, at }));
  const chosen = model ? modelId(model).split(':', 1)[0] : undefined;
  for (const { id, client, at } of all) {
    if (id === undefined) {
      const message = `Cairn does not support clients of the type “${safeLine(client.type)}”, so this one has no effect.`;
      found.problems.push(problem(source, ['clients', at, 'type'], message));
      continue;
    }
    const same = all.filter((one) => one.id === id);
    const first = same.find((one) => nameOf(one.client) === chosen) ?? same[0];
    if (first?.at === at) found.used.push({ id, client, at });
    else found.passedOver.push(problem(source, ['clients', at], passedOver(client, first?.client ?? client, id)));
  }
  return found;
}

function passedOver(client: Clients[number], used: Clients[number], id: string): string {
  const [name, other] = [safeLine(nameOf(client)), safeLine(nameOf(used))];
  return `the client “${name}” has no effect: Cairn supports one client for “${id}”, and “${other}” is used. The client that “model” names comes first.`;
}

interface Keys {
  /** Keys by the variable that would contain them. */
  values: Map<string, string>;
  missing: ContentProblem[];
  problems: ContentProblem[];
}

async function keysOf(clients: readonly UsedClient[], source: YamlSource, secrets: ConfigSecrets): Promise<Keys> {
  const keys: Keys = { values: new Map(), missing: [], problems: [] };
  for (const { id, client, at } of clients) {
    const variable = PROVIDER_KEYS.find((one) => one.id === id)?.keyVariable;
    if (variable === undefined || !client.api_key) continue;
    const where = ['clients', at, 'api_key'];
    const resolved = await resolveSecrets(client.api_key, secrets).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error;
      keys.missing.push(problem(source, where, `this key is not used: ${error.message}`));
    });
    if (!resolved) continue;
    const { text, missing } = resolved;
    for (const name of missing) {
      const message = `there is no secret ${safeLine(name)}, so this key is not used. Add it with: ${secrets.howToAdd(safeLine(name))}.`;
      keys.missing.push(problem(source, where, message));
    }
    if (missing.length === 0) keys.values.set(variable, text);
    if (text === client.api_key && missing.length === 0) {
      const message = `anyone who reads the file can read this key. Write {{${variable}}} and store it with: ${secrets.howToAdd(variable)}.`;
      keys.problems.push(problem(source, where, message));
    }
  }
  return keys;
}

function withoutEffect(data: object, source: YamlSource): ContentProblem[] {
  return Object.keys(data).flatMap((key) => {
    const why = WITHOUT_EFFECT.get(key);
    return why === undefined ? [] : [problem(source, [key], `“${safeLine(key)}” has no effect: ${why}.`)];
  });
}

function problem(source: YamlSource, where: readonly PropertyKey[], message: string): ContentProblem {
  const { line, column } = source.position(where, 'value');
  return { kind: 'schema', severity: 'warning', path: source.path, line, column, message };
}
