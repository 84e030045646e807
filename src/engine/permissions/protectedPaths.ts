import { isProtectedName, PROTECTED_PAIRS } from './paths/protectedNames';

const PLAIN_NAME = /^[\w.@+-]*[\w@+-]$/;

/**
 * A name as some system takes it: Windows leaves off dots and blanks at its end and what follows a colon, HFS+ looks past
 * characters that are not seen, and APFS takes ſ for another s, and ﬁ for fi.
 */
function asSystemsTake(part: string): string {
  const seen = part.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '').replace(/(?<=.):.*$/s, '');
  return (seen.trim().replace(/[. ]+$/, '') || part).toUpperCase();
}

/** The part of the path that is protected, or undefined. */
export function protectedPart(relativePath: string): string | undefined {
  const parts = relativePath.split('/').filter((part) => part !== '' && part !== '.');
  const lower = parts.map((part) => (PLAIN_NAME.test(part) ? part : asSystemsTake(part)).toLowerCase());
  const at = lower.findIndex(isProtectedName);
  if (at !== -1) return parts[at];
  const pair = lower.findIndex((part, index) => PROTECTED_PAIRS.includes(`${part}/${lower[index + 1] ?? ''}`));
  return pair === -1 ? undefined : parts.slice(pair, pair + 2).join('/');
}
