import type { FileDiff } from '../messages/toolCall';
import { wordsText } from './describeRule';
import type { JudgedPart, PermissionRule, ResolvedQuery, Rulesets, ToolCategory } from './permissionRule';
import { type PolicyUnit, policyUnits } from './policyUnit';
import type { ToolPolicy } from './toolPolicy';

/** The scopes in which "always" can store a rule, from narrowest to widest, worded for the end of a sentence. */
const APPROVAL_SCOPES = {
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'in every workspace',
} as const;

type ApprovalScope = keyof typeof APPROVAL_SCOPES;

/** A change to one file that has not been made yet. `before` is null if the file does not exist. */
export interface FileChange {
  /** Absolute. */
  path: string;
  /** Relative to the workspace, with forward slashes. */
  relativePath: string;
  before: string | null;
  after: string;
  /** The model's original proposal, if the user changed it. */
  proposed?: string;
}

/** The user's version of a proposal. */
export interface EditedProposal {
  /** Written instead of the proposal. */
  contents?: string;
  /** The file's text that `contents` is based on, if the user has changed the file since; only that is replaced. */
  basedOn?: string;
}

/** The rules that "always" would add, with the exact wording for the button. */
export interface RuleOffer {
  scope: ApprovalScope;
  /** One rule, or for a compound command one for each part that is not allowed yet. */
  rules: readonly PermissionRule[];
  label: string;
}

export interface ApprovalRequest {
  id: string;
  sessionId: string;
  callId: string;
  /** The calls whose edits are asked about at the same time, in order; only this call if it is asked about alone. */
  together: readonly string[];
  agent: string;
  tool: string;
  category: ToolCategory;
  title: string;
  /** The verdict's sentence: why the user is asked. */
  reason: string;
  /** True if only the approval mode requires asking and nothing speaks against the call. */
  usual: boolean;
  change: FileChange | null;
  diff: FileDiff | null;
  command: string | null;
  /** Narrowest first; empty if the call must be asked about each time. */
  offers: readonly RuleOffer[];
}

export type ApprovalAnswer =
  | ({ kind: 'once' } & EditedProposal)
  | ({ kind: 'always'; offer: RuleOffer } & EditedProposal)
  /** `by` says whether the user rejected the call, or there was nobody to ask. */
  | { kind: 'reject'; reason?: string; by: 'person' | 'nobody' };

