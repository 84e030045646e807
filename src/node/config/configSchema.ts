import * as z from '../../base/zod';
import { EFFORTS, modelName, nameList, plainMessage, type SecretValues } from '../../engine';
import { secretsProvider } from '../vault/secretProviders';

const text = z.string().check(z.minLength(1));
const count = z.int().check(z.minimum(1));
const above0 = z.number().check(z.positive());

const client = z.strictObject({
  type: text,
  name: z.exactOptional(z.nullable(text)),
  api_base: z.exactOptional(z.nullable(z.url({ protocol: /^https?$/ }))),
  api_key: z.exactOptional(z.nullable(text)),
});

/** Cairn's keys, and those of Coyote that have a meaning here. */
const used = {
  model: z.nullish(modelName),
  agent: z.nullish(text),
  role: z.nullish(text),
  approve: z.nullish(z.enum(['ask', 'edits', 'all', 'none'])),
  reasoning_effort: z.nullish(z.enum(EFFORTS)),
  temperature: z.nullish(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: z.nullish(z.number().check(z.minimum(0), z.maximum(1))),
  limits: z.nullish(
    z.strictObject({
      turns: z.nullish(count),
      tokens: z.nullish(count),
      minutes: z.nullish(above0),
      cost_usd: z.nullish(above0),
    }),
  ),
  /** The same limit as for a workspace's instruction file. */
  instructions: z.nullish(z.string().check(z.maxLength(24_000))),
  cmd_prelude: z.nullish(
    z.string().check(z.regex(/^\s*[^\s:][^:]*:.*\S/, 'must be written role:NAME, session:NAME, or SESSION:ROLE')),
  ),
  auto_continue: z.nullish(z.boolean()),
  max_auto_continues: z.nullish(count),
  skills_enabled: z.nullish(z.boolean()),
  enabled_skills: z.nullish(nameList),
  visible_skills: z.nullish(nameList),
  visible_tools: z.nullish(nameList),
  enabled_tools: z.nullish(nameList),
  mapping_tools: z.nullish(z.record(text, nameList)),
  enabled_mcp_servers: z.nullish(nameList),
  mapping_mcp_servers: z.nullish(z.record(text, nameList)),
  /** False: no agent has any. */
  mcp_server_support: z.nullish(z.boolean()),
  secrets_provider: z.nullish(secretsProvider),
  clients: z.nullish(z.array(client)),
};

const TOOLS = 'agents, roles, and permission rules decide which tools are available';
const RAG = 'Cairn has no knowledge bases yet';
const PROMPT = 'cairn has no interactive prompt; it takes one message and exits';
const SESSIONS = 'sessions are always saved, and summarized for the model when they get too long';

/** Coyote's other keys, grouped by why they have no effect. */
const WHY: readonly (readonly [why: string, keys: readonly string[]])[] = [
  [TOOLS, ['function_calling_support']],
  [RAG, ['rag_embedding_model', 'rag_reranker_model', 'rag_top_k', 'rag_chunk_size', 'rag_chunk_overlap']],
  [RAG, ['rag_template', 'document_loaders']],
  [PROMPT, ['keybindings', 'editor', 'repl_prelude', 'left_prompt', 'right_prompt', 'save_shell_history']],
  [SESSIONS, ['save', 'save_session', 'compression_threshold', 'summarization_prompt', 'summary_context_prompt']],
  ['each agent sets it for itself', ['agent_session', 'inject_todo_instructions', 'continuation_prompt']],
  ['each agent sets it for itself', ['inject_skill_instructions', 'skill_instructions']],
  ['the terminal decides how text looks', ['wrap', 'wrap_code', 'highlight', 'theme', 'light_theme']],
  ['CAIRN_VAULT_KEY_FILE names the key file of the vault', ['vault_password_file']],
  ['every message is sent', ['dry_run']],
  ['answers always stream', ['stream']],
  ['requests use the user agent of the vendor’s library', ['user_agent']],
  ['the list of models is built into Cairn', ['sync_models_url']],
];

/** Coyote key → why it has no effect. */
export const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map(
  WHY.flatMap(([why, keys]) => keys.map((key) => [key, why] as const)),
);

const unused = Object.fromEntries([...WITHOUT_EFFECT.keys()].map((key) => [key, z.optional(z.unknown())]));

/** All keys allowed in the file. */
export const configSchema = z.extend(z.strictObject(unused), used);
/** The keys that have an effect. */
export const usedSchema = z.object(used);
export type ConfigData = z.infer<typeof usedSchema>;

/** A value as shown to users, and where it was set. */
export interface SaidValue {
  value: string;
  /** `config.yaml:3`, a variable, a setting with its scope, an option, or `default`. */
  from: string;
}

/** Values set in one place, by name. */
export type ConfigLayer = ReadonlyMap<string, SaidValue>;

/**
 * Run configuration from `config.yaml`, overridden by the variables for its fields. Options, other variables and the editor's
 * settings take precedence over both.
 */
export interface FileConfig {
  values: {
    agent: string | undefined;
    role: string | undefined;
    /** Name of the session to continue. */
    session: string | undefined;
    /** Role that this session starts with. */
    session_role: string | undefined;
    approve: NonNullable<ConfigData['approve']> | undefined;
    /** Where secrets that Cairn does not store come from. */
    secrets_provider: string | undefined;
  };
  /** Secrets of that provider, each fetched when needed. */
  provided: SecretValues | undefined;
  /** Engine settings. */
  settings: Readonly<Record<string, unknown>>;
  /** Values that have environment variables, by variable. */
  variables: Readonly<Record<string, string>>;
  /** Provider keys, by variable. */
  keys: ReadonlyMap<string, string>;
  /** Display values set by variables; `from` is the variable. */
  byVariables: ConfigLayer;
  /** Display values set in the file; `from` is like `config.yaml:3`. */
  byFile: ConfigLayer;
  /** One line per key or client that the user expects but does not get. */
  warnings: readonly string[];
  /** One line per entry that has no effect. */
  notes: readonly string[];
}

type Kind = 'text' | 'flag' | 'number' | 'json';

/**
 * Fields that variables can set, and their kinds. `approve` is excluded: an environment provided by someone else's folder, such
 * as a container's, must not allow what the user would be asked about.
 */
const FIELDS: Readonly<Record<string, Kind>> = {
  model: 'text',
  agent: 'text',
  role: 'text',
  reasoning_effort: 'text',
  cmd_prelude: 'text',
  temperature: 'number',
  top_p: 'number',
  limits_turns: 'number',
  limits_tokens: 'number',
  limits_minutes: 'number',
  limits_cost_usd: 'number',
  auto_continue: 'flag',
  max_auto_continues: 'number',
  skills_enabled: 'flag',
  enabled_skills: 'text',
  visible_skills: 'text',
  visible_tools: 'text',
  enabled_tools: 'text',
  mapping_tools: 'json',
  enabled_mcp_servers: 'text',
  mapping_mcp_servers: 'json',
  mcp_server_support: 'flag',
};

/** In order of precedence. */
const PREFIXES = ['CAIRN_', 'COYOTE_'];
/** Handled by `environmentSettings`. */
const HEARD = new Set(['CAIRN_MODEL', 'CAIRN_REASONING_EFFORT']);
const FLAGS: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };
const LIMIT = 'limits_';

