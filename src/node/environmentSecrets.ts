import type { SecretStore } from '../engine';

const VARIABLES = new Map([
  ['apiKey.openai', 'OPENAI_API_KEY'],
  ['apiKey.anthropic', 'ANTHROPIC_API_KEY'],
]);

/** Keys from the usual variables of an environment. An empty one counts as not set. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  return {
    get(name) {
      const variable = VARIABLES.get(name);
      return Promise.resolve(variable === undefined ? undefined : env[variable] || undefined);
    },
  };
}
