/** Non-ASCII bytes. What JavaScript counts as one or two characters may be different bytes to ripgrep. */
const FOREIGN = '(?-u:[\\x80-\\xff]{1,3})';
const anyOr = (part: string) => `(?:${part}|${FOREIGN})`;

/** In JavaScript these classes cover ASCII; ripgrep's cover all of Unicode. */
const CLASSES = new Map([
  ['\\d', '[0-9]'],
  ['\\D', anyOr('[^0-9]')],
  ['\\w', '[0-9A-Za-z_]'],
  ['\\W', anyOr('[^0-9A-Za-z_]')],
  ['\\s', '[\\s\\x{feff}]'],
  ['\\S', anyOr('\\S')],
  ['\\b', '(?-u:\\b)'],
  ['\\B', '(?-u:\\B)'],
  ['\\t', '\\t'],
]);
const INSIDE = new Map([
  ['\\d', '0-9'],
  ['\\w', '0-9A-Za-z_'],
  ['\\s', '\\s\\x{feff}'],
  ['\\t', '\\t'],
]);

const TOKEN = /\\[^]|\[\^?(?:\\[^]|[^\\\]])+\]|\{\d+(?:,\d*)?\}|\(\?:|\(\?|[^]/g;
const SET_ITEM = /\\[^]|[^]/g;
const SPECIAL = /[\\.+*?()|[\]{}^$]/;

/**
 * Translates a JavaScript regular expression so that ripgrep matches at least the same lines. Returns null if it uses features
 * that differ too much, such as lookaround or back references.
 */
export function ripgrepPattern(source: string): string | null {
  if (/[\ud800-\udfff\r\n]/.test(source)) return null;
  const parts: string[] = [];
  for (const [token] of source.matchAll(TOKEN)) {
    const part = partOf(token);
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join('');
}

function partOf(token: string): string | null {
  if (token === '(?') return null;
  if (token === '.' || isForeign(token)) return anyOr(token);
  if (token.startsWith('[')) return token === '[' || token === '[^]' ? null : setOf(token);
  if (token.startsWith('\\')) return CLASSES.get(token) ?? literalOf(token);
  if (token.length === 1 && '{}]'.includes(token)) return `\\${token}`;
  return token;
}

/** Returns the literal that an escaped character stands for; null if the escape has a meaning. */
function literalOf(token: string): string | null {
  const sign = token.slice(1);
  if (sign === '' || /[\w\s]/.test(sign)) return null;
  if (isForeign(sign)) return anyOr(sign);
  return SPECIAL.test(sign) ? token : sign;
}

/** Whether a character is not ASCII, so that its bytes differ in files that are not UTF-8. */
function isForeign(sign: string): boolean {
  return sign.length === 1 && sign > '\x7f';
}

function setOf(token: string): string | null {
  const negated = token.startsWith('[^');
  const parts: string[] = [];
  for (const [item] of token.slice(negated ? 2 : 1, -1).matchAll(SET_ITEM)) {
    const part = item.startsWith('\\') ? (INSIDE.get(item) ?? escapedInSet(item)) : item;
    if (part === null || part === '[') return null;
    parts.push(part);
  }
  const body = parts.join('');
  if (/&&|--|~~/.test(body)) return null;
  if (negated) return anyOr(`[^${body}]`);
  return /[\u0080-\uffff]/.test(body) ? anyOr(`[${body}]`) : `[${body}]`;
}

function escapedInSet(item: string): string | null {
  const sign = item.slice(1);
  if (sign === '' || /[\w\s]/.test(sign)) return null;
  return /[\\\]^[-]/.test(sign) ? item : sign;
}
