import { join } from 'node:path';
import {
  type ApprovalHandler,
  createEngine,
  type Engine,
  EngineError,
  engineSettingsSchema,
  type Log,
  type UserPrompter,
} from '../engine';
import { nodePorts } from '../node/nodePorts';

export interface CliEngineParts {
  env: NodeJS.ProcessEnv;
  configFolder: string;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  log: Log;
}

/** The engine as the command line runs it. Throws EngineError `invalid-input` when a variable does not fit. */
export function cliEngine({ env, configFolder, approvals, prompter, log }: CliEngineParts): Engine {
  const settings = engineSettingsSchema.safeParse({
    model: env['CAIRN_MODEL'] || undefined,
    openai: { baseUrl: env['OPENAI_BASE_URL'] || undefined },
    anthropic: { baseUrl: env['ANTHROPIC_BASE_URL'] || undefined },
  });
  if (!settings.success) {
    const [issue] = settings.error.issues;
    const variable = { openai: 'OPENAI_BASE_URL', anthropic: 'ANTHROPIC_BASE_URL', model: 'CAIRN_MODEL' };
    const name = Object.entries(variable).find(([key]) => key === issue?.path[0])?.[1] ?? 'The environment';
    throw new EngineError('invalid-input', `${name}: ${issue?.message ?? 'not understood'}.`);
  }
  return createEngine({
    ports: nodePorts({ env, ripgrepCandidates: [], log }),
    settings: () => settings.data,
    approvals,
    prompter,
    sessionsFolder: join(configFolder, 'sessions'),
    configFolder,
    platform: process.platform,
  });
}
