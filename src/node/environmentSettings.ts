import { EngineError, type EngineSettings, engineSettingsSchema, PROVIDER_KEYS } from '../engine';

/**
 * Reads engine settings from the environment: `CAIRN_MODEL`, `CAIRN_REASONING_EFFORT`, `CAIRN_IDLE_TIMEOUT`, `OPENAI_BASE_URL`
 * and the like, `OLLAMA_HOST`. `others` override them. Throws EngineError `invalid-input` naming the variable with an invalid
 * value.
 */
export function environmentSettings(
  env: NodeJS.ProcessEnv,
  others: Readonly<Record<string, unknown>> = {},
): EngineSettings {
  const addresses = environmentAddresses(env);
  const settings = engineSettingsSchema().safeParse({
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

/** Returns the variable behind an invalid setting. */
function variableOf(path: readonly PropertyKey[] = []): string {
  const [first, ...rest] = path.map(String);
  if (first === 'model') return 'CAIRN_MODEL';
  if (first === 'idleTimeout') return 'CAIRN_IDLE_TIMEOUT';
  if (first === 'reasoningEffort') return 'CAIRN_REASONING_EFFORT';
  if (first === 'ollama') return 'OLLAMA_HOST';
  const provider = first === 'providers' ? rest.at(-1) : first;
  return provider === undefined ? 'The environment' : `${provider.toUpperCase()}_BASE_URL`;
}

/** Providers whose address is a setting; the others share `providers.baseUrls`. */
const OWN_SETTING = new Set(['openai', 'anthropic', 'ollama', 'custom']);

export interface EnvironmentAddresses {
  openai: string | undefined;
  anthropic: string | undefined;
  ollama: string | undefined;
  custom: string | undefined;
  /** Provider → address, for all other providers. */
  others: Readonly<Record<string, string>>;
}

/** Reads provider addresses from the environment: `OPENAI_BASE_URL` and the like, and `OLLAMA_HOST`. */
export function environmentAddresses(env: NodeJS.ProcessEnv): EnvironmentAddresses {
  const address = (id: string) => env[addressVariable(id)] || undefined;
  const others = PROVIDER_KEYS.filter(({ id }) => !OWN_SETTING.has(id)).flatMap(({ id }) => {
    const found = address(id);
    return found === undefined ? [] : [[id, found] as const];
  });
  return {
    openai: address('openai'),
    anthropic: address('anthropic'),
    ollama: ollamaAddress(env['OLLAMA_HOST'] ?? ''),
    custom: address('custom'),
    others: Object.fromEntries(others),
  };
}

/** Returns `GROQ_BASE_URL` for groq. */
function addressVariable(id: string): string {
  return `${id.toUpperCase()}_BASE_URL`;
}

/** Parses Ollama's variable, which may contain only a port, and may be the address the server listens on rather than one to connect to. */
function ollamaAddress(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const [, scheme = 'http', host = '', port = '11434'] =
    /^(?:(https?):\/\/)?([^:/]*)(?::(\d+))?/.exec(text.trim()) ?? [];
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host;
  return `${scheme}://${reachable}:${port}`;
}
