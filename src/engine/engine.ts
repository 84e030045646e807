import type { AgentHandle } from './agents/agentHandle';
import type { AgentRuntime } from './agents/agentRuntime';
import { askOnce, type OneQuestion } from './llm/askOnce';
import type { Model } from './llm/model';
import type { ProviderRegistry } from './llm/providerRegistry';
import type { RunRequest } from './run/runRequest';
import type { SessionCatalog } from './sessions/sessionCatalog';
import type { ToolRegistry } from './tools/toolRegistry';

/** A model that can be chosen. */
export interface ModelListing {
  model: Model;
  /** The provider's name for people. */
  provider: string;
  /** False when the provider lacks its key. */
  ready: boolean;
  /** True for the tour, which is no model. */
  scripted: boolean;
}

/** The provider of the tour; everything else is a real model. */
export const DEMO_PROVIDER = 'demo';

/** The face of the engine: start runs, reach sessions, models and tools. Made by `createEngine`. */
export class Engine {
  constructor(
    readonly sessions: SessionCatalog,
    readonly tools: ToolRegistry,
    private readonly runtime: AgentRuntime,
    private readonly providers: ProviderRegistry,
    private readonly configuredModel: () => string | undefined,
  ) {}

  /** Throws EngineError `invalid-state` when the session has a run under way. */
  run(request: RunRequest): AgentHandle {
    return this.runtime.start(request);
  }

  /** The run under way in a session. */
  runOf(sessionId: string): AgentHandle | undefined {
    return this.runtime.runOf(sessionId);
  }

  /** The known models, those that are ready first; the tour is last. */
  async models(): Promise<ModelListing[]> {
    const listings = await Promise.all(
      this.providers.models().map(async ({ model, provider }) => ({
        model,
        provider: provider.label,
        ready: await provider.isReady(),
        scripted: provider.id === DEMO_PROVIDER,
      })),
    );
    const rank = ({ ready, scripted }: ModelListing) => (scripted ? 2 : ready ? 0 : 1);
    return listings.sort((a, b) => rank(a) - rank(b));
  }

  /** Throws EngineError `invalid-input` when the id names no provider; an unlisted model of a known one is described. */
  describeModel(id: string): Model {
    return this.providers.resolve(id).model;
  }

  /** The configured model, else the first model of a provider that is ready, else the tour. */
  async defaultModel(): Promise<string> {
    const configured = this.configuredModel();
    if (configured !== undefined) return configured;
    const ready = (await this.models()).find((one) => one.ready && !one.scripted);
    return ready?.model.id ?? `${DEMO_PROVIDER}:tour`;
  }

  /** One question to a model outside of any session, without tools. Rejects with a sentence when it does not answer. */
  ask(modelId: string, question: OneQuestion, signal: AbortSignal): Promise<string> {
    return askOnce(this.providers.resolve(modelId), question, signal);
  }

  /** Ends every run with its processes, as cut off and not as cancelled; resolves when all have ended. */
  shutDown(): Promise<void> {
    return this.runtime.shutDown();
  }
}