/** Fields of `config.yaml` that environment variables set. */
export interface VariableConfig {
  data: ConfigData;
  /** Field, such as `limits.turns` → the variable that sets it. */
  places: ReadonlyMap<string, string>;
  /** Why variables are invalid, each with its name. */
  problems: readonly string[];
  /** One line per variable that has no effect. */
  notes: readonly string[];
}

/** Reads `CAIRN_<FIELD>` or, if that is not set, `COYOTE_<FIELD>`. An empty variable counts as unset; `null` cancels what the file sets. */
export function readVariables(env: NodeJS.ProcessEnv): VariableConfig {
  const places = new Map<string, string>();
  const problems: string[] = [];
  const data: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(FIELDS)) {
    const variable = variableOf(name, env);
    if (variable === undefined) continue;
    const limit = name.startsWith(LIMIT) ? name.slice(LIMIT.length) : undefined;
    const value = valueOf(env[variable]?.trim() ?? '', kind);
    const one = limit === undefined ? { [name]: value } : { limits: { [limit]: value } };
    const checked = usedSchema.safeParse(one);
    if (!checked.success) {
      problems.push(`${variable}: ${plainMessage(checked.error.issues[0]?.message ?? 'not understood')}.`);
      continue;
    }
    if (limit === undefined) data[name] = value;
    else limits[limit] = value;
    places.set(limit === undefined ? name : `limits.${limit}`, variable);
  }
  if (Object.keys(limits).length > 0) data['limits'] = limits;
  return { data: usedSchema.parse(data), places, problems, notes: notesOn(env) };
}

function variableOf(field: string, env: NodeJS.ProcessEnv): string | undefined {
  return PREFIXES.map((prefix) => prefix + field.toUpperCase()).find((name) => !HEARD.has(name) && env[name]?.trim());
}

/** Parses a value. A value of the wrong kind stays text, which the schema then rejects. */
function valueOf(text: string, kind: Kind): unknown {
  if (text === 'null') return null;
  if (kind === 'flag') return FLAGS[text.toLowerCase()] ?? text;
  if (kind === 'json') return jsonIn(text);
  return kind === 'number' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function notesOn(env: NodeJS.ProcessEnv): string[] {
  const unheard = PREFIXES.flatMap((prefix) =>
    [...WITHOUT_EFFECT].map(([key, why]) => [prefix + key.toUpperCase(), why] as const),
  );
  const asked = PREFIXES.map((prefix) => [`${prefix}APPROVE`, APPROVE] as const);
  return [...unheard, ...asked].flatMap(([name, why]) => (env[name] ? [`${name} has no effect: ${why}.`] : []));
}

const APPROVE = 'approval is set by --approve, config.yaml, or the editor’s settings, not by the environment';
