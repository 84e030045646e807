import type { PermissionRule, ToolCategory } from '../permissionRule';

/** What a matcher is told beside the input. */
export interface MatchContext {
  tool: string;
  category: ToolCategory;
  agent: string;
  sessionId: string;
  /** Absolute folder. */
  workspace: string;
  /** What would be touched, as far as it is known: from the workspace, links followed; begins with `..` outside it. */
  paths: readonly string[];
}

/** Whether a rule speaks of a call. Pure, at once, and with nothing but true and false. */
export type RuleMatcher = (input: Readonly<Record<string, unknown>>, context: MatchContext) => boolean;

/**
 * A rule of the program that an engine works in. It is kept in memory alone.
 *
 * `when` instead of `argument`: the rule holds for the calls of its tool for which that is true. The commands of a shell line
 * are asked about one by one, with `command` being each; what the shell itself opens is asked about as `fs_read` or `fs_write`
 * of that path. A matcher that throws allows nothing: a rule that denies then denies, and any other asks.
 */
export interface ProgramRule extends Omit<PermissionRule, 'defers'> {
  /** By which it is named in verdicts and taken back. Default: one that is made up. */
  id?: string;
  when?: RuleMatcher;
}

/** As it is kept. */
export type KeptProgramRule = ProgramRule & { id: string };
