import { isSecretVariable } from './isSecretVariable';

/** What is named like a secret and is none: a place, an address without a password, a switch. */
const ORDINARY = [
  /^(?:~|\.{1,2})?\/?(?:home|Users|root|run|tmp|var|usr|etc|opt|private|mnt|media|nix|srv|dev|proc|Library|Applications|\.[\w-]+)\//,
  /^[A-Za-z]:[\\/]/,
  /^\w+:\/\/[^/\s@?]+(?:\/[\w.~-]{0,20}){0,3}$/,
  /^(?:disabled|required|optional|anonymous|undefined|production|development|localhost|parallel|keychain|osxkeychain)$/i,
];

/** The secret in an address or a connection string, which is also told without the rest. */
const INNER = [
  /:\/\/[^/\s:@]*:([^/\s@]+)@/g,
  /:\/\/([^/\s:@]{20,})@/g,
  /(?:key|signature|sig|password|pwd|secret|token)\s*=\s*([^;&\s]+)/gi,
  /(?:hooks\.slack\.com|\/webhooks?)\S*\/([\w-]{16,})/gi,
  /^Bearer (\S+)/gi,
];

/** Every value of an environment that commands do not get because it is a secret, and the secrets within them. */
export function hiddenValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const text = value.trim();
    if (!isSecretVariable(name, text)) return [];
    const inner = INNER.flatMap((pattern) => [...text.matchAll(pattern)].map(([, secret = '']) => secret));
    return inner.length === 0 && ORDINARY.some((pattern) => pattern.test(text)) ? [] : [text, ...inner];
  });
}
