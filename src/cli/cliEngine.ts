import { join } from 'node:path';
import {
  type ApprovalHandler,
  createEngine,
  type Engine,
  type EngineParts,
  type Log,
  type UserPrompter,
} from '../engine';
import { environmentSettings } from '../node/environmentSettings';
import { machineFacts } from '../node/machineFacts';
import { nodePorts } from '../node/nodePorts';

export interface CliEngineParts {
  env: NodeJS.ProcessEnv;
  configFolder: string;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  log: Log;
  /** Where agents, roles and skills come from. */
  content: Pick<EngineParts, 'assetsFolder' | 'homeFolder' | 'contentFolders'>;
}

/** The engine as the command line runs it. Throws EngineError `invalid-input` when a variable does not fit. */
export function cliEngine({ env, configFolder, approvals, prompter, log, content }: CliEngineParts): Engine {
  const settings = environmentSettings(env);
  return createEngine({
    // What agents are when the command begins they are until it ends.
    ports: nodePorts({ env, ripgrepCandidates: [], watches: false, log }),
    settings: () => settings,
    approvals,
    prompter,
    sessionsFolder: join(configFolder, 'sessions'),
    configFolder,
    ...content,
    platform: process.platform,
    machine: machineFacts(env),
    environment: env,
  });
}
