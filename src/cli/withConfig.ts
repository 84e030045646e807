import type { ConfigLayer, FileConfig, SaidValue } from '../node/config/configSchema';
import {
  defaultLayer,
  type EffectiveValue,
  effectiveValues,
  environmentLayer,
  placed,
  shown,
} from '../node/config/effectiveConfig';
import type { CliArguments } from './parseArguments';

/** Fills gaps in the arguments from `config.yaml`. An existing session already has its agent and role. */
export function withConfig(args: CliArguments, values: FileConfig['values']): CliArguments {
  const { agent, role, session, session_role: sessionRole, approve } = values;
  const settled = { ...args, approve: args.approve ?? approve };
  if (args.session !== undefined) return settled;
  if (args.agent === undefined && args.role === undefined) {
    if (session !== undefined) return { ...settled, session, ...(sessionRole !== undefined && { sessionRole }) };
    return { ...settled, agent, role };
  }
  return settled;
}

/**
 * Returns each setting of a run: its value, where it was set, and what it overrides. Options take precedence over the
 * environment, which takes precedence over `config.yaml`.
 */
export function effectiveSettings(args: CliArguments, env: NodeJS.ProcessEnv, config: FileConfig): EffectiveValue[] {
  // Options override agent and role together; see `withConfig`.
  const heard = withConfig(args, config.values);
  const { agent, role, session, sessionRole } = heard;
  const whose = new Map(Object.entries({ agent, role, session, session_role: sessionRole }));
  const isHeard = (name: string) => !whose.has(name) || whose.get(name) !== undefined;
  const fields = [placed(config.byVariables, placeOf), config.byFile].map(
    (layer) => new Map([...layer].filter(([name]) => isHeard(name))),
  );
  const layers = [optionLayer(args), environmentLayer(env, placeOf), ...fields, defaultLayer()];
  return effectiveValues(layers).map(({ overrides, ...said }) => ({
    ...said,
    overrides: overrides.filter(({ from }) => from !== 'default'),
  }));
}

function optionLayer(args: CliArguments): ConfigLayer {
  const layer = new Map<string, SaidValue>();
  const add = (name: string, value: unknown, option: string) => {
    if (value !== undefined) layer.set(name, { value: shown(value), from: option });
  };
  for (const name of ['model', 'agent', 'role', 'session', 'approve'] as const) add(name, args[name], `--${name}`);
  add('reasoning_effort', args.effort, '--effort');
  add('limits.turns', args.maxTurns, '--max-turns');
  add('limits.minutes', args.maxTimeMs && args.maxTimeMs / 60_000, '--max-time');
  add('limits.cost_usd', args.maxCostUsd, '--max-cost');
  return layer;
}

/** Returns where a variable that is set comes from. */
function placeOf(variable: string): string {
  return process.env[variable] === undefined ? `${variable} in .env` : variable;
}
