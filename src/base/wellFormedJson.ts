const HALF = /\\u[dD][89a-fA-F]/;
const ESCAPE = /\\(?:u(d[89ab][\da-f]{2})(\\ud[c-f][\da-f]{2})?|u(d[c-f][\da-f]{2})|.)/gis;

/** JSON text in which no half of a character stands, written out or escaped: vendors refuse every request that holds one. */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed();
  if (!HALF.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, high?: string, low?: string, alone?: string) =>
    (high !== undefined && low === undefined) || alone !== undefined ? '\\ufffd' : escape,
  );
}
