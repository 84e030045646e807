const HALF = /\\u[dD][89a-fA-F]/;
const ESCAPE = /\\(?:u(d[89ab][\da-f]{2})(\\ud[c-f][\da-f]{2})?|u(d[c-f][\da-f]{2})|.)/gis;

/** Replaces lone surrogates in JSON text, literal or escaped: vendors reject any request that contains one. */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed();
  if (!HALF.test(text)) return text;
  return text.replace(ESCAPE, (escape: string, high?: string, low?: string, alone?: string) =>
    (high !== undefined && low === undefined) || alone !== undefined ? '\\ufffd' : escape,
  );
}
