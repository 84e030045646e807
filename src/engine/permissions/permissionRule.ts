import * as z from '../../base/zod';
import { fields } from '../checkPlugin';
import type { CommandPart } from './shell/judgeCommand';
import type { TouchedFile } from './shell/touched/touchedFiles';

/** What a tool does to the world; `user` talks to the person, `agent` to other agents. */
export const TOOL_CATEGORIES = ['read', 'write', 'execute', 'network', 'agent', 'user'] as const;
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];

/** What a call would touch, as the tool says it: pure, from the input alone. */
export interface PermissionQuery {
  tool: string;
  category: ToolCategory;
  /** As the model wrote them; relative ones are meant from the workspace. */
  paths?: readonly string[];
  /** A shell line. */
  command?: string;
  host?: string;
  /** Its paths go with all that is in them. */
  removes?: true;
  /** What else it is about, such as the name of what it deletes. */
  subjects?: readonly string[];
  /** It runs a program that no person has seen yet, so it asks whatever the rules allow. */
  unseen?: UnseenProgram;
}

/** A program that a call would run, as it is shown to whoever decides. */
export interface UnseenProgram {
  /** One sentence: why it asks. */
  why: string;
  text: string;
}

/** A path after symbolic links were followed. */
export interface JudgedPath {
  /** Absolute and real. */
  path: string;
  /** From the workspace, with forward slashes; begins with `..` outside it. */
  relative: string;
  outside: boolean;
  /** From the folder that may be read for what it is, such as that of a loaded skill, where it lies in one. */
  within?: string;
  /** Something protected below it, from the workspace, where that counts. */
  holds?: string;
}

/** A file that a shell line reads or writes by redirection, or that one of its commands touches. */
export interface JudgedFile extends Omit<TouchedFile, 'paths'> {
  /** Every path it may be; null when that cannot be known. */
  paths: readonly JudgedPath[] | null;
}

/** One simple command of a shell line. */
export interface JudgedPart extends Omit<CommandPart, 'files'> {
  files: readonly JudgedFile[];
}

/** The same question with its paths resolved and its command taken apart, which is what the policy judges. */
export interface ResolvedQuery extends Omit<PermissionQuery, 'paths' | 'command'> {
  paths: readonly JudgedPath[];
  command?: { line: string; parts: readonly JudgedPart[] };
}

/**
 * Asked in this order; the first scope with a matching rule decides. `program` is what the program brings that the engine
 * works in: what that denies is denied before all others are asked, and it allows nothing that they would deny.
 */
export const PERMISSION_SCOPES = ['user', 'session', 'program', 'workspace', 'agent', 'global'] as const;
export type PermissionScope = (typeof PERMISSION_SCOPES)[number];

export type PermissionAction = 'allow' | 'ask' | 'deny';

export interface PermissionRule {
  /** A tool's name with wildcards, or `category:write`. */
  tool: string;
  argument?: ArgumentPattern;
  action: PermissionAction;
  /** One sentence for the person that says where the rule comes from; without it the rule speaks for itself. */
  because?: string;
  /**
   * Takes back what the rules above it in its scope say, and leaves the decision to the next scope: all that an agent
   * from a repository may say in its own favour.
   */
  defers?: boolean;
  /** In one scope the highest priority wins, then the last rule. Default 0. */
  priority?: number;
}

export type ArgumentPattern =
  /** Wildcards over the path from the workspace; every path of the call must match. */
  | { kind: 'path'; pattern: string }
  /**
   * The first words of a simple command; of a compound one each part is judged on its own. What may follow them is anything by
   * default; `harmless`: only what is known to do no harm; `nothing`: the command is just these words.
   */
  | { kind: 'command'; words: readonly string[]; rest?: 'harmless' | 'nothing' }
  | { kind: 'host'; pattern: string }
  /** Wildcards over the subjects of the call: to allow all of them must match, to ask or deny any. */
  | { kind: 'subject'; pattern: string }
  /** A regular expression over path, command or host: to allow it must match the whole, to ask or deny any part. `.` is a line end too where that is stricter. */
  | { kind: 'regex'; pattern: string }
  /** A function of the program, bound to the call that is judged. */
  | { kind: 'matcher'; id: string; holds: (unit: MatchedUnit, allows: boolean) => Matched };

/** As much of what is judged on its own as a matcher is asked about. */
export interface MatchedUnit {
  tool: string;
  category: ToolCategory;
  paths: readonly JudgedPath[];
  part?: JudgedPart;
  unknownFile?: string;
}

/** Whether a matcher holds for this, or why that cannot be known. */
export type Matched = boolean | { failed: string };

export type Rulesets = Readonly<Partial<Record<PermissionScope, readonly PermissionRule[]>>>;

/** What was decided and why. */
export interface Verdict {
  action: PermissionAction;
  /** Null when no rule matched, or when something protected decided instead. */
  rule: { scope: PermissionScope; rule: PermissionRule } | null;
  /** One sentence that names the rule and its scope, or what is protected. */
  reason: string;
  /** True when the path is protected or outside the workspace: no mode and no "always" answers it. */
  protected: boolean;
  /** The command of a compound line that decided, as it was written; null when there is only one. */
  part: string | null;
  /** Nothing but the approval mode asks, and nothing is known against the call. */
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

/** A rule as files and sessions keep it. */
export const permissionRuleSchema: z.ZodMiniType<PermissionRule> = z.lazy(() => z.strictObject(ruleFields()));

/** The same with the id that programs give it. */
export const programRuleSchema: z.ZodMiniType<PermissionRule & { id?: string }> = z.lazy(() =>
  fields({ id: z.exactOptional(text), ...ruleFields() }),
);

/** One of an agent that a program or another extension brings. */
export const agentRuleSchema = z.lazy(() => fields({ ...ruleFields(), defers: z.exactOptional(z.boolean()) }));

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
