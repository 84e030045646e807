import type { SecretStore } from '../ports';
import { storedName } from './secretNames';

/** A source of secrets by the names used in configuration. */
export interface SecretValues {
  get(name: string): Promise<string | undefined>;
  /** Requests a secret anew on its next use, because its value was refused. Absent if values are never outdated. */
  forget?(name: string): void;
}

/** Returns the user's secrets in a store: the editor's storage or the vault of the command line. */
export function namedSecrets(store: Pick<SecretStore, 'get'>): SecretValues {
  return { get: (name) => store.get(storedName(name)) };
}

interface ResolvedText {
  /** The text with all values filled in; placeholders without a value are unchanged. */
  text: string;
  /** Names without a value, without duplicates. */
  missing: readonly string[];
}

/** Spaces inside the braces are allowed. */
const PLACEHOLDER = /\{\{(\s*[^{}\s][^{}]*)\}\}/g;

/** Replaces each `{{NAME}}` by its secret. Values are not expanded again. */
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
