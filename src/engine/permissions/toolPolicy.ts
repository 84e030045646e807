import { describeRule } from './describeRule';
import { matchesTool, matchRule } from './matchesRule';
import {
  type JudgedPath,
  PERMISSION_SCOPES,
  type PermissionAction,
  type PermissionQuery,
  type PermissionRule,
  type PermissionScope,
  type ResolvedQuery,
  type Rulesets,
  type ToolCategory,
  type Verdict,
} from './permissionRule';
import { type NamedPath, type PolicyUnit, policyUnits } from './policyUnit';
import { protectedPart } from './protectedPaths';

/** Decides from its arguments alone: no I/O, no state, no clock. */
export interface ToolPolicy {
  /** Returns the strictest verdict on anything that the call would do. */
  decide(query: ResolvedQuery, rulesets: Rulesets): Verdict;
  /** Returns the verdict on one thing that the call would do. */
  decideUnit(unit: PolicyUnit, rulesets: Rulesets): Verdict;
}

/**
 * Scopes are consulted in order; within a scope the highest priority wins, then the last match; no match means `ask`. A call on
 * something protected or outside the workspace is never allowed without asking, but a rule may still deny it.
 */
export const toolPolicy: ToolPolicy = {
  decide(query, rulesets) {
    const [first, ...rest] = policyUnits(query).map((unit) => decideUnit(unit, rulesets));
    if (!first) throw new Error('There is nothing to judge.');
    return rest.reduce((strictest, one) => (strictness(one) > strictness(strictest) ? one : strictest), first);
  },
  decideUnit,
};

/** Whether a rule denies, or asks about, paths. */
function limitsPaths({ argument, action }: PermissionRule): boolean {
  return action !== 'allow' && isAboutPaths(argument);
}

function isAboutPaths(argument: PermissionRule['argument']): boolean {
  return argument?.kind === 'path' || argument?.kind === 'regex';
}

/** Returns the strictest verdict of the rules about reading on a path that a command names; without such a rule, it is allowed. */
function decideNamed(unit: PolicyUnit, paths: readonly NamedPath[], rulesets: Rulesets): Verdict {
  const free: Verdict = { action: 'allow', rule: null, reason: '', protected: false, part: unit.label };
  const about: Partial<Record<PermissionScope, readonly PermissionRule[]>> = {};
  for (const scope of PERMISSION_SCOPES)
    about[scope] = (rulesets[scope] ?? []).filter((rule) => isAboutPaths(rule.argument) && matchesTool(rule, unit));
  const rules = PERMISSION_SCOPES.flatMap((scope) => about[scope] ?? []);
  if (!rules.some(limitsPaths)) return free;
  const verdicts = paths.flatMap(({ path, text, isSure, folder }): Verdict[] => {
    const why = `It may read “${text}”.`;
    if (!path) return [{ action: 'ask', rule: null, reason: named(unit, why), protected: true, part: unit.label }];
    const within = folder ? [{ ...path, relative: `${path.relative}/` }] : [];
    const all = folder === 'all' && { removed: [path] };
    const verdict = byRules({ ...unit, paths: [path, ...within], ...all }, about);
    if (verdict.action === 'allow' || !verdict.rule) return [];
    return isSure ? [verdict] : [{ ...verdict, action: 'ask', reason: `${why} ${verdict.reason}`, protected: true }];
  });
  return verdicts.reduce((strictest, one) => (strictness(one) > strictness(strictest) ? one : strictest), free);
}

/** Returns the rule that wins among those of one scope. */
function winningRule(rules: readonly PermissionRule[]): PermissionRule | undefined {
  return rules.reduce<PermissionRule | undefined>(
    (best, one) => (best && (best.priority ?? 0) > (one.priority ?? 0) ? best : one),
    undefined,
  );
}

function decideUnit(unit: PolicyUnit, rulesets: Rulesets): Verdict {
  if (unit.named) return decideNamed(unit, unit.named, rulesets);
  const verdict = byRules(unit, rulesets);
  if (verdict.action === 'deny') return verdict;
  const why = unit.unseen?.why ?? protectionOf(unit) ?? unit.part?.unread ?? undefined;
  if (why !== undefined) {
    return { action: 'ask', rule: null, reason: named(unit, why), protected: true, part: unit.label };
  }
  if (verdict.action !== 'ask') return verdict;
  const caution = unit.part?.caution ?? null;
  // The rule that asks is often just the mode; the danger of the command says more.
  if (caution !== null) return { ...verdict, reason: named(unit, caution) };
  return verdict.rule?.scope === 'global' ? { ...verdict, usual: true } : verdict;
}

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 3 };

/** Among several that ask, one with a more specific reason than the mode wins. */
function strictness({ action, protected: isProtected, usual }: Verdict): number {
  return STRICTNESS[action] + (isProtected ? 1 : 0) - (usual ? 0.5 : 0);
}

/** The verdict of one scope's rules, and why one of its matchers failed. */
interface ScopeVerdict {
  verdict?: Verdict;
  failed?: string;
}

