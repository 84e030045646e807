import type { Mutex } from '../../base/async';
import type { ContextStrategy } from '../context/contextStrategy';
import type { TokenGauge } from '../context/estimateTokens';
import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { LlmClient, LlmRequest, ToolSpec } from '../llm/llmClient';
import type { Effort, Model } from '../llm/model';
import type { ResolvedModel } from '../llm/providerRegistry';
import type { Message } from '../messages/message';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { AuditLog } from '../permissions/auditLog';
import { type ApprovalMode, defaultRuleset, usableMode, type WorkMode, workModeRules } from '../permissions/modes';
import type { PermissionRule, Rulesets } from '../permissions/permissionRule';
import type { PermissionStore } from '../permissions/permissionStore';
import { type MatchedCall, matcherRules } from '../permissions/program/matcherRules';
import type { ShellKind } from '../permissions/shell/shellParts';
import type { ToolPolicy } from '../permissions/toolPolicy';
import { scopeRules, type WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { PromptAndTools } from '../prompt/promptAndTools';
import type { AgentSession } from '../sessions/agentSession';
import type { EditWatcher } from '../sessions/fileCheckpoints';
import type { HiddenContext } from '../tools/hiddenContext';
import type { TeamDesk } from '../tools/team/teamDesk';
import type { LookingSettings } from '../tools/toolContext';
import type { ToolErrorRecovery } from '../tools/toolErrors';
import type { Steering } from './agentHandle';
import type { AutoContinue } from './autoContinue';
import type { PlacedMiddleware } from './hooks/middlewareChain';
import type { CallStops, Interrupts } from './interrupts';
import type { RepeatGuard } from './repeatGuard';
import type { CountUsage } from './requestUsage';
import type { SentResults } from './sentResults';
import type { LimitReached, RunLimits } from './stopConditions';

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
interface AskedInstead {
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
interface RuleSources {
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

/** The other agents of a run, as its loop sees them. */
export interface RunTeam {
  readonly desk: TeamDesk;
  /** Asks the user; for an agent that another one started, also its ancestors. Rejects only with AbortError. */
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  /** Records that the model called tools, so it is not merely trying to end again and again. */
  called(): void;
  /** Returns what happened to the agents that this one started, for its model; each item only once. */
  takeNews(): string[];
  /**
   * Called when the model wants to end: null lets it, and a string is sent to it instead. Waits while agents it started are
   * running, but not beyond `interrupted`. If the model insists, the remaining ones are stopped. Rejects with AbortError.
   */
  beforeEnd(signal: AbortSignal, interrupted: Promise<void>): Promise<string | null>;
  /** Stops the agents it started; resolves once they have ended. It may start others afterwards. */
  endRunning(): Promise<void>;
  readonly spending: RunSpending;
}

/** Tracks what an agent and those it started use up; it also counts against the limits of the agent's ancestors. */
export interface RunSpending {
  /** Counts a turn about to begin, or returns the limit that forbids it. */
  takeTurn(): LimitReached | undefined;
  /**
   * Asks a model, and counts the usage that `ask` reports, at the model's prices. If a limit has been reached, returns it without
   * asking. Waits while pending requests might reach it. Rejects with AbortError, and as `ask` does.
   */
  request<T>(
    asked: { model: Model; inputTokens: () => number },
    ask: (count: CountUsage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | LimitReached>;
}

type Sources = Omit<RuleSources, 'root'> & { readonly root: { readonly session: Pick<AgentSession, 'rules'> } };

/** Returns the rules in effect now. Rules with a matcher are included only if `call` is given. */
export async function currentRulesets(context: Sources, call?: Omit<MatchedCall, 'workspace'>): Promise<Rulesets> {
  const { user, workspace } = await context.permissions.rulesFor(context.workspace, context.scope().folders);
  const global = defaultRuleset(usableMode(context.approvalMode(), context.scope()));
  // Rules from the folder's trust and the mode come last in the first scope, so that no rule of the user overrides them.
  return {
    user: [...user, ...scopeRules(context.scope()), ...workModeRules(context.workMode())],
    session: context.root.session.rules,
    program: matcherRules(context.permissions.program.all, call && { ...call, workspace: context.workspace }),
    workspace,
    agent: context.agentRules,
    global,
  };
}
