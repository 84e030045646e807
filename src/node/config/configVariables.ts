import { type ConfigData, usedSchema, WITHOUT_EFFECT } from './configSchema';

type Kind = 'text' | 'flag' | 'number';

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
  enabled_mcp_servers: 'text',
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
      problems.push(`${variable}: ${checked.error.issues[0]?.message ?? 'not understood'}.`);
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
  return kind === 'number' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function notesOn(env: NodeJS.ProcessEnv): string[] {
  const unheard = PREFIXES.flatMap((prefix) =>
    [...WITHOUT_EFFECT].map(([key, why]) => [prefix + key.toUpperCase(), why] as const),
  );
  const asked = PREFIXES.map((prefix) => [`${prefix}APPROVE`, APPROVE] as const);
  return [...unheard, ...asked].flatMap(([name, why]) => (env[name] ? [`${name} has no effect: ${why}.`] : []));
}

const APPROVE = 'approval is set by --approve, config.yaml, or the editor’s settings, not by the environment';
