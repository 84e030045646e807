const PLACEHOLDER = /\{\{([A-Za-z_][\w-]*)\}\}/g;

/** The values of placeholders, such as a Map of strings. */
export interface TemplateValues {
  get(name: string): string | undefined;
}

/** Fills `{{name}}` in one pass, so that placeholders within values are not filled. Unknown names stay unchanged. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** Returns the names of the placeholders in a text. */
export function placeholders(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []));
}
