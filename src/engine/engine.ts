import type { AgentDefinition } from './agents/agentDefinition';
import type { AgentHandle } from './agents/agentHandle';
import type { AgentRuntime } from './agents/agentRuntime';
import { askOnce, type OneQuestion } from './llm/askOnce';
import type { ContentCatalog } from './content/contentCatalog';
import type { Model } from './llm/model';
import type { ProviderRegistry } from './llm/providerRegistry';
import type { AuditLog } from './permissions/auditLog';
import type { PermissionStore } from './permissions/permissionStore';
import type { RunRequest } from './run/runRequest';
import type { SessionCatalog } from './sessions/sessionCatalog';
import type { BackgroundCommands } from './tools/shell/backgroundCommands';
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

/** What an Engine is put together from. */
export interface EngineInnards {
  agents: ContentCatalog<AgentDefinition>;
  sessions: SessionCatalog;
  tools: ToolRegistry;
  permissions: PermissionStore;
  audit: AuditLog;
  runtime: AgentRuntime;
  commands: BackgroundCommands;
  providers: ProviderRegistry;
  configuredModel: () => string | undefined;
}

/** The face of the engine: start runs, reach sessions, models and tools. Made by `createEngine`. */
export class Engine {
  /** Every agent that can be started, by name. */
  readonly agents: ContentCatalog<AgentDefinition>;
  readonly sessions: SessionCatalog;
  readonly tools: ToolRegistry;
  /** The rules that last longer than a session. */
  readonly permissions: PermissionStore;
  /** Where decisions are kept. */
  readonly audit: AuditLog;
  private readonly runtime: AgentRuntime;
  private readonly commands: BackgroundCommands;
  private readonly providers: ProviderRegistry;
  private readonly configuredModel: () => string | undefined;

  constructor(parts: EngineInnards) {
    this.agents = parts.agents;
    this.sessions = parts.sessions;
    this.tools = parts.tools;
    this.permissions = parts.permissions;
    this.audit = parts.audit;
    this.runtime = parts.runtime;
    this.commands = parts.commands;
    this.providers = parts.providers;
    this.configuredModel = parts.configuredModel;
  }

  /** Throws EngineError `invalid-state` when the session has a run under way. */
  run(request: RunRequest): AgentHandle {
    return this.runtime.start(request);
  }

  /** The run under way in a session. */
  runOf(sessionId: string): AgentHandle | undefined {
    return this.runtime.runOf(sessionId);
  }

  /** The models of the catalog and those that servers list, those that are ready first; the tour is last. */
  async models(signal: AbortSignal = new AbortController().signal): Promise<ModelListing[]> {
    const { providers } = this.providers;
    const listed = await Promise.all(providers.map((provider) => this.providers.listedBy(provider, signal)));
    const ready = new Map(await Promise.all(providers.map(async (one) => [one, await one.isReady()] as const)));
    const listings = [...this.providers.models(), ...listed.flat()].map(({ model, provider }) => ({
      model,
      provider: provider.label,
      ready: ready.get(provider) ?? false,
      scripted: provider.id === DEMO_PROVIDER,
    }));
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
    for (const { model, provider } of this.providers.models()) {
      if (provider.id !== DEMO_PROVIDER && (await provider.isReady())) return model.id;
    }
    // Servers are asked only now, so that nobody who has a key waits for one.
    for (const provider of this.providers.providers) {
      const [first] = await this.providers.listedBy(provider, new AbortController().signal);
      if (first) return first.model.id;
    }
    return `${DEMO_PROVIDER}:tour`;
  }

  /** One question to a model outside of any session, without tools. Rejects with a sentence when it does not answer. */
  ask(modelId: string, question: OneQuestion, signal: AbortSignal): Promise<string> {
    return askOnce(this.providers.resolve(modelId), question, signal);
  }

  /** Ends every run with its processes, as cut off and not as cancelled; resolves when all have ended. */
  async shutDown(): Promise<void> {
    await this.runtime.shutDown();
    await this.commands.dispose();
    this.agents.dispose();
  }
}
