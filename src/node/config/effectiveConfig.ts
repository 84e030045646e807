import { engineSettingsSchema, PROVIDER_KEYS } from '../../engine';
import type { ConfigLayer, FileConfig, SaidValue } from './configSchema';

export interface EffectiveValue extends SaidValue {
  name: string;
  /** The overridden values, highest precedence first. */
  overrides: readonly SaidValue[];
}

const LIMITS = ['limits.turns', 'limits.tokens', 'limits.minutes', 'limits.cost_usd'] as const;

/** In display order; addresses and keys of providers follow. */
const NAMES: readonly string[] = [
  ...['model', 'agent', 'role', 'session', 'session_role', 'approve', 'reasoning_effort', 'temperature', 'top_p'],
  ...['idle_timeout', ...LIMITS],
  ...['auto_continue', 'max_auto_continues', 'skills_enabled', 'enabled_skills', 'visible_skills'],
  ...['visible_tools', 'enabled_tools', 'mcp_server_support', 'enabled_mcp_servers'],
  ...['secrets_provider', 'instructions'],
];

const VARIABLES: readonly (readonly [name: string, variable: string])[] = [
  ['model', 'CAIRN_MODEL'],
  ['reasoning_effort', 'CAIRN_REASONING_EFFORT'],
  ['idle_timeout', 'CAIRN_IDLE_TIMEOUT'],
];

/** Shown in place of a secret. */
export const SET = 'set';

/** Returns every value that any layer sets, as set by the first of `layers` that contains it. */
export function effectiveValues(layers: readonly ConfigLayer[]): EffectiveValue[] {
  const others = new Set(layers.flatMap((layer) => [...layer.keys()].filter((name) => !NAMES.includes(name))));
  return [...NAMES, ...[...others].sort()].flatMap((name) => {
    const [first, ...overrides] = layers.flatMap((layer) => layer.get(name) ?? []);
    return first ? [{ name, ...first, overrides }] : [];
  });
}

/** Returns the engine settings from the environment. `placeOf` returns where a variable was set. */
export function environmentLayer(env: NodeJS.ProcessEnv, placeOf: (variable: string) => string): ConfigLayer {
  const layer = new Map<string, SaidValue>();
  const add = (name: string, variable: string, value = env[variable]) => {
    if (value) layer.set(name, { value, from: placeOf(variable) });
  };
  for (const [name, variable] of VARIABLES) add(name, variable);
  for (const { id, keyVariable } of PROVIDER_KEYS) {
    const address = addressVariable(id);
    add(address, address);
    add(keyVariable, keyVariable, env[keyVariable] && SET);
  }
  return layer;
}

/** Returns the fields set in one place; `places` maps each name to its location. */
export function fieldLayer(
  { values, variables, settings, keys }: Pick<FileConfig, 'values' | 'variables' | 'settings' | 'keys'>,
  places: ReadonlyMap<string, string>,
): ConfigLayer {
  const layer = new Map<string, SaidValue>();
  const add = (name: string, value: unknown) => {
    if (value !== undefined) layer.set(name, { value: shown(value), from: places.get(name) ?? 'config.yaml' });
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  const byVariable = new Map(VARIABLES.map(([name, variable]) => [variable, name]));
  for (const [variable, value] of Object.entries(variables)) add(byVariable.get(variable) ?? variable, value);
  for (const [name, value] of settingValues(settings)) add(name, value);
  for (const variable of keys.keys()) add(variable, SET);
  return layer;
}

/** Converts each location to the form shown to users. */
export function placed(layer: ConfigLayer, placeOf: (from: string) => string): ConfigLayer {
  return new Map([...layer].map(([name, { value, from }]) => [name, { value, from: placeOf(from) }]));
}

/** Returns Cairn's defaults. */
export function defaultLayer(): ConfigLayer {
  const { autoContinue, autoContinueLimit, skills, idleTimeout } = engineSettingsSchema().parse({});
  const values = { autoContinue, autoContinueLimit, skills: { enabled: skills.enabled } };
  return new Map([
    ...settingValues(values).map(([name, value]) => [name, { value: shown(value), from: 'default' }] as const),
    ['idle_timeout', { value: String(idleTimeout), from: 'default' }],
    ['secrets_provider', { value: 'local', from: 'default' }],
  ]);
}

const PARTS = {
  limits: { turns: 'limits.turns', tokens: 'limits.tokens', minutes: 'limits.minutes', costUsd: 'limits.cost_usd' },
  skills: { enabled: 'skills_enabled', byDefault: 'enabled_skills', visible: 'visible_skills' },
  tools: { visible: 'visible_tools', enabled: 'enabled_tools' },
  servers: { on: 'mcp_server_support', enabled: 'enabled_mcp_servers' },
} as const;

/** Maps engine settings to their names in `config.yaml`. */
function settingValues(settings: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  const inside = Object.entries(PARTS).flatMap(([group, names]) => {
    const values = settings[group];
    if (typeof values !== 'object' || values === null) return [];
    const known = new Map<string, unknown>(Object.entries(values));
    return Object.entries(names).map(([key, name]): [string, unknown] => [name, known.get(key)]);
  });
  const all: [string, unknown][] = [
    ['temperature', settings['temperature']],
    ['top_p', settings['topP']],
    ['auto_continue', settings['autoContinue']],
    ['max_auto_continues', settings['autoContinueLimit']],
    ['instructions', settings['instructions']],
    ...inside,
  ];
  return all.filter(([, value]) => value !== undefined);
}

/** Formats a value as it would be written in the file. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join(', ') : JSON.stringify(value);
}

/** Returns the variable for a provider's address. */
export function addressVariable(id: string): string {
  return id === 'ollama' ? 'OLLAMA_HOST' : `${id.toUpperCase()}_BASE_URL`;
}
