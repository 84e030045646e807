import coderPrompt from '../../assets/agents/coder.md';
import { AgentRuntime } from './agents/agentRuntime';
import { builtinProviders } from './builtinProviders';
import { builtinTools } from './builtinTools';
import { Engine } from './engine';
import { retryBrokenStream } from './llm/middleware/retryBrokenStream';
import { loadModelCatalog } from './llm/modelCatalog';
import type { Provider } from './llm/provider';
import { ProviderRegistry } from './llm/providerRegistry';
import type { ApprovalHandler } from './permissions/approvalHandler';
import { AuditLog } from './permissions/auditLog';
import { PermissionStore } from './permissions/permissionStore';
import type { WorkspaceScope } from './permissions/workspaceScope';
import type { Ports } from './ports';
import { type EditWatcher, unwatchedEdits } from './sessions/editWatcher';
import { FileSessionStore } from './sessions/fileSessionStore';
import { SessionCatalog } from './sessions/sessionCatalog';
import type { EngineSettings } from './settings';
import { BackgroundCommands } from './tools/shell/backgroundCommands';
import { ToolRegistry } from './tools/toolRegistry';
import type { UserPrompter } from './tools/userPrompter';

export interface EngineParts {
  ports: Ports;
  /** Read whenever something needs it, so that a change counts at once. */
  settings: () => EngineSettings;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  /** Default: nobody watches. */
  edits?: EditWatcher;
  /** Providers that only this front end has, such as the editor's own models. */
  extraProviders?: readonly Provider[];
  /** Absolute folder of the sessions. */
  sessionsFolder: string;
  /** Absolute folder of the person's permission rules and of the audit log. */
  configFolder: string;
  /** "linux", "darwin", "win32": told to the model. */
  platform: string;
  /** Default: one trusted folder. */
  scope?: () => WorkspaceScope;
}

/** The composition root of the engine: the only place that constructs its parts. */
export function createEngine(parts: EngineParts): Engine {
  const { ports, settings, approvals, prompter, extraProviders = [], sessionsFolder, configFolder, platform } = parts;
  const providers = new ProviderRegistry(
    [...builtinProviders(settings, ports.secrets, ports.clock), ...extraProviders],
    loadModelCatalog(() => settings().models),
    [retryBrokenStream(ports.clock)],
  );
  const sessions = new SessionCatalog(new FileSessionStore(sessionsFolder, ports), ports.clock, ports.log);
  const commands = new BackgroundCommands(ports.processes, ports.clock);
  const tools = new ToolRegistry(builtinTools({ ...ports, commands }));
  const permissions = new PermissionStore(configFolder, ports);
  const audit = new AuditLog(configFolder, ports);
  const configuredModel = () => settings().model;
  const runtime = new AgentRuntime({
    agent: { name: 'coder', prompt: coderPrompt },
    ...{ sessions, providers, tools, approvals, prompter, permissions, audit, platform, ports },
    edits: parts.edits ?? unwatchedEdits,
    scope: parts.scope ?? (() => ({ trusted: true, folders: [] })),
    defaultModel: () => engine.defaultModel(),
  });
  const engine: Engine = new Engine({
    sessions,
    tools,
    runtime,
    commands,
    providers,
    configuredModel,
    permissions,
    audit,
  });
  return engine;
}
