/** Elements of a page that are laid out; documentation pages have a few thousand. */
const MAX_ELEMENTS = 60_000;
/** Elements within each other; what a browser shows has some dozens. */
const MAX_DEPTH = 400;

/** They have no end tag. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** True for a page with more or deeper elements than can be laid out in good time. Looks at each character once. */
export function isTooComplex(html: string): boolean {
  let elements = 0;
  let depth = 0;
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (slash === '/') {
      if (depth > 0) depth -= 1;
      continue;
    }
    elements += 1;
    if (!VOID.has(name.toLowerCase()) && tag !== '') depth += 1;
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return true;
  }
  return false;
}
