import type { Disposable } from '../../base/disposable';
import { EngineError } from '../engineError';
import type { PermissionRule } from '../permissions/permissionRule';
import type { KeptProgramRule, ProgramRule } from '../permissions/program/programRules';
import type { PermissionCheck } from '../run/loop/agentLoop';
import type { CheckParts, CheckPlace } from './checkCall';
import type { OwnRule, RulesInForce } from './rulesInForce';

/** Where rules apply: in this engine only, in a session, for the user in a workspace, or for the user everywhere. */
export type RulePlace =
  | { scope: 'program' }
  | { scope: 'session'; sessionId: string }
  | { scope: 'workspace'; workspace: string }
  | { scope: 'user' };

/** Manages an engine's rules, for the program that embeds it. */
export class EngineRules {
  constructor(private readonly parts: CheckParts) {}

  /**
   * Adds rules of the program, which also apply to runs in progress. They are not stored. Throws EngineError `invalid-input`, and
   * `exists` if an ID is taken.
   */
  add(...rules: readonly ProgramRule[]): Disposable {
    return this.program.add(rules);
  }

  /** Returns the program's rules, in the order they were added. */
  list(): readonly KeptProgramRule[] {
    return this.program.all;
  }

  /**
   * Returns the rules that apply in a place; those of a workspace include the repository's. Rejects with EngineError `not-found`
   * if there is no such session.
   */
  async rulesIn(place: RulePlace): Promise<readonly PermissionRule[]> {
    const { permissions, sessions } = this.parts;
    switch (place.scope) {
      case 'program':
        return this.program.all;
      case 'session':
        return (await sessions.open(place.sessionId)).rules;
      case 'workspace':
        return (await permissions.rulesFor(place.workspace)).workspace;
      case 'user':
        return (await permissions.rulesFor(this.anywhere)).user;
    }
  }

  /** Returns every written rule that applies in a session. Rejects with EngineError `not-found` if there is no such session. */
  async inForce(sessionId: string): Promise<RulesInForce> {
    return (await import('./rulesInForce')).rulesInForce(this.parts, sessionId);
  }

  /**
   * Replaces a rule of the user, of the session's workspace, or of the session with others, or with none. Rejects with
   * EngineError `not-found` if the rule no longer exists, `damaged` if the user's file cannot be read, and `invalid-state` while
   * another process is running in the session.
   */
  async replace(rule: OwnRule, others: readonly PermissionRule[]): Promise<void> {
    return (await import('./rulesInForce')).replaceRule(this.parts, rule, others);
  }

  /**
   * Removes all rules of a place, except a repository's. Rejects with EngineError `not-found` if there is no such session,
   * `invalid-state` while another process is running in it, and `damaged` if the user's file, which is then left unchanged,
   * cannot be read.
   */
  async clear(place: RulePlace): Promise<void> {
    const { permissions, sessions } = this.parts;
    if (place.scope === 'program') this.program.clear();
    else if (place.scope === 'session') await (await sessions.open(place.sessionId)).clearRules();
    else await permissions.edit(place.scope, place.scope === 'workspace' ? place.workspace : this.anywhere, () => []);
  }

  /**
   * Returns what the rules currently decide about a call, without running, asking, or storing anything. Rejects with EngineError
   * `invalid-input` if there is no such tool or agent or the input does not match, and `not-found` if there is no such session.
   */
  async check(tool: string, input: Readonly<Record<string, unknown>>, place: CheckPlace): Promise<PermissionCheck> {
    const { checkCall } = await import('./checkCall');
    return checkCall(this.parts, tool, input, place);
  }

  /**
   * Loads the program's rules from a JSON file, replacing those with the same IDs. Rejects with an EngineError `damaged` that
   * names the line, without loading any.
   */
  async load(path: string): Promise<readonly KeptProgramRule[]> {
    const { readRuleFile } = await import('../permissions/program/ruleFile');
    return this.program.put(await readRuleFile(path, this.parts.ports.files));
  }

  /**
   * Writes the program's rules, or the given ones, to a JSON file, atomically. Rejects with EngineError `invalid-input` for rules
   * with a function and for the user's own file, and `damaged` if the file exists but does not contain rules; it is then left
   * unchanged.
   */
  async save(path: string, rules: readonly ProgramRule[] = this.program.all): Promise<void> {
    const { files } = this.parts.ports;
    const real = await Promise.all([path, this.parts.permissions.path].map((one) => files.realPath(one)));
    if (real[0] === real[1]) {
      throw new EngineError('invalid-input', `${path} holds your own rules. Save to another file.`);
    }
    const { writeRuleFile } = await import('../permissions/program/ruleFile');
    await writeRuleFile(path, rules, files);
  }

  /** A folder that belongs to no workspace. */
  private get anywhere(): string {
    return this.parts.ports.paths.dirname(this.parts.permissions.path);
  }

  private get program() {
    return this.parts.permissions.program;
  }
}
