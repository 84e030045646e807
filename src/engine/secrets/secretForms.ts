/** A form in which a secret may be written. */
export interface SecretForm {
  text: string;
  /** True for an encoding that programs break into lines. */
  wraps: boolean;
}

/** Shorter secrets are too likely to be ordinary words. */
const MIN_LENGTH = 8;
/** Shorter lines of a multiline secret reveal little and may be anything. */
const MIN_LINE = 20;

/** Whether a secret is long enough to be distinguished from an ordinary word. */
export function isStruckOut(secret: string): boolean {
  return secret.trim().length >= MIN_LENGTH;
}

/**
 * Returns every form in which programs write a secret: verbatim, quoted for a shell, in JSON, HTML, CSV, and SQL, URL-encoded, in
 * hex, byte by byte, character by character, backwards, and in base64 at any offset, also of UTF-16.
 */
export function secretForms(secret: string): SecretForm[] {
  const value = secret.trim();
  if (!isStruckOut(value)) return [];
  return [...formsOf(value), ...linesOf(value).map((text) => ({ text, wraps: false }))];
}

/** A multiline key is often shown line by line, also by Cairn. */
function linesOf(value: string): string[] {
  if (!value.includes('\n')) return [];
  return value.split(/\r?\n/).filter((line) => line.length >= MIN_LINE && !line.startsWith('-----'));
}

function formsOf(value: string): SecretForm[] {
  const bytes = Buffer.from(value, 'utf8');
  const inAddress = value.replace(/[^\w.~-]/gu, escaped);
  const inScript = value.replace(/[^\w.!~*'()-]/gu, escaped);
  const addresses = [inAddress, inScript].flatMap((one) => [one, lowerEscapes(one), one.replaceAll('%20', '+')]);
  const plain = [
    value,
    ...inJson(value),
    ...inHtml(value),
    ...[
      value.replaceAll("'", "'\\''"),
      value.replaceAll("'", `'"'"'`),
      value.replace(/[^\w@%+=:,./\u0080-\uffff-]/g, '\\$&'),
    ],
    ...[value.replaceAll('"', '""'), value.replaceAll("'", "''"), ...apart(value)],
    ...addresses.flatMap((one) => [one, one.replaceAll('%', '%25').replaceAll('+', '%2B')]),
  ];
  const hex = bytes.toString('hex');
  const encoded = [bytes, Buffer.from(value, 'utf16le')];
  const codes = [hex, hex.toUpperCase(), ...encoded.flatMap((one) => [0, 1, 2].flatMap((at) => base64At(one, at)))];
  return [...asForms(plain, false), ...asForms([...codes, ...spelled(hex)], true)];
}

/** Returns the characters backwards and in lists. Not one a line, since the end of a line would be held back for the next one. */
function apart(value: string): string[] {
  const characters = Array.from(value);
  const quoted = characters.map(jsonEscaped).join('","');
  return [quoted, characters.join(' '), characters.reverse().join('')];
}

/** Returns the forms within a JSON text, by itself and within another, with and without the escapes that only some programs write. */
function inJson(value: string): string[] {
  const common = jsonEscaped(value);
  const once = [common, common.replaceAll('/', '\\/'), common.replace(/[<>&\u0080-\uffff]/g, unicodeEscape)];
  return [...once, ...once.map(jsonEscaped)];
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the forms in HTML, which differ in the escapes of quotes. */
function inHtml(value: string): string[] {
  const common = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // Template engines also escape what may end a value without quotes.
  const more = common.replaceAll('`', '&#x60;').replaceAll('=', '&#x3D;');
  const double = [...new Set([common, more, more.replaceAll('/', '&#x2F;'), common.replaceAll('+', '&#43;')])].flatMap(
    (one) => [one, ...['&quot;', '&#34;'].map((quote) => one.replaceAll('"', quote))],
  );
  return double.flatMap((text) => [
    text,
    ...['&#39;', '&#x27;', '&#039;', '&apos;'].map((one) => text.replaceAll("'", one)),
  ]);
}

/** Returns forms with each byte separate: the escapes of URLs, scripts, and HTML, and hex dumps. */
function spelled(hex: string): string[] {
  const bytes = hex.match(/../g) ?? [];
  const each = (before: string, after = '') => bytes.map((byte) => `${before}${byte}${after}`).join('');
  const cased = [each('%'), each('\\x'), each('\\u00'), each('&#x', ';'), bytes.join(' '), bytes.join(':')];
  const pairs = [hex.replace(/(.{4})(?=.)/g, '$1 '), hex.replace(/^(..)|(.{4})(?=.)/g, '$& ')];
  const codes = bytes.map((byte) => Number.parseInt(byte, 16));
  const numbers = [
    codes.map((code) => `&#${code};`).join(''),
    ...[',', ', ', ' '].map((between) => codes.join(between)),
  ];
  return [...cased, ...cased.map(upperHex), ...pairs, ...numbers];
}

/** Converts only hexadecimal digits to uppercase. */
function upperHex(text: string): string {
  return text.replace(/(?<![&\\])[0-9a-f]{2}/g, (one) => one.toUpperCase());
}

function asForms(texts: readonly string[], wraps: boolean): SecretForm[] {
  return [...new Set(texts)].map((text) => ({ text, wraps }));
}

function escaped(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase());
}

/** Returns the base64 characters that depend on these bytes alone if `before` other bytes precede them in their group of three. */
function base64At(bytes: Buffer, before: number): string[] {
  const code = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const own = code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}
