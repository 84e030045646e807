import { PROVIDER_KEYS } from '../engine';

/** Providers whose address has a setting of its own; the others share `providers.baseUrls`. */
const OWN_SETTING = new Set(['openai', 'anthropic', 'ollama', 'custom']);

export interface EnvironmentAddresses {
  openai: string | undefined;
  anthropic: string | undefined;
  ollama: string | undefined;
  custom: string | undefined;
  /** Provider → address, for the others. */
  others: Readonly<Record<string, string>>;
}

/** The addresses of providers that an environment names: `OPENAI_BASE_URL` and its like, and `OLLAMA_HOST`. */
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

/** `GROQ_BASE_URL` for groq. */
function addressVariable(id: string): string {
  return `${id.toUpperCase()}_BASE_URL`;
}

/** Ollama's own variable may lack everything but a port, and may say where a server listens instead of where it is. */
function ollamaAddress(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const [, scheme = 'http', host = '', port = '11434'] =
    /^(?:(https?):\/\/)?([^:/]*)(?::(\d+))?/.exec(text.trim()) ?? [];
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host;
  return `${scheme}://${reachable}:${port}`;
}
