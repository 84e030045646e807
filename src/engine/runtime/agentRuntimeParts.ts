import type { ContextStrategy } from '../context/contextStrategy';
import type { ProviderRegistry } from '../llm/providerRegistry';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { AuditLog } from '../permissions/auditLog';
import type { PermissionStore } from '../permissions/permissionStore';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { EditWatcher } from '../sessions/editWatcher';
import type { MiddlewareChain } from '../run/hooks/middlewareChain';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { RunMetadata } from '../tools/hiddenContext';
import type { RegisteredTools } from '../tools/registeredTools';
import type { Resources } from '../tools/resources';
import type { ToolSource, WantedScripts } from '../tools/toolSource';
import type { ToolErrorRecovery } from '../tools/toolErrors';
import type { UserPrompter } from '../events/question';
import type { EquipParts } from './equipAgent';
import type { RunPlanParts } from './runPlan';
import type { WantedServers } from './builder/wantedTools';

export interface AgentRuntimeParts extends RunPlanParts, EquipParts {
  sessions: SessionCatalog;
  providers: ProviderRegistry;
  tools: RegisteredTools;
  /** Those of servers and scripts. */
  toolSource: ToolSource | undefined;
  wantedScripts: () => WantedScripts;
  /** Which MCP servers agents are given that name none, and by which other names servers are known. */
  wantedServers: () => WantedServers;
  /** What the person says to every agent. */
  personInstructions: () => string | undefined;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  edits: EditWatcher;
  permissions: PermissionStore;
  audit: AuditLog;
  scope: () => WorkspaceScope;
  /** Absolute folder below which it is recorded what requests use. */
  recordFolder: string;
  ports: Ports;
  middleware: MiddlewareChain;
  /** Known to the tools of every run. */
  metadata: RunMetadata;
  resources: Resources;
  /** What becomes of calls that fail, where the agent does not say it. */
  toolErrors: ToolErrorRecovery | undefined;
  /** What models see of a conversation; undefined: as we fit it. */
  contextStrategy: ContextStrategy | undefined;
  /** Of programs, whose mistakes are thrown where they are made; undefined: they fail the run. */
  checkRequest: ((request: unknown) => void) | undefined;
}
