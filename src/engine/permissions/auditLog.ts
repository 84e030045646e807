import { errorText } from '../../base/errorText';
import { truncateMiddle } from '../../base/truncate';
import type { Ports } from '../ports';
import type { AuthorizationQuestion, Decision } from './authorize';
import { ruleText } from './describeRule';
import { hideSecrets } from './hideSecrets';

const MAX_TITLE = 200;

/** Keeps what was decided about each call as one JSON line in `audit.jsonl`, which is only ever added to. */
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

  /** Resolves when the line is written. One that cannot be written is told in the log once, and stops nothing. */
  async record(runId: string, question: AuthorizationQuestion, decision: Decision): Promise<void> {
    try {
      await this.ports.files.appendLine(this.path, JSON.stringify(this.entry(runId, question, decision)));
      this.warned = false;
    } catch (error) {
      if (!this.warned) this.ports.log.warn(`The audit log could not be written: ${errorText(error)}`);
      this.warned = true;
    }
  }

  /** Makes the file when it is missing, so that it can be opened; gives its path. */
  async ensureFile(): Promise<string> {
    await this.ports.files.appendFile(this.path, '');
    return this.path;
  }

  private entry(runId: string, question: AuthorizationQuestion, { verdict, by, answer, offer }: Decision) {
    const { rule, action, part } = verdict;
    const shown = (text: string) => this.shown(text);
    return {
      time: new Date(this.ports.clock.now()).toISOString(),
      session: question.sessionId,
      run: runId,
      agent: question.agent,
      tool: question.query.tool,
      what: shown(question.title),
      verdict: action,
      scope: rule?.scope ?? null,
      rule: rule ? shown(ruleText(rule.rule)) : null,
      protected: verdict.protected,
      ...(part !== null && { part: shown(part) }),
      by,
      answer,
      ...(offer && { added: { scope: offer.scope, rules: offer.rules.map((one) => shown(ruleText(one))) } }),
    };
  }

  private shown(text: string): string {
    return truncateMiddle(hideSecrets(this.ports.strike?.(text) ?? text), MAX_TITLE).text;
  }
}
