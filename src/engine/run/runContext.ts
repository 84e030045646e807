import type { ContextStrategy } from '../context/contextStrategy';
import type { TokenGauge } from '../context/estimateTokens';
import type { RunOutcome } from '../events/runOutcome';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { Effort, Model } from '../llm/model';
import type { LlmClient, LlmRequest, ToolSpec } from '../llm/llmClient';
import type { ResolvedModel } from '../llm/providerRegistry';
import type { Message } from '../messages/message';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { ApprovalMode } from '../permissions/defaultRuleset';
import type { AuditLog } from '../permissions/auditLog';
import type { PermissionRule } from '../permissions/permissionRule';
import type { PermissionStore } from '../permissions/permissionStore';
import type { ShellKind } from '../permissions/shell/shellParts';
import type { Mutex } from '../../base/mutex';
import type { ToolPolicy } from '../permissions/toolPolicy';
import type { WorkMode } from '../permissions/workMode';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { EditWatcher } from '../sessions/editWatcher';
import type { AgentSession } from '../sessions/agentSession';
import type { HiddenContext } from '../tools/hiddenContext';
import type { LookingSettings } from '../tools/files/lookingSettings';
import type { ToolErrorRecovery } from '../tools/toolErrors';
import type { AutoContinue } from './autoContinue';
import type { CallStops } from './stopping/callStops';
import type { PromptAndTools } from '../prompt/promptAndTools';
import type { PlacedMiddleware } from './hooks/middlewareChain';
import type { RepeatGuard } from './guard/repeatGuard';
import type { Interrupts } from './stopping/interrupts';
import type { RunTeam } from './runTeam';
import type { SentResults } from './sentResults';
import type { Steering } from './steering';
import type { RunLimits } from './stopConditions';

/** An agent's sampling settings. Absent: the model's defaults. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  effort?: Effort;
}

/** The parts of an agent's prompt and tools that others may use. */
export type Equipment = Pick<PromptAndTools, keyof PromptAndTools>;

/** What every part of a run knows: who is working, where, and who receives events. */
export interface RunPlace {
  readonly runId: string;
  readonly agent: string;
  readonly workspace: string;
  readonly session: AgentSession;
  readonly emitter: ScopedEmitter;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** The agent's prompt and its current tools. */
  readonly promptAndTools: Equipment;
  /** The agents it works with. */
  readonly team: RunTeam;
  /** `turn`: number of requests made in the conversation. `stopped`: why the run ends after the current calls. */
  readonly progress: { turn: number; stopped?: RunOutcome };
}

/** A program's overrides for one request. What is absent is as the agent has it. */
export interface AskedInstead {
  readonly system?: string;
  /** Sent unchanged, whether they fit the model or not. */
  readonly messages?: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly more: Pick<LlmRequest, 'toolChoice' | 'outputSchema' | 'maxOutputTokens'>;
}

/** What is needed to ask the model. */
export interface Conversation extends RunPlace {
  readonly model: Model;
  readonly client: LlmClient;
  readonly sampling: Sampling;
  readonly gauge: TokenGauge;
  /** The number of conversation tokens above which the agent wants it summarized. Undefined: when it no longer fits the model. */
  readonly compactsAbove: number | undefined;
  /** The program's strategy for fitting the conversation. Undefined: Cairn's own. */
  readonly strategy: ContextStrategy | undefined;
  /** Third-party middleware. It is already applied to `client`. */
  readonly middleware: PlacedMiddleware;
  /** Resolves another model, with the middleware applied. Throws EngineError `invalid-input`. */
  resolve: (id: string) => ResolvedModel;
  readonly instead?: AskedInstead;
}

/** The sources of the rules currently in effect. */
export interface RuleSources {
  readonly workspace: string;
  /** Rules that outlast the session. */
  readonly permissions: PermissionStore;
  /** The permission rules in the agent's own definition. */
  readonly agentRules: readonly PermissionRule[];
  /**
   * The run that the user started: this one or an ancestor. Its session's rules apply and store "always" answers, and file
   * changes belong to it, so that they are reviewed and undone with its turn.
   */
  readonly root: { readonly runId: string; readonly session: AgentSession };
  scope: () => WorkspaceScope;
  /** Evaluated for each call, because the user may change it during the run. */
  approvalMode: () => ApprovalMode;
  /** The current mode; also evaluated for each call. */
  workMode: () => WorkMode;
}

/** What is needed to decide about a call. */
export interface Authorizing extends RunPlace, RuleSources {
  readonly policy: ToolPolicy;
  readonly audit: AuditLog;
  readonly approvals: ApprovalHandler;
  /** Ensures that the user is asked one question at a time. */
  readonly approvalTurns: Mutex;
  /** The kind of shell that interprets commands. */
  readonly shell: ShellKind;
  /** Called when a call starts to wait for the user and when it no longer does, for each waiting call separately. */
  readonly onAsking?: (isAsking: boolean) => void;
}

/** What is needed to carry out calls. */
export interface Calling extends Authorizing {
  /** What tools may know but models may not. */
  readonly hidden: Omit<HiddenContext, 'turn'>;
  /** Decides what happens when a call fails. Undefined: the model is told. */
  readonly toolErrors: ToolErrorRecovery | undefined;
  /** The agent's settings for tools that look at files. */
  readonly looking: LookingSettings | undefined;
  /** Notified of each file change. */
  readonly edits: EditWatcher;
  readonly stops: CallStops;
  /** Results of calls whose tools answer later. */
  readonly sent: SentResults;
  /** Keeps the model from repeating the same calls forever. */
  readonly repeats: RepeatGuard;
}

/** A run's complete context. Code that asks the model receives `conversation`; code that carries out calls receives `calling`. */
export interface RunContext {
  readonly conversation: Conversation;
  readonly calling: Calling;
  readonly limits: RunLimits;
  readonly steering: Steering;
  readonly interrupts: Interrupts;
  readonly autoContinue: AutoContinue;
  /** The agent's variables with their values. Child agents inherit those of the same name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the answer is reduced to the code in it. */
  readonly answersCode: boolean;
}
