import {
  defaultLayer,
  type EffectiveValue,
  effectiveValues,
  environmentLayer,
  placed,
  shown,
} from '../../node/config/effectiveConfig';
import type { ConfigLayer, FileConfig, SaidValue } from '../../node/config/fileConfig';
import type { CliArguments } from '../parseArguments';

/**
 * The arguments with what `config.yaml` says where they say nothing. A session that is gone on with has an agent and a role
 * of its own.
 */
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

/** Each value of a run: what it is, where it was said, and what that overrides. An option comes before the environment, and that before `config.yaml`. */
export function effectiveSettings(args: CliArguments, env: NodeJS.ProcessEnv, config: FileConfig): EffectiveValue[] {
  // The options choose both together, as `withConfig` says.
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

/** Of a variable that is set. */
function placeOf(variable: string): string {
  return process.env[variable] === undefined ? `${variable} in .env` : variable;
}
