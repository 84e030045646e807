/** Prefix of secrets that the user named, to separate them from provider keys in a store. */
const PREFIX = 'secret.';
export const MAX_SECRET_NAME = 200;
/** Names appear between braces in configuration, and on a single line in lists. */
const NAME = /^[^\s{}\p{C}](?:[^{}\p{C}]*[^\s{}\p{C}])?$/u;

/** The rule for names, in words for the user. */
export const SECRET_NAME_RULE = `up to ${MAX_SECRET_NAME} characters on one line, without braces`;

export function isSecretName(name: string): boolean {
  return name.length <= MAX_SECRET_NAME && NAME.test(name);
}

/** Returns the key under which a store has the user's secret of this name. */
export function storedName(name: string): string {
  return PREFIX + name;
}

/** Returns the user's name of a stored secret; undefined for any other key. */
export function nameOfStored(stored: string): string | undefined {
  return stored.startsWith(PREFIX) ? stored.slice(PREFIX.length) : undefined;
}