function byRules(unit: PolicyUnit, rulesets: Rulesets): Verdict {
  const program = inScope(unit, 'program', rulesets);
  if (program.verdict?.action === 'deny') return program.verdict;
  const others = byScopes(unit, rulesets, {});
  // A program cannot allow what would be denied without it.
  const verdict = others.action === 'deny' || !program.verdict ? others : byScopes(unit, rulesets, program);
  if (verdict.action === 'deny' || program.failed === undefined) return verdict;
  if (verdict.action === 'ask') return { ...verdict, reason: `${program.failed} ${verdict.reason}` };
  return { action: 'ask', rule: null, reason: named(unit, program.failed), protected: true, part: unit.label };
}

function byScopes(unit: PolicyUnit, rulesets: Rulesets, program: { verdict?: Verdict }): Verdict {
  for (const scope of PERMISSION_SCOPES) {
    const { verdict } = scope === 'program' ? program : inScope(unit, scope, rulesets);
    if (verdict) return verdict;
  }
  const reason = named(unit, 'No rule covers this call, so it needs approval.');
  return { action: 'ask', rule: null, reason, protected: false, part: unit.label };
}

function inScope(unit: PolicyUnit, scope: PermissionScope, rulesets: Rulesets): ScopeVerdict {
  let failed: string | undefined;
  const matching: { rule: PermissionRule; match: 'yes' | 'maybe'; why?: string }[] = [];
  for (const rule of rulesets[scope] ?? []) {
    const match = matchRule(rule, unit);
    if (typeof match === 'object') {
      failed = match.failed;
      // A rule that may deny does deny, and an expression that may be meant asks.
      if (rule.action === 'deny' || rule.argument?.kind === 'regex')
        matching.push({ rule, match: 'yes', why: match.failed });
    } else if (match !== 'no') matching.push({ rule, match });
  }
  const told = failed === undefined ? {} : { failed };
  const rule = winningRule(matching.map((one) => one.rule));
  const won = matching.find((one) => one.rule === rule);
  if (!rule || !won || rule.defers) return told;
  const described = [...(won.why === undefined ? [] : [won.why]), describeRule(scope, rule)].join(' ');
  const part = unit.label;
  if (won.match === 'maybe') {
    const why = unit.part?.obscure ?? 'What it runs cannot be determined reliably.';
    const reason = named(unit, `${why} ${described}`);
    return { ...told, verdict: { action: 'ask', rule: { scope, rule }, reason, protected: true, part } };
  }
  const reason = named(unit, described);
  return { ...told, verdict: { action: rule.action, rule: { scope, rule }, reason, protected: false, part } };
}

function named({ label }: PolicyUnit, sentence: string): string {
  return label === null ? sentence : `“${label}”: ${sentence}`;
}

function protectionOf({ paths, unknownFile, unknownUse, removed = [], seen = [] }: PolicyUnit): string | undefined {
  if (unknownFile !== undefined) {
    const what = unknownUse ? `commands that ${unknownUse} files` : 'redirections';
    return `The file “${unknownFile}” cannot be determined in advance; such ${what} always need approval.`;
  }
  for (const { path, outside } of paths) {
    if (outside) return `${path} is outside the workspace; such paths always need approval.`;
  }
  for (const { path, relative, outside, within = relative, holds } of [...paths, ...seen]) {
    const part = protectedPart(outside ? path : within);
    if (part !== undefined) return `${part} is protected; such paths always need approval.`;
    if (holds !== undefined) return `${holds} is protected and belongs to ${path}; such paths always need approval.`;
  }
  // Including everything protected in it.
  const whole = removed.find(({ relative }) => relative === '' || relative === '.');
  return whole && `${whole.path} is the whole workspace; such commands always need approval.`;
}

/**
 * Returns the paths that a call over a whole folder must pass over: those that a rule about paths denies, or asks about, for one of
 * these tools. Undefined if no rule is about paths.
 */
export function excludedPaths(
  tools: readonly Pick<PermissionQuery, 'tool' | 'category'>[],
  policy: ToolPolicy,
  rulesets: Rulesets,
): ((path: JudgedPath) => boolean) | undefined {
  const rules = PERMISSION_SCOPES.flatMap((scope) => rulesets[scope] ?? []);
  if (!rules.some(limitsPaths)) return undefined;
  return (path) =>
    tools.some((tool) => {
      const { action, rule } = policy.decide({ ...tool, paths: [path] }, rulesets);
      return action !== 'allow' && rule !== null && limitsPaths(rule.rule);
    });
}

/** Returns true if no call of a tool could be allowed, whatever its arguments. `scopes` are in the order of precedence. */
export function deniedOutright(
  tool: { name: string; category: ToolCategory },
  scopes: readonly (readonly PermissionRule[])[],
): boolean {
  for (const rules of scopes) {
    const about = rules.filter((rule) => matchesTool(rule, { tool: tool.name, category: tool.category }));
    if (about.some(({ argument, action }) => argument && action !== 'deny')) return false;
    const winner = winningRule(about.filter(({ argument }) => !argument));
    if (winner) return winner.action === 'deny';
  }
  return false;
}

/**
 * Returns true if a rule allows a call of this kind and names the host. A rule that allows all hosts is not enough: nobody writes
 * one with the machines of their own network in mind.
 */
export function namesHost(
  { tool, category, host }: PermissionQuery & { host: string },
  policy: ToolPolicy,
  rulesets: Rulesets,
): boolean {
  const { action, rule } = policy.decide({ tool, category, host, paths: [] }, rulesets);
  const argument = rule?.rule.argument;
  return action === 'allow' && argument?.kind === 'host' && /[^*?.]/.test(argument.pattern);
}
