const PLACEHOLDER = /\{\{([A-Za-z_][\w-]*)\}\}/g;

/** What placeholders stand for; a Map of texts is one. */
export interface TemplateValues {
  get(name: string): string | undefined;
}

/** Fills `{{name}}` in one pass, so that what a value holds is never filled again; unknown names stay as they are. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** The names of the placeholders in a text. */
export function placeholders(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []));
}
