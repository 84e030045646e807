import { HIDDEN_MARK } from '../secrets/hiddenMark';

/** What looks like a secret, with the part before it that may be shown. */
const SECRETS: readonly RegExp[] = [
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\b(?:gh[opsur]|github_pat|glpat|xox[abprs]|npm|hf)[_-][\w-]{10,}/g,
  /()\bAKIA[0-9A-Z]{16}\b/g,
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /(\b(?:bearer|basic|token)\s+)[\w.~+/=-]{8,}/gi,
  /((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|credential)\w*["']?\s*[=:]\s*["']?)[^\s"'&]+/gi,
  /(--?(?:password|pass|token|secret|api-key|user)[= ]["']?)[^\s"']+/gi,
  /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
];

/** Strikes out what looks like a key, a token or a password. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((shown, pattern) => shown.replace(pattern, `$1${HIDDEN_MARK}`), text);
}
