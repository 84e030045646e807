import * as z from '../../base/zod';

/** A model as people write it: `provider:model`, or `provider/model` as in OpenCode. */
export const modelName = z
  .string()
  .check(z.regex(/^[^/:\s]+[:/]\S+$/, 'must be written provider:model or provider/model'));

/** Normalizes a model name to `provider:model`. */
export function modelId(written: string): string {
  const colon = written.indexOf(':');
  const slash = written.indexOf('/');
  return slash >= 0 && (colon < 0 || slash < colon)
    ? `${written.slice(0, slash)}:${written.slice(slash + 1)}`
    : written;
}

/** Normalizes a model name in a file of the original format, in which Anthropic is usually called `claude`. */
export function originalModelId(written: string): string {
  return modelId(written).replace(/^claude:/, 'anthropic:');
}

/** A list of names, or one comma-separated string; text in parentheses belongs to a name: `Bash(git add, git diff)`. */
export const nameList = z.union([
  z.array(z.string().check(z.minLength(1))),
  z.pipe(z.string(), z.transform(splitNames)),
]);

function splitNames(names: string): string[] {
  return names
    .split(/,(?![^(]*\))/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Control characters and those that change the text direction. Names appear in approvals and lists. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** The name in an agent's file. */
export const agentName = z.string().check(
  z.trim(),
  z.minLength(1, 'must not be empty'),
  z.maxLength(100, 'must not be longer than 100 characters'),
  z.refine((name) => !UNSEEN.test(name), 'must be one line without control characters'),
);

/** Arguments that may follow a name, for people. YAML parses `[file] [focus]` as a list. */
export const hintText = z.union([
  z.string(),
  z.pipe(
    z.array(z.unknown()),
    z.transform((list) => list.map((one) => `[${String(one)}]`).join(' ')),
  ),
]);

const TRUE_OR_FALSE = 'must be true or false';

/** A boolean, also quoted or as one of the words of older YAML versions. */
export const flagWord = z.union([
  z.boolean(TRUE_OR_FALSE),
  z.pipe(
    z.string(TRUE_OR_FALSE).check(z.regex(/^(?:true|yes|on|false|no|off)$/i, TRUE_OR_FALSE)),
    z.transform((word) => /^(?:true|yes|on)$/i.test(word)),
  ),
]);

/** Converts another tool's name to the characters that names may have in Cairn; empty if none remain. */
export function plainName(written: string): string {
  return written.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|(?<!-)-+$/g, '');
}

/**
 * A list of names, or one string separated by commas or spaces, as Claude Code reads it; the strings of a list are split too.
 * Text in parentheses belongs to a name.
 */
export const spacedNames = z.union([
  z.pipe(
    z.array(z.string().check(z.minLength(1))),
    z.transform((list) => list.flatMap(namesIn)),
  ),
  z.pipe(z.string(), z.transform(namesIn)),
]);

function namesIn(names: string): string[] {
  return names.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];
}

/** A positive whole number, possibly quoted. */
export const countWord = z.union([
  z.int().check(z.positive()),
  z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'must be a whole number')), z.transform(Number)),
]);
