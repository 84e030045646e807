/** What a person keeps under a name of their own is that of a store of secrets, beside the keys of providers. */
const PREFIX = 'secret.';
export const MAX_SECRET_NAME = 200;
/** It stands between braces in configuration, and in one line of a list. */
const NAME = /^[^\s{}\p{C}](?:[^{}\p{C}]*[^\s{}\p{C}])?$/u;

/** What a name of a secret has to be, to be said to a person. */
export const SECRET_NAME_RULE = `up to ${MAX_SECRET_NAME} characters on one line, without braces`;

export function isSecretName(name: string): boolean {
  return name.length <= MAX_SECRET_NAME && NAME.test(name);
}

/** Under which a store of secrets has the secret that a person named so. */
export function storedName(name: string): string {
  return PREFIX + name;
}

/** How a person named what a store has under this; undefined for anything else. */
export function nameOfStored(stored: string): string | undefined {
  return stored.startsWith(PREFIX) ? stored.slice(PREFIX.length) : undefined;
}
