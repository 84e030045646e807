import { newId } from '../../base/newId';
import { EngineError } from '../engineError';
import { type ApprovalMode, narrower } from '../permissions/modes';
import type { PermissionStore } from '../permissions/permissionStore';
import { resolveQuery } from '../permissions/resolveQuery';
import { toolPolicy } from '../permissions/toolPolicy';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { PermissionCheck } from '../run/loop/agentLoop';
import { currentRulesets } from '../run/runContext';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import { parseToolCall } from '../tools/parseToolCall';
import type { RegisteredTools } from '../tools/toolRegistry';
import type { ToolSource, WantedScripts } from '../tools/toolSource';
import { rulesOf } from './equipAgent';
import type { PlanRequest, RunPlan } from './runPlan';
import { toolsForProgram } from './toolsAtHand';
import type { WantedServers } from './wantedTools';

/** Where a call would be made: in a session, or in a new one of a workspace. `agent` overrides the session's. */
export type CheckPlace = ({ sessionId: string } | { workspace: string }) & {
  agent?: string;
  /** Overrides the session's approval mode. Default for a new session: edits and commands require approval. */
  approvalMode?: ApprovalMode;
};

export interface CheckParts {
  permissions: PermissionStore;
  sessions: SessionCatalog;
  tools: RegisteredTools;
  /** Provides the tools of MCP servers and scripts. */
  toolSource: ToolSource | undefined;
  wantedScripts: () => WantedScripts;
  wantedServers: () => WantedServers;
  /** Determines the agent whose rules apply. */
  runtime: { plan: (request: PlanRequest & { sessionId?: string }) => Promise<RunPlan> };
  scope: () => WorkspaceScope;
  ports: Ports;
  machine: { platform: string };
}

/** Returns what the rules decide about a call, with no skill loaded. Rejects with EngineError `invalid-input` and `not-found`. */
export async function checkCall(
  { permissions, sessions, runtime, scope, ports, machine, ...toolParts }: CheckParts,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  place: CheckPlace,
): Promise<PermissionCheck> {
  const session = 'sessionId' in place ? await sessions.open(place.sessionId) : undefined;
  const workspace = 'workspace' in place ? place.workspace : (session?.metadata.workspace ?? '');
  const plan = await planOf(runtime, place.agent ?? session?.metadata.agent ?? undefined);
  const { agent } = plan;
  const atHand = await toolsForProgram({ ...toolParts, scope }, workspace, plan);
  const parsed = parseToolCall({ id: newId('call'), name: tool, arguments: JSON.stringify(input) }, atHand);
  if (parsed instanceof Error) throw new EngineError('invalid-input', parsed.message);
  const shell = machine.platform === 'win32' ? ('windows' as const) : ('posix' as const);
  const readable = session ? [session.folder] : [];
  const query = await resolveQuery(
    parsed.bound.permission,
    { workspace, folders: scope().folders, readable, shell },
    ports,
  );
  const top = session && (await rootOf(session, sessions));
  const own = session?.metadata.workMode ?? agent.workMode ?? 'agent';
  // An agent that was started may do no more than the session that started it.
  const above = top === session ? null : top?.metadata.workMode;
  const mode = place.approvalMode ?? session?.metadata.approvalMode ?? 'edits-and-commands';
  const workMode = () => (above ? narrower(above, own) : own);
  const sources = {
    workspace,
    permissions,
    agentRules: rulesOf(agent),
    root: { session: top ?? { rules: [] } },
    scope,
    approvalMode: () => mode,
    workMode,
  };
  const call = { query, input: parsed.bound.input, agent: agent.name, sessionId: session?.id ?? '' };
  const { action, reason } = toolPolicy.decide(query, await currentRulesets(sources, call));
  return { action, reason };
}

function planOf(runtime: CheckParts['runtime'], agent: string | undefined): Promise<RunPlan> {
  // The model is irrelevant here.
  return runtime.plan({ model: '', ...(agent !== undefined && { agent }) });
}

/** Returns the session of the run that the user started. Its rules apply to all agents below it. */
export async function rootOf(session: AgentSession, sessions: SessionCatalog): Promise<AgentSession> {
  const { parent } = session.metadata;
  return parent ? rootOf(await sessions.open(parent.sessionId), sessions) : session;
}
