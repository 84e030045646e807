const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|_PASS$|_PWD$|_AUTH$|^AUTH_|_AUTH_(?!SOCK)|COOKIE|JWT/i;

/** Keys of well-known makers, tokens, private keys, and addresses that hold a password. */
const SECRET_VALUE =
  /^(?:sk-|gh[opsu]_|github_pat_|glpat-|xox[abeprs]-|AKIA|AIza|npm_[A-Za-z0-9]{20}|eyJ[\w-]+\.eyJ)|-----BEGIN |:\/\/[^/\s:@]*:[^/\s@]+@/;

/** Set by the editor for its own processes; a program started as a command would take them as meant for it. */
const EDITORS_OWN = /^(?:ELECTRON_RUN_AS_NODE|VSCODE_(?:IPC|NLS|PID|CWD|CRASH|CODE_CACHE|HANDLES|ESM|L10N|DEV|AMD).*)$/;

/** What a command gets of an environment: all but what looks like a secret, by its name or by its value. */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !SECRET_NAME.test(name) && !SECRET_VALUE.test(value) && !EDITORS_OWN.test(name),
    ),
  );
}
