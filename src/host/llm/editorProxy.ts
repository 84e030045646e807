import { proxySignIn } from '../../node/fetch/proxyFor';

/** In the order in which the editor checks them, whatever the URL's scheme. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/**
 * The hint for a user whose proxy requires a password. Finds the proxy like the editor does, from the setting "http.proxy" or
 * else from the environment. Undefined if neither sets one, in which case the system's proxy is used.
 */
export function editorProxy(
  target: URL,
  setting: unknown,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const set = proxyUrl(setting);
  if (set) return proxySignIn(set, target, ' in the setting "http.proxy" of the editor: ');
  const variable = VARIABLES.find((name) => env[name]);
  const named = variable === undefined ? undefined : proxyUrl(env[variable]);
  return named && proxySignIn(named, target, `, in the environment that the editor is started with: ${variable}=`);
}

function proxyUrl(value: unknown): URL | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.includes('://') && URL.canParse(text) ? new URL(text) : undefined;
}
