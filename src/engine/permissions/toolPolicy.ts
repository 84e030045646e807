import { matchesWildcard } from '../../base/wildcard';
import {
  type ArgumentPattern,
  type JudgedQuery,
  PERMISSION_SCOPES,
  type PermissionRule,
  type PermissionScope,
  type Rulesets,
  type Verdict,
} from './permissionRule';
import { protectedPart } from './protectedPaths';
import { plainCommandWords } from './shellPatterns';

/** Decides from its arguments alone: no I/O, no memory, no clock. */
export interface ToolPolicy {
  decide(query: JudgedQuery, rulesets: Rulesets): Verdict;
}

/**
 * Scopes are asked in order; in one scope the highest priority wins, then the last match; no match means ask. What is
 * protected or outside the workspace is never allowed without asking, but a rule may still deny it.
 */
export const toolPolicy: ToolPolicy = {
  decide(query, rulesets) {
    const verdict = byRules(query, rulesets);
    if (verdict.action === 'deny') return verdict;
    const why = protectionOf(query);
    return why === undefined ? verdict : { action: 'ask', rule: null, reason: why, protected: true };
  },
};

function byRules(query: JudgedQuery, rulesets: Rulesets): Verdict {
  for (const scope of PERMISSION_SCOPES) {
    const rule = winner((rulesets[scope] ?? []).filter((one) => matchesRule(one, query)));
    if (rule) {
      return { action: rule.action, rule: { scope, rule }, reason: describeRule(scope, rule), protected: false };
    }
  }
  return { action: 'ask', rule: null, reason: 'No rule covers this call, so it asks.', protected: false };
}

function winner(rules: readonly PermissionRule[]): PermissionRule | undefined {
  return rules.reduce<PermissionRule | undefined>(
    (best, one) => (best && (best.priority ?? 0) > (one.priority ?? 0) ? best : one),
    undefined,
  );
}

function matchesRule(rule: PermissionRule, query: JudgedQuery): boolean {
  const named = rule.tool.startsWith('category:')
    ? rule.tool === `category:${query.category}`
    : matchesWildcard(rule.tool, query.tool);
  return named && (rule.argument === undefined || matchesArgument(rule.argument, query));
}

function matchesArgument(argument: ArgumentPattern, query: JudgedQuery): boolean {
  switch (argument.kind) {
    case 'path':
      return query.paths.length > 0 && query.paths.every(({ relative }) => matchesWildcard(argument.pattern, relative));
    case 'command': {
      const words = query.command === undefined ? undefined : plainCommandWords(query.command);
      return words !== undefined && argument.words.every((word, index) => words[index] === word);
    }
    case 'host':
      return query.host !== undefined && matchesWildcard(argument.pattern, query.host);
  }
}

function protectionOf(query: JudgedQuery): string | undefined {
  for (const { path, relative, outside } of query.paths) {
    if (outside) return `${path} is outside the workspace; such paths always ask.`;
    const part = protectedPart(relative);
    if (part !== undefined) return `${part} is protected; such paths always ask.`;
  }
  return undefined;
}

/** "The session rule “allow execute_command: npm test” applies." */
export function describeRule(scope: PermissionScope, rule: PermissionRule): string {
  const argument = rule.argument ? `: ${argumentText(rule.argument)}` : '';
  const because = rule.because === undefined ? '' : `${rule.because} `;
  return `${because}The ${scope} rule “${rule.action} ${rule.tool}${argument}” applies.`;
}

function argumentText(argument: ArgumentPattern): string {
  return argument.kind === 'command' ? argument.words.join(' ') : argument.pattern;
}
