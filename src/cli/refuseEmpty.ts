import { UsageError } from './exitStatus';

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