/** Asks for an approval. Rejects only with AbortError; if the panel is gone, the request stays open until it comes back. */
export interface ApprovalHandler {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

const SCOPES: readonly ApprovalScope[] = ['session', 'workspace', 'user'];
const MAX_SHOWN = 200;
/** Nobody reads more rules than this on a button, and each is checked against everything that a line would do. */
const MOST_RULES = 50;
/** A rule for a name with such characters would allow more than it says. */
const WILDCARD = /[*?]/;

/** A rule, and the wording of what it allows. */
interface Wording {
  rule: PermissionRule;
  text: string;
}

/**
 * Returns the rules that "always" could add for a call, narrowest first within each scope. A compound command gets one for each
 * part that is not allowed yet. Offers only what makes the same call run without asking, and nothing if part of it must be asked
 * about each time.
 */
export function offerRules(query: ResolvedQuery, rulesets: Rulesets, policy: ToolPolicy): readonly RuleOffer[] {
  const open = policyUnits(query).filter((unit) => policy.decideUnit(unit, rulesets).action !== 'allow');
  const choices = open.map(wordingsFor);
  if (choices.some((one) => one.length === 0)) return [];
  const widths = Math.max(0, ...choices.map((one) => one.length));
  const sets = Array.from({ length: widths }, (_, width) => distinct(choices.flatMap((one) => at(one, width))));
  if (sets.some(({ length }) => length > MOST_RULES)) return [];
  return SCOPES.flatMap((scope) =>
    sets
      .map((wordings) => offer(scope, wordings))
      .filter(({ rules }) => {
        const added = { ...rulesets, [scope]: [...(rulesets[scope] ?? []), ...rules] };
        return policy.decide(query, added).action === 'allow';
      }),
  );
}

/** Returns the wording of this width, or the widest one. */
function at(wordings: readonly Wording[], width: number): Wording[] {
  const one = wordings[Math.min(width, wordings.length - 1)];
  return one ? [one] : [];
}

function distinct(wordings: readonly Wording[]): Wording[] {
  return [...new Map(wordings.map((one) => [one.text, one])).values()];
}

function offer(scope: ApprovalScope, wordings: readonly Wording[]): RuleOffer {
  const label = `${wordings.map(({ text }) => text).join(' and ')} ${APPROVAL_SCOPES[scope]}`;
  return { scope, rules: wordings.map(({ rule }) => rule), label };
}

/** Narrowest to widest; empty for what must be asked about each time. */
function wordingsFor(unit: PolicyUnit): readonly Wording[] {
  if (unit.unknownFile !== undefined) return [];
  if (unit.part) return unit.part.caution === null ? wordingsForCommand(unit.tool, unit.part) : [];
  if (unit.category === 'write')
    return [...forPath(unit, 'category:write', 'edits of'), all('category:write', 'all edits')];
  const whole = all(unit.tool, unit.tool);
  if (unit.host !== undefined) {
    if (unit.host === '' || WILDCARD.test(unit.host)) return [];
    const rule = argumentRule(unit.tool, { kind: 'host', pattern: unit.host });
    return [{ rule, text: `${unit.tool} of ${unit.host}` }, whole];
  }
  return unit.category === 'read' ? [...forPath(unit, unit.tool, `${unit.tool} of`), whole] : [whole];
}

/** Returns the words that name the command, if everything after them is known to be harmless; otherwise all of its words, exactly. */
function wordingsForCommand(tool: string, { words, harmlessAfter }: JudgedPart): Wording[] {
  const named = words.slice(0, harmlessAfter);
  if (named.length > 0 && isShowable(named)) {
    const rule = argumentRule(tool, { kind: 'command', words: named, rest: 'harmless' });
    return [{ rule, text: `“${wordsText(named)}” with harmless options` }];
  }
  if (words.length === 0 || !isShowable(words)) return [];
  const rule = argumentRule(tool, { kind: 'command', words, rest: 'nothing' });
  return [{ rule, text: `exactly “${wordsText(words)}”` }];
}

/** Excludes what the user could not read in full on a button. */
function isShowable(words: readonly string[]): boolean {
  const text = words.join(' ');
  return text.length <= MAX_SHOWN && !/[^\S ]|[\p{Cc}\p{Cf}]/u.test(text);
}

function forPath({ paths }: PolicyUnit, tool: string, verb: string): Wording[] {
  const [path] = paths;
  if (paths.length !== 1 || !path || path.relative === '' || WILDCARD.test(path.relative)) return [];
  return [{ rule: argumentRule(tool, { kind: 'path', pattern: path.relative }), text: `${verb} ${path.relative}` }];
}

function all(tool: string, text: string): Wording {
  return { rule: { tool, action: 'allow' }, text };
}

function argumentRule(tool: string, argument: NonNullable<PermissionRule['argument']>): PermissionRule {
  return { tool, argument, action: 'allow' };
}

/**
 * Returns the next narrower version of a rule that allows a command: with harmless options only, then exactly its words. Returns
 * undefined for any other rule.
 */
export function narrowRule(rule: PermissionRule): PermissionRule | undefined {
  const { argument, action } = rule;
  if (action !== 'allow' || argument?.kind !== 'command' || argument.rest === 'nothing') return undefined;
  const rest = argument.rest === 'harmless' ? ('nothing' as const) : ('harmless' as const);
  return { ...rule, argument: { ...argument, rest } };
}
