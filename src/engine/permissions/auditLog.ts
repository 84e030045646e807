import { errorText } from '../../base/errors';
import { truncateMiddle } from '../../base/truncate';
import type { Ports } from '../ports';
import { HIDDEN_MARK } from '../secrets/secretScan';
import type { ApprovalAnswer, ApprovalRequest } from './approvalHandler';
import type { AuthorizationQuestion, Decision } from './authorize';
import { ruleText } from './describeRule';
import type { PermissionRule } from './permissionRule';

/**
 * Patterns of likely secrets, each with the part before it that may be shown. If letters may appear on both sides of the pattern,
 * a match starts with its word and is tried only if the word ends as required, so that no part of the text is read more than
 * once.
 */
const SECRETS: readonly RegExp[] = [
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\b(?:gh[opsur]|github_pat|glpat|xox[abprs]|npm|hf)[_-][\w-]{10,}/g,
  /()\bAKIA[0-9A-Z]{16}\b/g,
  /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /(\b(?:bearer|basic|token)\s+)[\w.~+/=-]{8,}/gi,
  /(?<!\w)(?=\w+["']?\s*[=:])((?:\w*?(?:password|passwd|pwd|secret|token|api_?key|access_?key|credential)|(?<=api-|access-)key)\w*["']?\s*[=:]\s*["']?)[^\s"'&]+/gi,
  /(--?(?:password|pass|token|secret|api-key|user)[= ]["']?)[^\s"']+/gi,
  /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
];
const MAX_TITLE = 200;

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
    return this.append(this.entry(runId, question, decision));
  }

  /** Records an answer that the user gave outside a run; `agent` of the request is the model then. */
  recordAnswer({ sessionId, agent, tool, title }: ApprovalRequest, answer: ApprovalAnswer['kind']): Promise<void> {
    const asked = { session: sessionId, run: null, agent, tool, what: this.shown(title), verdict: 'ask' };
    return this.append({ time: this.time(), ...asked, scope: null, rule: null, by: 'person', answer });
  }

  private async append(entry: object): Promise<void> {
    try {
      await this.ports.files.appendLine(this.path, JSON.stringify(entry));
      this.warned = false;
    } catch (error) {
      if (!this.warned) this.ports.log.warn(`The audit log could not be written: ${errorText(error)}`);
      this.warned = true;
    }
  }

  /** Returns a rule as the log names it. */
  ruleName(rule: PermissionRule): string {
    return this.shown(ruleText(rule));
  }

  /** Creates the file if it is missing, so that it can be opened, and returns its path. */
  async ensureFile(): Promise<string> {
    await this.ports.files.appendFile(this.path, '');
    return this.path;
  }

  private entry(runId: string, question: AuthorizationQuestion, { verdict, by, answer, offer }: Decision) {
    const { rule, action, part } = verdict;
    const shown = (text: string) => this.shown(text);
    return {
      time: this.time(),
      session: question.sessionId,
      run: runId,
      agent: question.agent,
      tool: question.query.tool,
      what: shown(question.title),
      verdict: action,
      scope: rule?.scope ?? null,
      rule: rule ? this.ruleName(rule.rule) : null,
      protected: verdict.protected,
      ...(part !== null && { part: shown(part) }),
      by,
      answer,
      ...(offer && { added: { scope: offer.scope, rules: offer.rules.map((one) => this.ruleName(one)) } }),
    };
  }

  private time(): string {
    return new Date(this.ports.clock.now()).toISOString();
  }

  private shown(text: string): string {
    return truncateMiddle(hideSecrets(this.ports.strike?.(text) ?? text), MAX_TITLE).text;
  }
}

/** Redacts what looks like a key, a token or a password. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((shown, pattern) => shown.replace(pattern, `$1${HIDDEN_MARK}`), text);
}
