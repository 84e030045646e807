import { nearest } from '../../../base/nearest';
import { modelId, modelName } from '../../content/writtenNames';
import { ModelResolutionError } from '../../llm/providerRegistry';

/** Model names by provider; `any` if a provider's models are not listed. */
export type KnownModels = Readonly<Record<string, readonly string[] | 'any'>>;

/** The model chosen for an agent. */
export interface ChosenModel {
  provider: string;
  /** The part of the ID after the provider. */
  model: string;
  /** `provider:model`. */
  id: string;
  from: 'agent' | 'defaults';
}

export interface ModelWishes {
  /** The agent's name, for error messages. */
  agent: string;
  /** The agent's own model, `provider:model` or `provider/model`. */
  own: string | undefined;
  /** The default if the agent has none. */
  otherwise: string | undefined;
}

/**
 * Chooses the agent's own model, or else the default. An invalid model of the agent's is never skipped. `known`: null if every
 * provider and model counts as known. Throws ModelResolutionError.
 */
export function chooseModel({ agent, own, otherwise }: ModelWishes, known: KnownModels | null): ChosenModel {
  const written = own ?? otherwise;
  const from = own === undefined ? 'defaults' : 'agent';
  const who = from === 'agent' ? `The agent “${agent}”` : `The default for the agent “${agent}”`;
  if (written === undefined) {
    const hint = 'Add model: provider/model to its front matter, or set a default model.';
    throw new ModelResolutionError('missing', `No model is set for the agent “${agent}”. ${hint}`);
  }
  if (!modelName.safeParse(written).success) {
    const hint = 'A model is written provider/model or provider:model.';
    throw new ModelResolutionError('malformed', `${who} names “${written}”, which is not a model. ${hint}`);
  }
  const id = modelId(written);
  const provider = id.slice(0, id.indexOf(':'));
  const model = id.slice(provider.length + 1);
  if (known) refuseUnknown({ provider, model }, known, who);
  return { provider, model, id, from };
}

function refuseUnknown({ provider, model }: Pick<ChosenModel, 'provider' | 'model'>, known: KnownModels, who: string) {
  const models = Object.hasOwn(known, provider) ? known[provider] : undefined;
  if (models === undefined) {
    const names = Object.keys(known);
    const text = `${who} names an unknown provider, “${provider}”.`;
    throw new ModelResolutionError('unknown-provider', `${text} ${hintOf(provider, names)}`);
  }
  if (models === 'any' || models.includes(model)) return;
  const text = `${who} names the model “${model}”, which ${provider} does not have.`;
  throw new ModelResolutionError('unknown-model', `${text} ${hintOf(model, models)}`);
}

function hintOf(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  if (meant !== undefined) return `Did you mean “${meant}”?`;
  return names.length === 0 ? 'There is none.' : `Known are: ${names.join(', ')}.`;
}
