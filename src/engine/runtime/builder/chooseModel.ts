import { nearest } from '../../../base/nearest';
import { modelId, modelName } from '../../content/writtenNames';
import { ModelResolutionError } from '../../llm/providerRegistry';

/** Providers and the names of their models; `any` where a provider's models are not listed. */
export type KnownModels = Readonly<Record<string, readonly string[] | 'any'>>;

/** The model that answers for an agent. */
export interface ChosenModel {
  provider: string;
  /** The part after the provider. */
  model: string;
  /** `provider:model`. */
  id: string;
  from: 'agent' | 'defaults';
}

export interface ModelWishes {
  /** Of whom it is chosen, for the words of an error. */
  agent: string;
  /** What the agent says, `provider:model` or `provider/model`. */
  own: string | undefined;
  /** What counts when it says nothing. */
  otherwise: string | undefined;
}

/**
 * The agent's own model, else the default. What the agent says is never passed over because it is wrong. `known`: null when
 * every provider and model counts as known. Throws ModelResolutionError.
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
