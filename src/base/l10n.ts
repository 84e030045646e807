/** English sentence → what is shown instead of it. Undefined: everything is shown as it stands in the code. */
let translations: ReadonlyMap<string, string> | undefined;

/** From now on `t` looks here first. Whoever starts us calls it once, before anything is shown. */
export function setTranslations(given: ReadonlyMap<string, string> | undefined): void {
  translations = given;
}

const PLACEHOLDER = /\{(\d+)\}/g;

/**
 * A sentence of ours in the language of the person, with the contract of `vscode.l10n.t`: English is the source and the key,
 * `{0}` stands for the first value. What a value says is never filled again, and nothing is made safe to be shown by this.
 * The sentence is a literal, so that it can be collected for translators; it is looked up when it is shown, so never while a
 * module is loaded.
 */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  const words = translations?.get(sentence) ?? sentence;
  if (values.length === 0) return words;
  return words.replace(PLACEHOLDER, (whole, index: string) => String(values[Number(index)] ?? whole));
}
