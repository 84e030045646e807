import type { ContextStrategy } from '../context/contextStrategy';
import type { UserPrompter } from '../events/agentEvent';
import type { ProviderRegistry } from '../llm/providerRegistry';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { AuditLog } from '../permissions/auditLog';
import type { PermissionStore } from '../permissions/permissionStore';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { MiddlewareChain } from '../run/hooks/middlewareChain';
import type { EditWatcher } from '../sessions/fileCheckpoints';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { RunMetadata } from '../tools/hiddenContext';
import type { Resources } from '../tools/resources';
import type { ToolErrorRecovery } from '../tools/toolErrors';
import type { RegisteredTools } from '../tools/toolRegistry';
import type { ToolSource, WantedScripts } from '../tools/toolSource';
import type { EquipParts } from './equipAgent';
import type { RunPlanParts } from './runPlan';
import type { WantedServers } from './wantedTools';

export interface AgentRuntimeParts extends RunPlanParts, EquipParts {
  sessions: SessionCatalog;
  providers: ProviderRegistry;
  tools: RegisteredTools;
  /** Provides the tools of MCP servers and scripts. */
  toolSource: ToolSource | undefined;
  wantedScripts: () => WantedScripts;
  /** Which MCP servers are given to agents that name none, and by which other names servers are known. */
  wantedServers: () => WantedServers;
  /** The user's instructions for every agent. */
  personInstructions: () => string | undefined;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  edits: EditWatcher;
  permissions: PermissionStore;
  audit: AuditLog;
  scope: () => WorkspaceScope;
  /** Absolute path of the folder under which usage is recorded. */
  recordFolder: string;
  ports: Ports;
  middleware: MiddlewareChain;
  /** Available to the tools of every run. */
  metadata: RunMetadata;
  resources: Resources;
  /** Decides what happens when calls fail, unless the agent specifies it. */
  toolErrors: ToolErrorRecovery | undefined;
  /** Decides what models see of a conversation. Undefined: Cairn's own way of fitting it. */
  contextStrategy: ContextStrategy | undefined;
  /** Set for programs, whose invalid requests throw where they are made. Undefined: they fail the run. */
  checkRequest: ((request: unknown) => void) | undefined;
}
