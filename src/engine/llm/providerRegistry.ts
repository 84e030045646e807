import { isAbort } from '../../base/abort';
import { type Disposable, onDispose } from '../../base/disposable';
import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { callable, checkPlugin } from '../checkPlugin';
import { EngineError } from '../engineError';
import {
  lazyClient,
  type LlmClient,
  type LlmEvent,
  type LlmFailure,
  type LlmRequest,
  type Middleware,
} from './llmClient';
import { knownModel, type ListedModel, type Model, unlistedModel } from './model';
import type { ModelCatalog } from './modelCatalog';
import type { Provider } from './provider';

/** A model with its client. */
export interface ResolvedModel {
  model: Model;
  client: LlmClient;
  provider: Provider;
}

/** A model with its provider. */
export interface OfferedModel {
  model: Model;
  provider: Provider;
}

const providerSchema = z.object({
  id: z.string(),
  label: z.string(),
  needsKey: z.boolean(),
  slowToList: z.optional(z.boolean()),
  assumes: z.optional(callable),
  listModels: z.optional(callable),
  describe: z.optional(callable),
  isReady: callable,
  client: callable,
});

/** Resolves models to their providers and applies the middleware around every request. */
export class ProviderRegistry {
  private readonly byId: Map<string, Provider>;
  /** Models that servers listed. The catalog takes precedence. */
  private readonly listed = new Map<string, ListedModel>();

  /** The first of `middleware` is outermost. `onProblem` is called when a provider that should list its models fails to. */
  constructor(
    providers: readonly Provider[],
    private readonly catalog: ModelCatalog,
    private readonly middleware: readonly Middleware[] = [],
    private readonly onProblem: (problem: string) => void = () => undefined,
  ) {
    this.byId = new Map(providers.map((provider) => [provider.id, provider]));
  }

  /** Adds a third-party provider. Throws EngineError `exists` or `invalid-input`. */
  register(provider: Provider): Disposable {
    checkPlugin('provider', provider, providerSchema);
    const { id } = provider;
    if (!/^[a-z][a-z0-9-]*$/.test(id)) {
      const rule = 'Ids consist of lowercase letters, digits, and “-”.';
      throw new EngineError('invalid-input', `“${id}” is not a valid provider id. ${rule}`);
    }
    if (this.byId.has(id)) throw new EngineError('exists', `There is a provider “${id}” already.`);
    this.byId.set(id, guardedProvider(provider));
    return onDispose(() => this.byId.delete(id));
  }

  get providers(): readonly Provider[] {
    return [...this.byId.values()];
  }

  get ids(): readonly string[] {
    return [...this.byId.keys()];
  }

  /** Returns the catalog's models whose providers exist, in catalog order. */
  models(): OfferedModel[] {
    return this.catalog.models.flatMap(({ id }) => {
      const provider = this.byId.get(id.slice(0, id.indexOf(':')));
      return provider ? [{ model: this.modelOf(id, provider), provider }] : [];
    });
  }

  /** Returns the models that a provider's server lists and the catalog does not; empty if no list is available. */
  async listedBy(provider: Provider, signal: AbortSignal): Promise<OfferedModel[]> {
    const models = (await provider.listModels?.(signal)) ?? [];
    const problem = provider.listProblem?.();
    if (problem !== undefined) this.onProblem(problem);
    for (const model of models) this.listed.set(model.id, model);
    return models
      .filter(({ id }) => this.catalog.find(id) === undefined)
      .map(({ id }) => ({ model: this.modelOf(id, provider), provider }));
  }

  /**
   * Resolves `provider:model`. Throws ModelResolutionError, an EngineError `invalid-input` or `not-found`, whose message names
   * what exists.
   */
  resolve(id: string): ResolvedModel {
    const provider = this.providerOf(id);
    const model = this.modelOf(id, provider);
    const client = this.middleware.reduceRight((next, around) => around(next, model), provider.client(model));
    const described = async (signal: AbortSignal) => (await provider.describe?.(model, signal)) ?? model;
    // Loaded on the first request.
    const fitting = lazyClient(async () => (await import('./fittingClient')).fittingClient(client, described, id));
    return { model, client: fitting, provider };
  }

