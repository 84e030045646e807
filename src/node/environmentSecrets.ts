import { hiddenValues } from './secrets/hiddenValues';
import { PROVIDER_KEYS, type SecretStore } from '../engine';

/** Keys from the usual variables of an environment. An empty one counts as not set. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  const variables = new Map(PROVIDER_KEYS.map(({ id, keyVariable }) => [`apiKey.${id}`, keyVariable]));
  return {
    get(name) {
      const variable = variables.get(name);
      return Promise.resolve(variable === undefined ? undefined : env[variable] || undefined);
    },
    hidden: () => hiddenValues(env),
  };
}
