import { proxySignIn } from '../../node/fetch/proxyTrouble';

/** In the order in which the editor looks at them, whatever it asks for. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/**
 * What a person is told whose proxy wants a password, by the setting "http.proxy" or else the environment, as the editor takes
 * its proxy from them. Undefined when neither names one: then the system does.
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
