import * as z from '../../../base/zod';
import { type Disposable, onDispose } from '../../../base/disposable';
import { newId } from '../../../base/newId';
import { callable, checkPlugin } from '../../checkPlugin';
import { EngineError } from '../../engineError';
import { type PermissionRule, programRuleSchema, type ToolCategory } from '../permissionRule';

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

const withMatcher = z.object({ when: z.exactOptional(callable) });

/** The rules of the program that this engine works in, which are written nowhere. */
export class ProgramRules {
  private rules: readonly KeptProgramRule[];

  /** Throws EngineError `invalid-input` and `exists`. */
  constructor(rules: readonly ProgramRule[] = []) {
    this.rules = checked(rules);
  }

  get all(): readonly KeptProgramRule[] {
    return this.rules;
  }

  /** Adds rules behind those that are there. Throws EngineError `invalid-input` and `exists`, and adds none then. */
  add(rules: readonly ProgramRule[]): Disposable {
    const added = checked(rules, this.rules);
    this.rules = [...this.rules, ...added];
    return onDispose(() => (this.rules = this.rules.filter((one) => !added.includes(one))));
  }

  /** The same, and takes away those whose ids these have. */
  put(rules: readonly ProgramRule[]): readonly KeptProgramRule[] {
    const put = checked(rules);
    const ids = new Set(put.map(({ id }) => id));
    this.rules = [...this.rules.filter(({ id }) => !ids.has(id)), ...put];
    return put;
  }

  clear(): void {
    this.rules = [];
  }
}

function checked(rules: readonly ProgramRule[], known: readonly KeptProgramRule[] = []): KeptProgramRule[] {
  const ids = new Set(known.map(({ id }) => id));
  return rules.map((rule) => {
    const { when, ...rest } = rule;
    checkPlugin('rule', rule, withMatcher);
    checkPlugin('rule', rest, programRuleSchema);
    const id = rule.id ?? newId('rule');
    if (when && rule.argument) {
      const hint = 'Remove one of them, or split the rule in two.';
      throw new EngineError('invalid-input', `The rule “${id}” has both “argument” and “when”. ${hint}`);
    }
    if (ids.has(id)) throw new EngineError('exists', `A rule with the id “${id}” already exists. Choose another id.`);
    ids.add(id);
    return Object.freeze({ ...rule, id });
  });
}
