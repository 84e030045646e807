import { join } from 'node:path';
import { namedSecrets, type Ports, type ScriptTools } from '../../engine';
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
}

/** As the editor runs them: with its secrets in the place of their names. */
export function editorScripts({ configFolder, extensionFolder, env, ports, secrets }: EditorScriptsParts): ScriptTools {
  return nodeScriptTools({
    configFolder,
    env,
    ports,
    secrets: namedSecrets({ get: (name) => secrets.kept(name) }),
    programs: {
      assets: join(extensionFolder, 'assets', 'scripts'),
      moduleRunner: join(extensionFolder, 'dist', 'runScript.mjs'),
      grammars: join(extensionFolder, 'dist'),
      sqliteRunner: join(extensionFolder, 'dist', 'querySqlite.mjs'),
    },
    hide: secrets.hide,
  });
}
