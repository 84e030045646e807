import { errorText } from '../../base/errors';
import { truncateMiddle } from '../../base/truncate';
import type { Ports } from '../ports';
import { HIDDEN_MARK } from '../secrets/secretScan';
import type { ApprovalAnswer, ApprovalRequest } from './approvalHandler';
import type { AuthorizationQuestion, Decision } from './authorize';
import { ruleText } from './describeRule';
import type { PermissionRule } from './permissionRule';

/** The rest of a value after what introduces it: up to the closing quote if one opens it, otherwise up to a space. */
const VALUE = String.raw`(?:(?<=\\["'])[^"'\\]+|(?<=")(?:[^"\\]|\\[^])+|(?<=')[^']+|[^\s"'&]+)`;
/** Names of variables, fields, and parameters with a secret value. */
const NAMES = `password|passwd|passphrase|pwd|secret|token|(?:api|access|private|auth|encryption|signing|master)_?key|credential`;
/** Names of options with a secret value; the names of files and of limits (`--password-file`, `--max-tokens`) end otherwise. */
const OPTIONS = `(?:[\\w-]*[-_])?(?:passw(?:or)?d|passphrase|(?:store|key)?pass|pwd|token|secret|(?:api|access|secret|auth)[-_]?key)`;

/**
 * Patterns of likely secrets, each with the part before it that may be shown. If letters may appear on both sides of the pattern,
 * a match starts with its word and is tried only if the word ends as required, so that no part of the text is read more than
 * once.
 */
const SECRETS: readonly RegExp[] = [
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\b(?:(?:gh[opsur]|github_pat|glpat|xox[a-z]|xapp|[sr]k_(?:live|test)|whsec|shp(?:at|ss|ca|pa)|dckr_pat|sntry[su])[_-]|do[opr]_v1_|hv[sb]\.)[\w-]{10,}/g,
  /()\b(?:(?:npm|hf|gsk|lin_api|ntn)_|(?:pypi|xai|nvapi)-|AIza|ya29\.|GOCSPX-)(?=\w*\d)[\w-]{20,}/g,
  /()\bSG\.[\w-]{16,64}\.[\w-]{16,}/g,
  /()\bA[KS]IA[0-9A-Z]{16}\b/g,
  /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /(\bhooks\.slack\.com\/[a-z]+\/|\bdiscord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g,
  /(\b(?:bearer|basic|token)\s+)[\w.~+/=-]{8,}/gi,
  /(\bauthorization\\?["']?\s*[=:]\s*\\?["']?(?:[\w-]+ (?=[^\s"']))?)[^\s"']+/gi,
  /(\b(?:set-)?cookie\\?["']?\s*:\s*\\?["']?)[^\s"'][^"'\n]*/gi,
  new RegExp(
    String.raw`(?<!\w)(?=\w+\\?["']?\s*[=:]\s*\\?["']?[^\s"'&])((?:\w*?(?:${NAMES}|_pass(?=\W))|(?<=(?:api|access|private|auth)-)key)\w*\\?["']?\s*[=:]\s*\\?["']?)${VALUE}`,
    'gi',
  ),
  new RegExp(
    String.raw`((?<![\w-])(?!--?(?:no|with|use)-)--?${OPTIONS}(?:=| +(?![-<>|&;]))["']?(?!id=|type=))${VALUE}`,
    'gi',
  ),
  /((?<![\w-])-pass(?:in|out)?[= ]["']?pass:)[^\s"']+/g,
  /((?<![\w-])--?(?:proxy-)?user[= ]["']?(?!([\w-]+):\2(?!\w)|\d+:\d+(?!\w))[^\s:"']+:)[^\s"']+/g,
  /(:\/\/[^\s/:@]*:)[^\s/]+(?=@)/g,
  /(:\/\/)[^\s/:@]{20,}(?=@)/g,
];
/** Short options that take a password, by program; the same letters mean something else elsewhere. */
const SHORT_OPTIONS: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  // A separate word after `-p` is the name of the database.
  [/^(?:mysql|mariadb)/, /^-p$/],
  [/^(?:7z|rar$)/, /^-h?p$/],
  [/^(?:sshpass|login|mongo)/, /^-p[= ]*$/],
  [/^(?:zip|unzip|sqlcmd|bcp|mosquitto)/, /^-[a-zA-Z]*P *$/],
  [/^redis/, /^-a +$/],
  [/^ldap/, /^-[a-zA-Z]*w *$/],
];
/** Programs whose `-u` or the like takes a user and a password in one word. */
const SIGN_IN = /^(?:curl|https?|xh|lftp|smbclient)$/;
const PROGRAMS = [
  ...[
    'mysql\\w*',
    'mariadb[\\w-]*',
    '7z\\w?',
    'rar',
    'sshpass',
    '(?<!auth )login',
    'mongo(?:sh|dump|restore|export|import)',
  ],
  ...[
    'zip',
    'unzip',
    'sqlcmd',
    'bcp',
    'mosquitto_\\w+',
    'redis-cli',
    'ldap\\w+',
    'curl',
    'https?',
    'xh',
    'lftp',
    'smbclient',
  ],
  // These have such letters for something else, and often follow one of the others.
  ...['ssh', 'scp', 'sftp', 'rsync', 'docker', 'podman'],
];
/** A short option and its value, a quoted text in double or single quotes, the end of a command, or a program. */
const SHORT_FORMS = new RegExp(
  [
    String.raw`(?<!\S)(-[a-zA-Z]*?[pPuUaw](?:=| *))((?![-=]|\$\(|\d+:\d+(?!\w))(?:"(?:[^"\\]|\\[^])*"|'[^']*'|\\[^]|[^\s"'|;&\\])+)`,
    String.raw`(?<!\\)"((?:[^"\\]|\\[^])*)"|'([^']*)'`,
    String.raw`[|;&\n]+|(?<![\w.@:-])(${PROGRAMS.join('|')})(?:\.exe)?(?![\w.:-])`,
  ].join('|'),
  'g',
);
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
  const shown = SECRETS.reduce((now, pattern) => now.replace(pattern, `$1${HIDDEN_MARK}`), text);
  return hideShortOptions(shown, '');
}

/** Redacts passwords after short options, also in scripts within quotes. `running`: the program that the text belongs to. */
function hideShortOptions(text: string, running: string): string {
  let program = running;
  const shown = (found: string, option = '', value = '', double?: string, single?: string, named?: string) => {
    if (double !== undefined) return `"${hideShortOptions(double, program)}"`;
    if (single !== undefined) return `'${hideShortOptions(single, program)}'`;
    if (option === '') {
      program = named ?? '';
      return found;
    }
    if (SHORT_OPTIONS.some(([programs, one]) => programs.test(program) && one.test(option))) {
      return option + HIDDEN_MARK;
    }
    const user = SIGN_IN.test(program) && /[uUa] *$/.test(option) ? /^[^:,%]+[:,%](?=.)/.exec(value) : null;
    return option + (user ? user[0] + HIDDEN_MARK : hideShortOptions(value, program));
  };
  return text.replace(SHORT_FORMS, shown);
}
