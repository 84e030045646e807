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

/** How an agent wants to be answered; absent: as the model does by itself. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  effort?: Effort;
}

/** What others see of an agent's prompt and tools. */
export type Equipment = Pick<PromptAndTools, keyof PromptAndTools>;

/** Who works, where, and who hears of it: what every part of a run knows. */
export interface RunPlace {
  readonly runId: string;
  readonly agent: string;
  readonly workspace: string;
  readonly session: AgentSession;
  readonly emitter: ScopedEmitter;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** What the agent is told, and the tools that it has at this moment. */
  readonly promptAndTools: Equipment;
  /** The agents that it works with. */
  readonly team: RunTeam;
  /** `turn`: so many requests of the conversation were made. `stopped`: why the run ends after the calls at hand. */
  readonly progress: { turn: number; stopped?: RunOutcome };
}

/** What a program wants one question to be made of, instead of what the agent has; absent: as the agent has it. */
export interface AskedInstead {
  readonly system?: string;
  /** Sent as they are, whether they fit the model or not. */
  readonly messages?: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly more: Pick<LlmRequest, 'toolChoice' | 'outputSchema' | 'maxOutputTokens'>;
}

/** What asking the model needs. */
export interface Conversation extends RunPlace {
  readonly model: Model;
  readonly client: LlmClient;
  readonly sampling: Sampling;
  readonly gauge: TokenGauge;
  /** Tokens of the conversation above which the agent wants it summed up; undefined: when it no longer fits the model. */
  readonly compactsAbove: number | undefined;
  /** Of the program, instead of ours; undefined: ours. */
  readonly strategy: ContextStrategy | undefined;
  /** What others have put between agents and models; it stands around `client` already. */
  readonly middleware: PlacedMiddleware;
  /** Another model, asked through the middleware as well. Throws EngineError `invalid-input`. */
  resolve: (id: string) => ResolvedModel;
  readonly instead?: AskedInstead;
}

/** The rules that hold at this moment are made of this. */
export interface RuleSources {
  readonly workspace: string;
  /** Rules that last longer than the session. */
  readonly permissions: PermissionStore;
  /** What the agent's own definition says of permissions. */
  readonly agentRules: readonly PermissionRule[];
  /**
   * The run that a person started, this one or one above it: the rules of its session hold and “always” is kept there, and
   * changes of files belong to it, so that they can be reviewed and undone with its turn.
   */
  readonly root: { readonly runId: string; readonly session: AgentSession };
  scope: () => WorkspaceScope;
  /** Asked for each call, because a person may change it during the run. */
  approvalMode: () => ApprovalMode;
  /** The same for what may be done at all. */
  workMode: () => WorkMode;
}

/** What deciding about a call needs. */
export interface Authorizing extends RunPlace, RuleSources {
  readonly policy: ToolPolicy;
  readonly audit: AuditLog;
  readonly approvals: ApprovalHandler;
  /** One question to the person at a time. */
  readonly approvalTurns: Mutex;
  /** What reads commands. */
  readonly shell: ShellKind;
  /** Told when a call begins to wait for the person, and when it no longer does; each call that waits by itself. */
  readonly onAsking?: (isAsking: boolean) => void;
}

/** What carrying out calls needs. */
export interface Calling extends Authorizing {
  /** What tools may know besides, and no model. */
  readonly hidden: Omit<HiddenContext, 'turn'>;
  /** What becomes of calls that fail; undefined: the model is told. */
  readonly toolErrors: ToolErrorRecovery | undefined;
  /** What the agent wants of the tools that look at files. */
  readonly looking: LookingSettings | undefined;
  /** Told of each change of files. */
  readonly edits: EditWatcher;
  readonly stops: CallStops;
  /** What the calls get whose tools answer later. */
  readonly sent: SentResults;
  /** Keeps the model from calling the same for ever. */
  readonly repeats: RepeatGuard;
}

/** What a loop holds. Whoever asks the model is given `conversation`, whoever carries out calls `calling`. */
export interface RunContext {
  readonly conversation: Conversation;
  readonly calling: Calling;
  readonly limits: RunLimits;
  readonly steering: Steering;
  readonly interrupts: Interrupts;
  readonly autoContinue: AutoContinue;
  /** The agent's variables with their values; children inherit those of the same name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether an answer is only the code in it. */
  readonly answersCode: boolean;
}
