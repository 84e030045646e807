import { errorText } from '../../base/errors';
import { truncateMiddle } from '../../base/truncate';
import type { Ports } from '../ports';
import type { ApprovalAnswer, ApprovalRequest } from './approvalHandler';
import type { AuthorizationQuestion, Decision } from './authorize';
import { ruleText } from './describeRule';
import type { PermissionRule } from './permissionRule';

const MAX_TITLE = 200;

/** Returns a text as the log shows it: without secrets, and shortened. */
type Show = (text: string) => string;

/** Appends the decision on each call as one JSON line to `audit.jsonl`, which is never rewritten. */
export class AuditLog {
  /** Absolute path of the file. */
  readonly path: string;
  private warned = false;

  constructor(
    configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths' | 'clock' | 'log' | 'strike'>,
  ) {
    this.path = ports.paths.resolve(configFolder, 'audit.jsonl');
  }

  /** Resolves once the line is written. A failed write is logged once and stops nothing. */
  record(runId: string, question: AuthorizationQuestion, decision: Decision): Promise<void> {
    return this.append((show) => this.entry(runId, question, decision, show));
  }

  /** Records an answer that the user gave outside a run; `agent` of the request is the model then. */
  recordAnswer({ sessionId, agent, tool, title }: ApprovalRequest, answer: ApprovalAnswer['kind']): Promise<void> {
    return this.append((show) => {
      const asked = { session: sessionId, run: null, agent, tool, what: show(title), verdict: 'ask' };
      return { time: this.time(), ...asked, scope: null, rule: null, by: 'person', answer };
    });
  }

  private async append(entryOf: (show: Show) => object): Promise<void> {
    try {
      await this.ports.files.appendLine(this.path, JSON.stringify(entryOf(await this.show())));
      this.warned = false;
    } catch (error) {
      if (!this.warned) this.ports.log.warn(`The audit log could not be written: ${errorText(error)}`);
      this.warned = true;
    }
  }

  /** Returns the function that names a rule as the log does. */
  async ruleNames(): Promise<(rule: PermissionRule) => string> {
    const show = await this.show();
    return (rule) => show(ruleText(rule));
  }

  /** Creates the file if it is missing, so that it can be opened, and returns its path. */
  async ensureFile(): Promise<string> {
    await this.ports.files.appendFile(this.path, '');
    return this.path;
  }

  private entry(runId: string, question: AuthorizationQuestion, { verdict, by, answer, offer }: Decision, show: Show) {
    const { rule, action, part } = verdict;
    return {
      time: this.time(),
      session: question.sessionId,
      run: runId,
      agent: question.agent,
      tool: question.query.tool,
      what: show(question.title),
      verdict: action,
      scope: rule?.scope ?? null,
      rule: rule ? show(ruleText(rule.rule)) : null,
      protected: verdict.protected,
      ...(part !== null && { part: show(part) }),
      by,
      answer,
      ...(offer && { added: { scope: offer.scope, rules: offer.rules.map((one) => show(ruleText(one))) } }),
    };
  }

  private time(): string {
    return new Date(this.ports.clock.now()).toISOString();
  }

  private async show(): Promise<Show> {
    const { hideSecrets } = await import('./likelySecrets');
    return (text) => truncateMiddle(hideSecrets(this.ports.strike?.(text) ?? text), MAX_TITLE).text;
  }
}
