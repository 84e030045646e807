import { HIDDEN_MARK } from '../secrets/secretScan';
import { LIKELY_TOKENS } from '../secrets/vendorTokens';

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
  ...LIKELY_TOKENS,
  /()\bSG\.[\w-]{16,64}\.[\w-]{16,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----END)[^])+/g,
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
  /((?<![\w-])--?(?:proxy-)?user[= ]["']?(?!([\w-]{1,200}):\2(?!\w)|\d{1,20}:\d+(?!\w))[^\s:"']{1,200}:)[^\s"']+/g,
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
