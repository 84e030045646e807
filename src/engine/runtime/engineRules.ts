import type { Disposable } from '../../base/disposable';
import { EngineError } from '../engineError';
import type { PermissionRule } from '../permissions/permissionRule';
import type { KeptProgramRule, ProgramRule } from '../permissions/program/programRules';
import type { PermissionCheck } from '../run/loop/agentLoop';
import type { CheckParts, CheckPlace } from './checkCall';
import type { OwnRule, RulesInForce } from './rulesInForce';

/** Whose rules: of this engine alone, of a session, of the person in a workspace, or of the person everywhere. */
export type RulePlace =
  | { scope: 'program' }
  | { scope: 'session'; sessionId: string }
  | { scope: 'workspace'; workspace: string }
  | { scope: 'user' };

/** The rules of an engine, for the program that it works in. */
export class EngineRules {
  constructor(private readonly parts: CheckParts) {}

  /**
   * Adds a rule of the program, also for runs under way. It is written nowhere. Throws EngineError `invalid-input`, and `exists`
   * for an id that is taken.
   */
  add(...rules: readonly ProgramRule[]): Disposable {
    return this.program.add(rules);
  }

  /** Those of the program, in the order in which they were added. */
  list(): readonly KeptProgramRule[] {
    return this.program.all;
  }

  /** Those that hold in a place, the repository's among those of a workspace. Rejects with EngineError `not-found` without the session. */
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

  /** Every rule that somebody wrote and that holds in a session. Rejects with EngineError `not-found` without it. */
  async inForce(sessionId: string): Promise<RulesInForce> {
    return (await import('./rulesInForce')).rulesInForce(this.parts, sessionId);
  }

  /**
   * Puts others, or none, in the place of a rule that the person wrote for everything or for the session's workspace, or in the
   * session. Rejects with EngineError `not-found` when it is not there by now, `damaged` when the person's file cannot be read,
   * and `invalid-state` while another process runs in the session.
   */
  async replace(rule: OwnRule, others: readonly PermissionRule[]): Promise<void> {
    return (await import('./rulesInForce')).replaceRule(this.parts, rule, others);
  }

  /**
   * Takes all rules of a place away; those of a repository stay. Rejects with EngineError `not-found` without the session,
   * `invalid-state` while another process runs in it, and `damaged` when the person's file cannot be read, which stays as it is.
   */
  async clear(place: RulePlace): Promise<void> {
    const { permissions, sessions } = this.parts;
    if (place.scope === 'program') this.program.clear();
    else if (place.scope === 'session') await (await sessions.open(place.sessionId)).clearRules();
    else await permissions.edit(place.scope, place.scope === 'workspace' ? place.workspace : this.anywhere, () => []);
  }

  /**
   * What would become of a call at this moment; nothing is done, asked or kept. Rejects with EngineError `invalid-input` when
   * there is no such tool or agent or the input does not fit, and `not-found` without the session.
   */
  async check(tool: string, input: Readonly<Record<string, unknown>>, place: CheckPlace): Promise<PermissionCheck> {
    const { checkCall } = await import('./checkCall');
    return checkCall(this.parts, tool, input, place);
  }

  /**
   * Takes rules of the program from a JSON file, instead of those with the same ids. Rejects with EngineError `damaged` that
   * names the line, and takes none then.
   */
  async load(path: string): Promise<readonly KeptProgramRule[]> {
    const { readRuleFile } = await import('../permissions/program/ruleFile');
    return this.program.put(await readRuleFile(path, this.parts.ports.files));
  }

  /**
   * Writes the rules of the program, or those given, to a JSON file, atomically. Rejects with EngineError `invalid-input` for
   * rules with a function and for the person's own file, and `damaged` when what is there are no rules; it then stays as it is.
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

  /** A folder of no workspace. */
  private get anywhere(): string {
    return this.parts.ports.paths.dirname(this.parts.permissions.path);
  }

  private get program() {
    return this.parts.permissions.program;
  }
}
