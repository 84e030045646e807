import { join } from 'node:path';
import {
  type ApprovalHandler,
  createEngine,
  type Engine,
  type EngineParts,
  EngineError,
  engineSettingsSchema,
  type Log,
  type UserPrompter,
} from '../engine';
import { environmentAddresses } from '../node/environmentAddresses';
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
  const addresses = environmentAddresses(env);
  const settings = engineSettingsSchema.safeParse({
    model: env['CAIRN_MODEL'] || undefined,
    openai: { baseUrl: addresses.openai },
    anthropic: { baseUrl: addresses.anthropic },
    ollama: { baseUrl: addresses.ollama },
    custom: { baseUrl: addresses.custom },
    providers: { baseUrls: addresses.others },
  });
  if (!settings.success) {
    const [issue] = settings.error.issues;
    throw new EngineError('invalid-input', `${variableOf(issue?.path)}: ${issue?.message ?? 'not understood'}.`);
  }
  return createEngine({
    ports: nodePorts({ env, ripgrepCandidates: [], log }),
    settings: () => settings.data,
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

/** The variable that a broken setting came from. */
function variableOf(path: readonly PropertyKey[] = []): string {
  const [first, ...rest] = path.map(String);
  if (first === 'model') return 'CAIRN_MODEL';
  if (first === 'ollama') return 'OLLAMA_HOST';
  const provider = first === 'providers' ? rest.at(-1) : first;
  return provider === undefined ? 'The environment' : `${provider.toUpperCase()}_BASE_URL`;
}