  /** Whether a model can be asked: its provider is known and has what it needs. */
  async isReady(id: string): Promise<boolean> {
    return (await this.byId.get(id.slice(0, id.indexOf(':')))?.isReady()) ?? false;
  }

  private providerOf(id: string): Provider {
    const colon = id.indexOf(':');
    if (id.trim() === '') throw new ModelResolutionError('missing', `No model is chosen. ${this.whatExists()}`);
    if (colon < 1 || colon === id.length - 1 || /\s/.test(id)) {
      const hint = 'A model is written provider:model, such as openai:gpt-5.4.';
      throw new ModelResolutionError('malformed', `"${id}" names no model. ${hint} ${this.whatExists()}`);
    }
    const provider = this.byId.get(id.slice(0, colon));
    if (provider) return provider;
    const unknown = id.slice(0, colon);
    throw new ModelResolutionError(
      'unknown-provider',
      `"${id}" names an unknown provider, "${unknown}". ${this.whatExists()}`,
    );
  }

  private modelOf(id: string, provider: Provider): Model {
    const assumed = provider.assumes?.(id.slice(id.indexOf(':') + 1)) ?? {};
    const listed = this.catalog.find(id) ?? this.listed.get(id);
    return listed ? knownModel(listed, assumed) : unlistedModel(id, assumed);
  }

  private whatExists(): string {
    const ids = [...this.byId.keys()];
    return ids.length === 0 ? 'There is no provider.' : `Providers: ${ids.join(', ')}.`;
  }
}

/** Wraps a third-party provider so that whatever it throws is turned into what the contract allows and never breaks a run. */
function guardedProvider(provider: Provider): Provider {
  const { id, label, needsKey, slowToList } = provider;
  let problem: string | undefined;
  return {
    id,
    label,
    needsKey,
    ...(slowToList && { slowToList }),
    assumes: (name) => provider.assumes?.(name) ?? {},
    isReady: () => orElse(async () => provider.isReady(), false),
    async listModels(signal) {
      problem = undefined;
      try {
        return (await provider.listModels?.(signal)) ?? [];
      } catch (error) {
        if (!isAbort(error)) problem = `${label} lists no models: ${errorText(error)}.`;
        return [];
      }
    },
    listProblem: () => problem,
    describe: (model, signal) => orElse(async () => (await provider.describe?.(model, signal)) ?? model, model),
    client: (model) => ({ stream: (request, signal) => guarded(() => provider.client(model), label, request, signal) }),
  };
}

/** The callback is async, so a synchronous throw is covered too. */
async function orElse<T>(work: () => Promise<T>, other: T): Promise<T> {
  return work().catch(() => other);
}

async function* guarded(
  open: () => LlmClient,
  label: string,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  try {
    for await (const event of open().stream(request, signal)) {
      yield event;
      if (event.type === 'finished' || event.type === 'failed') return;
    }
  } catch (error) {
    yield { type: 'failed', failure: failureOf(error, label, signal) };
  }
}

function failureOf(error: unknown, label: string, signal: AbortSignal): LlmFailure {
  if (signal.aborted || isAbort(error)) return { reason: 'cancelled', message: 'The request was canceled.' };
  const message = `${label} failed: ${errorText(error)}. Try again, or choose another model.`;
  return { reason: 'bad-request', message };
}

/** Why a model could not be resolved: its name is malformed, none is chosen, or the provider or the model is unknown. */
export type ModelResolutionKind = 'malformed' | 'missing' | 'unknown-provider' | 'unknown-model';

/** An EngineError: `invalid-input` for a malformed or missing name, `not-found` for an unknown one. */
export class ModelResolutionError extends EngineError {
  constructor(
    readonly kind: ModelResolutionKind,
    message: string,
  ) {
    super(kind === 'malformed' || kind === 'missing' ? 'invalid-input' : 'not-found', message);
    this.name = 'ModelResolutionError';
  }
}
