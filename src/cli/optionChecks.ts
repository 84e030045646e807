import { UsageError } from './exitStatus';

/** What `cairn` can do instead of a run, and the options each accepts besides its own. All other run options are rejected. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  list: ['cwd', 'config-dir', 'trust', 'output'],
  info: [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'role', 'model', 'session', 'approve', 'effort'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
  validate: ['config-dir'],
  usage: ['config-dir', 'since', 'output'],
  // Can be appended to the command line of a run, so it accepts the options that determine how that run would go.
  'dry-run': [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'model', 'variable', 'answers', 'effort', 'mode', 'approve'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
};

/** `--dry-run` walks the graph with the prompt. */
const TAKE_PROMPT = ['dry-run'];

/**
 * Throws UsageError if two of them are given, or an option or prompt that would have no effect: a script with
 * `--list agents --output csv` would misread the lines it gets.
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

/** Does the same for the options of `cairn mcp serve`, which apply to the run of each call. */
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
 * Rejects options with an empty value, by name. That is usually an unset variable, and `--config-dir "$DIR"` would take settings,
 * rules and secrets from the current folder. Throws UsageError.
 */
export function refuseEmpty(values: Readonly<Record<string, unknown>>, help: string): void {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = Array.isArray(value) ? value.includes('') : value === '';
    if (isEmpty) throw new UsageError(`--${name} has an empty value. Give it one, or leave it out; see ${help}.`);
  }
}
