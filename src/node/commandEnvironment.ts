import { isSecretVariable } from './secrets/isSecretVariable';

/** Set by the editor for its own processes; a program started as a command would take them as meant for it. */
const EDITORS_OWN = /^(?:ELECTRON_RUN_AS_NODE|VSCODE_(?:IPC|NLS|PID|CWD|CRASH|CODE_CACHE|HANDLES|ESM|L10N|DEV|AMD).*)$/;

/** What a command gets of an environment: all but what looks like a secret, by its name or by its value. */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = '']) => !isSecretVariable(name, value) && !EDITORS_OWN.test(name)),
  );
}
