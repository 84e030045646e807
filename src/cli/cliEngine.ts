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
import { nodeFetch } from '../node/fetch/nodeFetch';
import { nodePorts } from '../node/nodePorts';

export interface CliEngineParts {
  env: NodeJS.ProcessEnv;
  configFolder: string;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  log: Log;
  /** File of the thread that turns pages into Markdown. */
  pageWorker: string;
  /** Where agents, roles and skills come from, and whether the folder is heard. */
  content: Pick<EngineParts, 'assetsFolder' | 'homeFolder' | 'contentFolders' | 'scope'>;
}

/** The engine as the command line runs it. Throws EngineError `invalid-input` when a variable does not fit. */
export function cliEngine(parts: CliEngineParts): Engine {
  const { env, configFolder, approvals, prompter, log, pageWorker, content } = parts;
  const settings = environmentSettings(env);
  return createEngine({
    ports: {
      // What agents are when the command begins they are until it ends.
      ...nodePorts({ env, ripgrepCandidates: [], watches: false, pageWorker, log }),
      // The built-in one costs a program that runs for a second more than all else together.
      fetch: nodeFetch(env),
    },
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
