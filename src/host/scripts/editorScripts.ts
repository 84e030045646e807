import { join } from 'node:path';
import type { Ports, ScriptTools, SecretValues } from '../../engine';
import { nodeScriptTools } from '../../node/scripts/nodeScriptTools';
import type { VscodeSecretStore } from '../vscodeSecretStore';

interface EditorScriptsParts {
  /** Cairn's configuration folder, absolute. */
  configFolder: string;
  /** The absolute folder of the installed extension. */
  extensionFolder: string;
  env: NodeJS.ProcessEnv;
  /** These read files as saved, ignoring unsaved changes in editors. */
  ports: Ports;
  secrets: VscodeSecretStore;
  /** Resolves `{{NAME}}` and the secrets that scripts name. */
  values: SecretValues;
}

/** Creates the script tools as the editor runs them, with its secrets resolved. */
export function editorScripts(parts: EditorScriptsParts): ScriptTools {
  const { configFolder, extensionFolder, env, ports, secrets, values } = parts;
  return nodeScriptTools({
    configFolder,
    env,
    ports,
    secrets: values,
    programs: {
      assets: join(extensionFolder, 'assets', 'scripts'),
      moduleRunner: join(extensionFolder, 'dist', 'runScript.mjs'),
      grammars: join(extensionFolder, 'dist'),
      sqliteRunner: join(extensionFolder, 'dist', 'querySqlite.mjs'),
    },
    hide: secrets.hide,
  });
}
