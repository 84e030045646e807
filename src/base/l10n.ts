/** Maps an English sentence to its translation. Undefined: everything is shown as written in the code. */
let translations: ReadonlyMap<string, string> | undefined;

/** Sets the translations that `t` uses. Called once at startup, before anything is shown. */
export function setTranslations(given: ReadonlyMap<string, string> | undefined): void {
  translations = given;
}

const PLACEHOLDER = /\{(\d+)\}/g;

/**
 * Translates a sentence into the display language, with the contract of `vscode.l10n.t`: English is the source and the key, and
 * `{0}` is the first value. Placeholders within values are not filled, and nothing is escaped. The sentence must be a literal, so
 * that it can be collected for translators. It is looked up when called, so never call this while a module loads.
 */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  const words = translations?.get(sentence) ?? sentence;
  if (values.length === 0) return words;
  return words.replace(PLACEHOLDER, (whole, index: string) => String(values[Number(index)] ?? whole));
}
