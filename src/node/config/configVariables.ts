import { type ConfigData, usedSchema, WITHOUT_EFFECT } from './configSchema';

type Kind = 'text' | 'flag' | 'number';

/**
 * Fields that a variable may say, and how it is written there. Not `approve`: what a folder of somebody else adds to the
 * environment, as that of a container does, must not allow what the person is asked for.
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

/** Of two, the first one counts. */
const PREFIXES = ['CAIRN_', 'COYOTE_'];
/** What `environmentSettings` hears by itself. */
const HEARD = new Set(['CAIRN_MODEL', 'CAIRN_REASONING_EFFORT']);
const FLAGS: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };
const LIMIT = 'limits_';

/** What variables of the environment say of the fields of `config.yaml`. */
export interface VariableConfig {
  data: ConfigData;
  /** Field, as `limits.turns` → the variable that says it. */
  places: ReadonlyMap<string, string>;
  /** What keeps a variable from being understood; it names the variable. */
  problems: readonly string[];
  /** A line for each variable that has no effect. */
  notes: readonly string[];
}

/** `CAIRN_<FIELD>` and, where that is not set, `COYOTE_<FIELD>`. An empty one says nothing; `null` takes back what the file says. */
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

/** What is not of its kind stays text, which the schema then refuses. */
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
