import * as z from '../../base/zod';
import { fields } from '../checkPlugin';
import type { CommandPart } from './shell/judgeCommand';
import type { TouchedFile } from './shell/touched/touchedFiles';

/** The kinds of effect that a tool has; `user` talks to the user, `agent` to other agents. */
export const TOOL_CATEGORIES = ['read', 'write', 'execute', 'network', 'agent', 'user'] as const;
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];

/** The things that a call would touch, as declared by its tool: pure, from the input alone. */
export interface PermissionQuery {
  tool: string;
  category: ToolCategory;
  /** As the model wrote them; relative paths are relative to the workspace. */
  paths?: readonly string[];
  /** A shell command line. */
  command?: string;
  host?: string;
  /** Its paths are removed with everything in them. */
  removes?: true;
  /** Other subjects of the call, such as the name of what it deletes. */
  subjects?: readonly string[];
  /** The call runs a program that the user has not seen yet, so it asks whatever the rules allow. */
  unseen?: UnseenProgram;
}

/** A program that a call would run, as it is shown for approval. */
export interface UnseenProgram {
  /** One sentence about why the call asks. */
  why: string;
  text: string;
}

/** A path with symbolic links resolved. */
export interface JudgedPath {
  /** Absolute real path. */
  path: string;
  /** Relative to the workspace, with forward slashes; begins with `..` outside it. */
  relative: string;
  outside: boolean;
  /** Relative to the readable folder that contains it, if any, such as that of a loaded skill. */
  within?: string;
  /** Something protected below it, relative to the workspace, where that matters. */
  holds?: string;
}

/** A file that a shell line reads or writes by redirection, or that one of its commands touches. */
export interface JudgedFile extends Omit<TouchedFile, 'paths'> {
  /** Every path it may be; null if that cannot be known. */
  paths: readonly JudgedPath[] | null;
}

/** One simple command of a shell line. */
export interface JudgedPart extends Omit<CommandPart, 'files'> {
  files: readonly JudgedFile[];
}

/** The same query with its paths resolved and its command parsed, which is what the policy judges. */
export interface ResolvedQuery extends Omit<PermissionQuery, 'paths' | 'command'> {
  paths: readonly JudgedPath[];
  command?: { line: string; parts: readonly JudgedPart[] };
}

/**
 * In order of precedence: the first scope with a matching rule decides. `program` has the rules of the program that embeds the
 * engine: its denials come before every other scope, and it cannot allow what another scope would deny.
 */
export const PERMISSION_SCOPES = ['user', 'session', 'program', 'workspace', 'agent', 'global'] as const;
export type PermissionScope = (typeof PERMISSION_SCOPES)[number];

export type PermissionAction = 'allow' | 'ask' | 'deny';

export interface PermissionRule {
  /** A tool name with wildcards, or `category:write`. */
  tool: string;
  argument?: ArgumentPattern;
  action: PermissionAction;
  /** One sentence for the user about where the rule comes from; without it the rule itself is shown. */
  because?: string;
  /**
   * Cancels the rules above it in its scope and leaves the decision to the next scope. This is all that an agent from a
   * repository may say in its own favor.
   */
  defers?: boolean;
  /** Within a scope the highest priority wins, then the last rule. Default 0. */
  priority?: number;
}

export type ArgumentPattern =
  /** Wildcards over the path relative to the workspace: to allow, every path of the call must match; to ask or deny, any of them. */
  | { kind: 'path'; pattern: string }
  /**
   * The first words of a simple command; each part of a compound one is judged separately. By default anything may follow them.
   * `harmless`: only what is known to be harmless. `nothing`: the command is exactly these words.
   */
  | { kind: 'command'; words: readonly string[]; rest?: 'harmless' | 'nothing' }
  | { kind: 'host'; pattern: string }
  /** Wildcards over the subjects of the call: to allow, all must match; to ask or deny, any of them. */
  | { kind: 'subject'; pattern: string }
  /**
   * A regular expression over path, command or host: to allow, it must match the whole text; to ask or deny, any part. `.` also
   * matches line ends where that is stricter.
   */
  | { kind: 'regex'; pattern: string }
  /** A function of the program, bound to the call that is judged. */
  | { kind: 'matcher'; id: string; holds: (unit: MatchedUnit, allows: boolean) => Matched };

/** The part of a policy unit that a matcher receives. */
export interface MatchedUnit {
  tool: string;
  category: ToolCategory;
  paths: readonly JudgedPath[];
  part?: JudgedPart;
  unknownFile?: string;
}

/** Whether a matcher applies, or why that cannot be determined. */
export type Matched = boolean | { failed: string };

export type Rulesets = Readonly<Partial<Record<PermissionScope, readonly PermissionRule[]>>>;

/** A decision and its reason. */
export interface Verdict {
  action: PermissionAction;
  /** Null if no rule matched, or if something protected decided instead. */
  rule: { scope: PermissionScope; rule: PermissionRule } | null;
  /** One sentence that names the rule and its scope, or what is protected. */
  reason: string;
  /** True if what decided is protected, outside the workspace or uncertain: no mode and no "always" covers it. */
  protected: boolean;
  /** The command of a compound line that decided, as written; null if there is only one. */
  part: string | null;
  /** Only the approval mode requires asking, and nothing speaks against the call. */
  usual?: true;
}

const text = z.string().check(z.minLength(1));

const argumentPattern = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('path'), pattern: text.check(z.describe('Path or glob, such as src/**')) }),
    z.strictObject({
      kind: z.literal('command'),
      words: z
        .array(z.string())
        .check(z.minLength(1), z.describe('The first words of a command, such as ["npm", "test"]')),
      rest: z
        .exactOptional(z.enum(['harmless', 'nothing']))
        .check(z.describe('What may follow the words of a rule that allows: without it anything')),
    }),
    z.strictObject({ kind: z.literal('host'), pattern: text.check(z.describe('Host name, such as *.example.org')) }),
    z.strictObject({
      kind: z.literal('subject'),
      pattern: text.check(z.describe('What a call of an extension’s tool is about, such as prod-*')),
    }),
    z.strictObject({
      kind: z.literal('regex'),
      pattern: text.check(z.refine(isExpression, 'This is not a regular expression.')),
    }),
  ]),
);

function ruleFields() {
  return {
    tool: text.check(z.describe('Name of a tool, a pattern such as fs_*, or a category such as category:write')),
    argument: z
      .exactOptional(argumentPattern)
      .check(z.describe('Without it, the rule applies to every call of the tool')),
    action: z.enum(['allow', 'ask', 'deny']),
    because: z.exactOptional(z.string()).check(z.describe('Shown when the rule decides')),
    priority: z.exactOptional(z.number()).check(z.describe('A rule with a higher priority wins over later rules')),
  };
}

/** A rule as stored in files and sessions. */
export const permissionRuleSchema: z.ZodMiniType<PermissionRule> = z.lazy(() => z.strictObject(ruleFields()));

/** The same, with the id that a program gives it. */
export const programRuleSchema: z.ZodMiniType<PermissionRule & { id?: string }> = z.lazy(() =>
  fields({ id: z.exactOptional(text), ...ruleFields() }),
);

/** A rule of an agent that comes from a program or another extension. */
export const agentRuleSchema = z.lazy(() => fields({ ...ruleFields(), defers: z.exactOptional(z.boolean()) }));

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
