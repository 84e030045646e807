import type { SecretStore } from '../ports';
import { storedName } from './secretNames';

/** Where values of secrets come from, by the names that configuration writes. */
export interface SecretValues {
  get(name: string): Promise<string | undefined>;
}

/** Those of a store: of the editor's as of the vault of the command line. */
export function namedSecrets(store: Pick<SecretStore, 'get'>): SecretValues {
  return { get: (name) => store.get(storedName(name)) };
}

export interface ResolvedText {
  /** With every value in its place; what is missing stays as it was written. */
  text: string;
  /** Names that have no value, each once. */
  missing: readonly string[];
}

/** As people write it, also with spaces inside the braces. */
const PLACEHOLDER = /\{\{([^{}]*[^{}\s][^{}]*)\}\}/g;

/** Puts secrets in the place of each `{{NAME}}`. What stands in a value is not looked at again. */
export async function resolveSecrets(text: string, values: SecretValues): Promise<ResolvedText> {
  const names = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()));
  const found = new Map<string, string>();
  for (const name of names) {
    const value = await values.get(name);
    if (value !== undefined) found.set(name, value);
  }
  return {
    text: text.replace(PLACEHOLDER, (written, name: string) => found.get(name.trim()) ?? written),
    missing: [...names].filter((name) => !found.has(name)),
  };
}
