import { type EngineSettings, EngineError, engineSettingsSchema } from '../engine';
import { environmentAddresses } from './environmentAddresses';

/**
 * What the environment says of the engine: `CAIRN_MODEL`, `CAIRN_REASONING_EFFORT`, `CAIRN_IDLE_TIMEOUT`, `OPENAI_BASE_URL` and
 * its like, `OLLAMA_HOST`. `others` come before it. Throws EngineError `invalid-input` that names the variable when a value does not fit.
 */
export function environmentSettings(
  env: NodeJS.ProcessEnv,
  others: Readonly<Record<string, unknown>> = {},
): EngineSettings {
  const addresses = environmentAddresses(env);
  const settings = engineSettingsSchema.safeParse({
    model: env['CAIRN_MODEL'] || undefined,
    reasoningEffort: env['CAIRN_REASONING_EFFORT'] || undefined,
    idleTimeout: env['CAIRN_IDLE_TIMEOUT'] ? Number(env['CAIRN_IDLE_TIMEOUT']) : undefined,
    openai: { baseUrl: addresses.openai },
    anthropic: { baseUrl: addresses.anthropic },
    ollama: { baseUrl: addresses.ollama },
    custom: { baseUrl: addresses.custom },
    providers: { baseUrls: addresses.others },
    ...others,
  });
  if (settings.success) return settings.data;
  const [issue] = settings.error.issues;
  throw new EngineError('invalid-input', `${variableOf(issue?.path)}: ${issue?.message ?? 'not understood'}.`);
}

/** The variable that a broken setting came from. */
function variableOf(path: readonly PropertyKey[] = []): string {
  const [first, ...rest] = path.map(String);
  if (first === 'model') return 'CAIRN_MODEL';
  if (first === 'idleTimeout') return 'CAIRN_IDLE_TIMEOUT';
  if (first === 'reasoningEffort') return 'CAIRN_REASONING_EFFORT';
  if (first === 'ollama') return 'OLLAMA_HOST';
  const provider = first === 'providers' ? rest.at(-1) : first;
  return provider === undefined ? 'The environment' : `${provider.toUpperCase()}_BASE_URL`;
}
