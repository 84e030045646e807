import { readFile } from 'node:fs/promises';
import { errorText } from '../../base/errorText';
import { safeLine } from '../../base/shown/safeText';
import {
  checkContent,
  type ContentProblem,
  modelId,
  problemLine,
  PROVIDER_KEYS,
  readYaml,
  resolveSecrets,
  type SecretValues,
  yamlReady,
  type YamlSource,
} from '../../engine';
import { UsageError } from '../exitStatus';
import { type ConfigData, configSchema, usedSchema, WITHOUT_EFFECT } from './configSchema';
import type { CliConfig } from './cliConfig';

type Clients = NonNullable<ConfigData['clients']>;

const TYPES: Readonly<Record<string, string>> = { claude: 'anthropic' };

/**
 * `config.yaml` of Cairn's own folder. Throws UsageError that names file and line when it says what cannot be; a secret that
 * is missing costs only the key that it was for.
 */
export async function readConfig(file: string, secrets: SecretValues): Promise<CliConfig> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read (${errorText(error)}).`);
  });
  await yamlReady(text);
  const source = readYaml(text, { path: file });
  const checked = checkContent(source, configSchema, { unknownKeys: 'misspelt' });
  const config = checked.value === undefined ? undefined : usedSchema.safeParse(checked.value).data;
  if (!config) throw new UsageError(checked.problems.map(problemLine).join('\n       '));
  const keys = await keysOf(config.clients ?? [], source, secrets);
  const notes = [...checked.problems, ...withoutEffect(checked.value ?? {}, source), ...keys.problems];
  return {
    values: valuesOf(config),
    settings: settingsOf(config),
    variables: variablesOf(config),
    keys: keys.values,
    missing: keys.missing.map(problemLine),
    notes: notes.map(problemLine),
  };
}

function valuesOf({ agent, role, approve, cmd_prelude: prelude }: ConfigData): CliConfig['values'] {
  const [kind, name] = prelude ? [prelude.slice(0, prelude.indexOf(':')), prelude.slice(prelude.indexOf(':') + 1)] : [];
  return {
    agent: agent ?? undefined,
    role: role ?? (kind === 'role' ? name : undefined),
    session: kind === 'session' ? name : undefined,
    approve: approve ?? undefined,
  };
}

/** What has no variable of its own. */
function settingsOf(config: ConfigData): Record<string, unknown> {
  const { turns, tokens, minutes, cost_usd: costUsd } = config.limits ?? {};
  const skills = {
    enabled: config.skills_enabled,
    byDefault: config.enabled_skills,
    visible: config.visible_skills,
  };
  return present({
    autoContinue: config.auto_continue,
    autoContinueLimit: config.max_auto_continues,
    limits: group({ turns, tokens, minutes, costUsd }),
    skills: group(skills),
  });
}

/** Undefined when nothing of it is said. */
function group(values: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const some = present(values);
  return Object.keys(some).length > 0 ? some : undefined;
}

function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** As the environment would say it, which comes before it. */
function variablesOf(config: ConfigData): Record<string, string> {
  const clients = config.clients ?? [];
  const addresses = clients.flatMap((client) => {
    const id = providerOf(client);
    return id !== undefined && client.api_base ? [[addressVariable(id), client.api_base] as const] : [];
  });
  const found = Object.fromEntries(addresses);
  if (config.model) found['CAIRN_MODEL'] = ourModel(config.model, clients);
  if (config.reasoning_effort) found['CAIRN_REASONING_EFFORT'] = config.reasoning_effort;
  return found;
}

function addressVariable(id: string): string {
  return id === 'ollama' ? 'OLLAMA_HOST' : `${id.toUpperCase()}_BASE_URL`;
}

/** Coyote begins a model with the name of its client. */
function ourModel(written: string, clients: Clients): string {
  const model = modelId(written);
  const colon = model.indexOf(':');
  const name = model.slice(0, colon);
  const client = clients.find((one) => (one.name ?? one.type) === name);
  return `${(client && providerOf(client)) ?? TYPES[name] ?? name}${model.slice(colon)}`;
}

/** Undefined for those that Cairn does not speak to. */
function providerOf({ type, name }: Clients[number]): string | undefined {
  const known = (id: string | null | undefined) => PROVIDER_KEYS.find((one) => one.id === id)?.id;
  if (type === 'openai-compatible') return known(name) ?? 'custom';
  return Object.hasOwn(TYPES, type) ? TYPES[type] : known(type);
}

interface Keys {
  /** By the variables that would hold them. */
  values: Map<string, string>;
  missing: ContentProblem[];
  problems: ContentProblem[];
}

async function keysOf(clients: Clients, source: YamlSource, secrets: SecretValues): Promise<Keys> {
  const keys: Keys = { values: new Map(), missing: [], problems: [] };
  for (const [at, client] of clients.entries()) {
    const id = providerOf(client);
    const variable = PROVIDER_KEYS.find((one) => one.id === id)?.keyVariable;
    if (variable === undefined) {
      const message = `Cairn does not speak to clients of the type “${client.type}”, so this one has no effect.`;
      keys.problems.push(problem(source, ['clients', at, 'type'], message));
      continue;
    }
    if (!client.api_key) continue;
    const { text, missing } = await resolveSecrets(client.api_key, secrets);
    const where = ['clients', at, 'api_key'];
    for (const name of missing) {
      const message = `there is no secret ${name}, so this key is not used. cairn vault add ${name} keeps it.`;
      keys.missing.push(problem(source, where, message));
    }
    if (missing.length === 0) keys.values.set(variable, text);
    if (text === client.api_key && missing.length === 0) {
      const message = `this key can be read by whoever reads the file. Write {{${variable}}} and run cairn vault add ${variable}.`;
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
