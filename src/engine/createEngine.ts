import coderPrompt from '../../assets/agents/coder.md';
import { AgentRuntime } from './agents/agentRuntime';
import { builtinProviders } from './builtinProviders';
import { builtinTools } from './builtinTools';
import { Engine } from './engine';
import { retryBrokenStream } from './llm/middleware/retryBrokenStream';
import { loadModelCatalog } from './llm/modelCatalog';
import { ProviderRegistry } from './llm/providerRegistry';
import type { ApprovalHandler } from './permissions/approvalHandler';
import type { WorkspaceScope } from './permissions/workspaceScope';
import type { Ports } from './ports';
import { FileSessionStore } from './sessions/fileSessionStore';
import { SessionCatalog } from './sessions/sessionCatalog';
import type { EngineSettings } from './settings';
import { ToolRegistry } from './tools/toolRegistry';
import type { UserPrompter } from './tools/userPrompter';

export interface EngineParts {
  ports: Ports;
  /** Read whenever something needs it, so that a change counts at once. */
  settings: () => EngineSettings;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  /** Absolute folder of the sessions. */
  sessionsFolder: string;
  /** "linux", "darwin", "win32": told to the model. */
  platform: string;
  /** Default: one trusted folder. */
  scope?: () => WorkspaceScope;
}

/** The composition root of the engine: the only place that constructs its parts. */
export function createEngine({
  ports,
  settings,
  approvals,
  prompter,
  sessionsFolder,
  platform,
  scope,
}: EngineParts): Engine {
  const providers = new ProviderRegistry(builtinProviders(settings, ports.secrets, ports.clock), loadModelCatalog(), [
    retryBrokenStream(ports.clock),
  ]);
  const sessions = new SessionCatalog(new FileSessionStore(sessionsFolder, ports), ports.clock, ports.log);
  const tools = new ToolRegistry(builtinTools(ports));
  const configuredModel = () => settings().model;
  const runtime = new AgentRuntime({
    agent: { name: 'coder', prompt: coderPrompt },
    ...{ sessions, providers, tools, approvals, prompter, platform, ports },
    scope: scope ?? (() => ({ trusted: true, folders: [] })),
    defaultModel: () => engine.defaultModel(),
  });
  const engine: Engine = new Engine(sessions, tools, runtime, providers, configuredModel);
  return engine;
}
