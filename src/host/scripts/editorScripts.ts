import { join } from 'node:path';
import type { Ports, ScriptTools, SecretValues } from '../../engine';
import { nodeScriptTools } from '../../node/scripts/nodeScriptTools';
import type { VscodeSecretStore } from '../secrets/vscodeSecretStore';

export interface EditorScriptsParts {
  /** Absolute; Cairn's own. */
  configFolder: string;
  /** Absolute folder of what comes with Cairn. */
  extensionFolder: string;
  env: NodeJS.ProcessEnv;
  /** Through which only what was saved counts. */
  ports: Ports;
  secrets: VscodeSecretStore;
  /** What `{{NAME}}` stands for, and what scripts name. */
  values: SecretValues;
}

/** As the editor runs them: with its secrets in the place of their names. */
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
