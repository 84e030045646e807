import type { ArgumentPattern, PermissionAction } from '../../permissions/permissionRule';

/** `git push *`: the words, which can be judged part by part in a compound line. Anything else is an expression. */
export function commandPatterns(pattern: string, action: PermissionAction): ArgumentPattern[] {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  const whole: ArgumentPattern = { kind: 'regex', pattern: `^${expression}$` };
  const words = /^([^*?]*?[^*?\s])(\s*)\*$/.exec(pattern);
  if (!words) return [whole];
  const begin: ArgumentPattern = { kind: 'command', words: (words[1] ?? '').trim().split(/\s+/) };
  // “rm*” also means “rmdir”: denied it is, and allowed only by its own words.
  return words[2] === '' && action !== 'allow' ? [begin, whole] : [begin];
}
