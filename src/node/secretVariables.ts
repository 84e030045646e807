import { TOKEN_BEGINNINGS } from '../engine';

const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|_PASS$|_PWD$|_AUTH$|^AUTH_|_AUTH_(?!SOCK)|COOKIE|JWT|WEBHOOK/i;

/** Beginnings of values that are secret only as a whole value. */
const BEGINNINGS = [...TOKEN_BEGINNINGS, 'SG\\.', 'secret_', 'Bearer '];

/** Private keys, addresses that contain or are a secret, and keys in connection strings. */
const PARTS = [
  ...['-----BEGIN ', '://[^/\\s:@]*:[^/\\s@]+@', '://[^/\\s:@]{20,}@', 'api\\.telegram\\.org/bot\\d'],
  ...['hooks\\.slack\\.com/', 'discord(?:app)?\\.com/api/webhooks', 'hooks\\.zapier\\.com/', 'maker\\.ifttt\\.com/'],
  ...['webhook\\.office\\.com/', 'outlook\\.office(?:365)?\\.com/webhook', 'logic\\.azure\\.com.*[?&]sig='],
  ...['(?:AccountKey|SharedAccessKey|SharedAccessSignature|[Pp]assword|[Pp]wd|PWD|ClientSecret)\\s*=\\s*[^;\\s]'],
  ...['[?&](?:key|api_?key|token|access_token|sig|signature|secret|X-Amz-Signature)=[^&\\s]{8}'],
];

const SECRET_VALUE = new RegExp(`^(?:${BEGINNINGS.join('|')})|${PARTS.join('|')}`);

/** Returns true if a value is secret: its name or its form suggests so, and it is not a path, address or switch. */
export function isSecretValue(name: string, value: string): boolean {
  return hiddenValues({ [name]: value }).length > 0;
}

/** Returns true if the name or the value looks secret. */
function isSecretVariable(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}

/** Values that are not secret even if their name suggests it: paths, addresses without a password, switches. */
const ORDINARY = [
  /^(?:~|\.{1,2})?\/?(?:home|Users|root|run|tmp|var|usr|etc|opt|private|mnt|media|nix|srv|dev|proc|Library|Applications|\.[\w-]+)\//,
  /^[A-Za-z]:[\\/]/,
  /^\w+:\/\/[^/\s@?]+(?:\/[\w.~-]{0,20}){0,3}$/,
  /^(?:disabled|required|optional|anonymous|undefined|production|development|localhost|parallel|keychain|osxkeychain)$/i,
];

/** The secret within an address or connection string, which may also be printed on its own. */
const INNER = [
  /:\/\/[^/\s:@]*:([^/\s@]+)@/g,
  /:\/\/([^/\s:@]{20,})@/g,
  /(?:key|signature|sig|password|pwd|secret|token)\s*=\s*([^;&\s]+)/gi,
  /(?:hooks\.slack\.com|\/webhooks?)\S*\/([\w-]{16,})/gi,
  /^Bearer (\S+)/gi,
];

/** Returns the values in an environment that are withheld from commands as secrets, and the secrets within them. */
export function hiddenValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const text = value.trim();
    if (!isSecretVariable(name, text)) return [];
    const inner = INNER.flatMap((pattern) => [...text.matchAll(pattern)].map(([, secret = '']) => secret));
    return inner.length === 0 && ORDINARY.some((pattern) => pattern.test(text)) ? [] : [text, ...inner];
  });
}

/** Set by the editor for its own processes; programs started by commands would misinterpret them. */
const EDITORS_OWN = /^(?:ELECTRON_RUN_AS_NODE|VSCODE_(?:IPC|NLS|PID|CWD|CRASH|CODE_CACHE|HANDLES|ESM|L10N|DEV|AMD).*)$/;

/** Returns the environment for commands: everything whose name and value do not look secret. */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = '']) => !isSecretVariable(name, value) && !EDITORS_OWN.test(name)),
  );
}
