import { join } from 'node:path';
import { keptDescriptions, type Ports, scriptDescriber, type ScriptParts, ScriptTools } from '../../engine';
import { hiddenValues } from '../secretVariables';
import type { ScriptPrograms } from './scriptProgram';

interface NodeScriptParts extends Pick<ScriptParts, 'configFolder' | 'secrets'> {
  ports: Pick<Ports, 'files' | 'paths' | 'log' | 'clock'>;
  env: NodeJS.ProcessEnv;
  programs: ScriptPrograms;
  /** Called with each value that must never be shown. */
  hide: (value: string) => void;
}

/** Creates the script tools for this machine. */
export function nodeScriptTools({ configFolder, secrets, ports, env, programs, hide }: NodeScriptParts): ScriptTools {
  const describe = scriptDescriber(async () => (await import('./nodeSyntaxTrees')).nodeSyntaxTrees(programs.grammars));
  return new ScriptTools({
    configFolder,
    secrets,
    ports,
    describe: keptDescriptions(describe, join(configFolder, 'cache', 'tool-descriptions'), ports),
    environment: env,
    hide: (given) => hiddenValues({ ...given }).forEach(hide),
    runner: async () => (await import('./nodeScriptRunner')).nodeScriptRunner(env, programs),
  });
}
