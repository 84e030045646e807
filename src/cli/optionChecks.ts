import { UsageError } from './exitStatus';

/** What `cairn` does instead of a run, and which options count there beside their own; those of every run count in none of them. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  list: ['cwd', 'config-dir', 'trust', 'output'],
  info: [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'role', 'model', 'session', 'approve', 'effort'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
  validate: ['config-dir'],
  usage: ['config-dir', 'since', 'output'],
  // Put behind the line of a run, it takes what says how that would be held.
  'dry-run': [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'model', 'variable', 'answers', 'effort', 'mode', 'approve'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
};

/** `--dry-run` walks the graph with it. */
const TAKE_PROMPT = ['dry-run'];

/**
 * Throws UsageError where two of them are given, or an option or a prompt that would count for nothing: a script that says
 * `--list agents --output csv` reads lines that it takes for something else.
 */
export function checkTogether(given: Readonly<Record<string, unknown>>, prompt: string): void {
  if (given['help'] === true || given['version'] === true) return;
  const names = Object.keys(given);
  const [what, other] = names.filter((name) => Object.hasOwn(INSTEAD, name));
  if (what === undefined) return;
  if (other !== undefined) throw new UsageError(`--${what} and --${other} do not go together. Leave one of them out.`);
  const taken = INSTEAD[what] ?? [];
  const idle = names.find((name) => name !== what && !taken.includes(name));
  if (idle !== undefined) throw new UsageError(`--${idle} has no effect with --${what}. Leave one of them out.`);
  if (prompt !== '' && !TAKE_PROMPT.includes(what))
    throw new UsageError(`--${what} takes no prompt, and runs no agent. Leave “${prompt}” or --${what} out.`);
}

/** The same for the run that `cairn mcp serve` has of each call. */
export function checkServed(given: Readonly<Record<string, unknown>>, prompt: string): void {
  if (prompt !== '') throw new UsageError('cairn mcp serve takes no prompt: the program that starts it sends them.');
  const idle = Object.keys(given).find((name) => !SERVED.includes(name));
  if (idle !== undefined) throw new UsageError(`cairn mcp serve takes no --${idle}. See cairn --help.`);
}

const SERVED = [
  ...['cwd', 'config-dir', 'trust', 'agent', 'role', 'model', 'approve', 'effort', 'mode', 'variable'],
  ...['max-turns', 'max-time', 'max-cost', 'help', 'version'],
];

/**
 * Refuses options with an empty value, by the names of their values: that is mostly a variable which is not set, and
 * `--config-dir "$DIR"` would take settings, rules and secrets from the folder that one happens to be in. Throws UsageError.
 */
export function refuseEmpty(values: Readonly<Record<string, unknown>>, help: string): void {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = Array.isArray(value) ? value.includes('') : value === '';
    if (isEmpty) throw new UsageError(`--${name} has an empty value. Give it one, or leave it out; see ${help}.`);
  }
}
