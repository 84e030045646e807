import { PROVIDER_KEYS } from '../../engine';
import type { FileConfig } from '../../node/config/fileConfig';
import type { CliArguments } from '../parseArguments';

const FILE = 'config.yaml';

/**
 * The arguments with what `config.yaml` says where they say nothing. A session that is gone on with has an agent and a role
 * of its own.
 */
export function withConfig(args: CliArguments, { agent, role, session, approve }: FileConfig['values']): CliArguments {
  const settled = { ...args, approve: args.approve ?? approve };
  if (args.session !== undefined) return settled;
  if (args.agent === undefined && args.role === undefined) {
    if (session !== undefined) return { ...settled, session };
    return { ...settled, agent, role };
  }
  return settled;
}

/** What somebody chose for a run, with where: an option comes before the environment, and that before `config.yaml`. */
export function settingRows(
  args: CliArguments,
  env: NodeJS.ProcessEnv,
  { values, variables, settings, keys }: FileConfig,
): (readonly [string, string, string])[] {
  const rows: (readonly [string, string, string])[] = [];
  for (const name of ['agent', 'role', 'session', 'approve'] as const) {
    const option = args[name];
    const value = withConfig(args, values)[name];
    if (value !== undefined) rows.push([`setting ${name}`, value, option === undefined ? FILE : `--${name}`]);
  }
  if (args.model !== undefined) rows.push(['setting model', args.model, '--model']);
  const names = ['CAIRN_MODEL', 'CAIRN_REASONING_EFFORT', 'CAIRN_IDLE_TIMEOUT', ...Object.keys(variables)];
  for (const name of new Set(names)) {
    const value = env[name] || variables[name];
    if (value !== undefined) rows.push([name, value, env[name] ? placeOf(name) : FILE]);
  }
  for (const [name, value] of Object.entries(settings)) rows.push([`setting ${name}`, JSON.stringify(value), FILE]);
  for (const { keyVariable } of PROVIDER_KEYS) {
    if (env[keyVariable]) rows.push([keyVariable, 'set', placeOf(keyVariable)]);
    else if (keys.has(keyVariable)) rows.push([keyVariable, 'set', FILE]);
  }
  return rows;
}

/** Of a variable that is set. */
function placeOf(variable: string): string {
  return process.env[variable] === undefined ? '.env' : 'environment';
}
