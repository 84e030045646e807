import { EngineError } from '../engineError';
import type { LlmClient } from './llmClient';
import type { Middleware } from './middleware/middleware';
import type { Model } from './model';
import type { ModelCatalog } from './modelCatalog';
import type { Provider } from './provider';

/** A model with the client that asks it. */
export interface ResolvedModel {
  model: Model;
  client: LlmClient;
  provider: Provider;
}

/** Knows who answers for a model, and what lies around every question. */
export class ProviderRegistry {
  private readonly byId: ReadonlyMap<string, Provider>;

  /** `middleware`: the first is outermost. */
  constructor(
    providers: readonly Provider[],
    private readonly catalog: ModelCatalog,
    private readonly middleware: readonly Middleware[] = [],
  ) {
    this.byId = new Map(providers.map((provider) => [provider.id, provider]));
  }

  get providers(): readonly Provider[] {
    return [...this.byId.values()];
  }

  /** The listed models of the providers that exist, in the order of the catalog. */
  models(): { model: Model; provider: Provider }[] {
    return this.catalog.models.flatMap((model) => {
      const provider = this.byId.get(model.id.slice(0, model.id.indexOf(':')));
      return provider ? [{ model, provider }] : [];
    });
  }

  /** Of `provider:model`. Throws EngineError `invalid-input` or `not-found`, with a sentence that names what exists. */
  resolve(id: string): ResolvedModel {
    const colon = id.indexOf(':');
    const name = id.slice(colon + 1);
    if (id.trim() === '') throw new EngineError('invalid-input', `No model is chosen. ${this.whatExists()}`);
    if (colon < 1 || name === '' || /\s/.test(id)) {
      const hint = 'A model is written provider:model, such as openai:gpt-5.4.';
      throw new EngineError('invalid-input', `"${id}" names no model. ${hint} ${this.whatExists()}`);
    }
    const provider = this.byId.get(id.slice(0, colon));
    if (!provider) {
      const unknown = id.slice(0, colon);
      throw new EngineError(
        'not-found',
        `"${id}" names the provider "${unknown}", which is not known. ${this.whatExists()}`,
      );
    }
    const model = this.catalog.find(id);
    const client = this.middleware.reduceRight((next, around) => around(next), provider.client(model));
    return { model, client, provider };
  }

  private whatExists(): string {
    const ids = [...this.byId.keys()];
    return ids.length === 0 ? 'There is no provider.' : `Providers: ${ids.join(', ')}.`;
  }
}
