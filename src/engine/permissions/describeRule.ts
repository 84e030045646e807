import { shellQuoted } from '../../base/shellQuoted';
import { isOfWorkMode } from './modes';
import type { ArgumentPattern, PermissionRule, PermissionScope } from './permissionRule';

/** Returns "The session rule “allow execute_command: npm test” applies."; for a rule that a mode implies, only its reason. */
export function describeRule(scope: PermissionScope, rule: PermissionRule): string {
  if (scope === 'global') return rule.because ?? 'The approval mode allows this.';
  if (rule.because !== undefined && isOfWorkMode(rule)) return rule.because;
  const because = rule.because === undefined ? '' : `${rule.because} `;
  return `${because}The ${scope} rule “${ruleText(rule)}” applies.`;
}

const REST_TEXT = { anything: '', harmless: ' with harmless options', nothing: ' and nothing else' } as const;

/** Returns "allow execute_command: npm test". */
export function ruleText({ action, tool, argument }: PermissionRule): string {
  return `${action} ${tool}${argument ? `: ${argumentText(argument)}` : ''}`;
}

/** Returns the words as a user would type them in a shell. */
export function wordsText(words: readonly string[]): string {
  return words.map((word) => (/^[^\s'"\\$`]+$/.test(word) ? word : shellQuoted(word))).join(' ');
}

function argumentText(argument: ArgumentPattern): string {
  switch (argument.kind) {
    case 'command':
      return `${wordsText(argument.words)}${REST_TEXT[argument.rest ?? 'anything']}`;
    case 'regex':
      return `/${argument.pattern}/`;
    case 'path':
    case 'host':
    case 'subject':
      return argument.pattern;
    case 'matcher':
      return `when “${argument.id}” matches`;
  }
}
