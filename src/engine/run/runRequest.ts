import type { ApprovalMode } from '../permissions/defaultRuleset';
import type { WorkMode } from '../permissions/workMode';
import type { Effort } from '../llm/model';
import type { UserInput } from '../messages/message';
import type { RunMetadata } from '../tools/hiddenContext';
import type { Resources } from '../tools/resources';
import type { RunLimits } from './stopConditions';

/** What is asked of an agent. */
export interface RunRequest {
  sessionId: string;
  /** What the person said; absent to go on with a run that was cut off. */
  input?: string | UserInput;
  /** Name of the agent that answers; absent for the session's own, else the default one. */
  agent?: string;
  /** Name of the role for this message; absent for the session's own. */
  role?: string;
  /** Values of the agent's variables, before those that the session has. */
  variables?: Readonly<Record<string, string>>;
  /** `provider:model`; absent for the session's own, else the engine's default. */
  model?: string;
  /** Names and wildcards of the only tools of the agent that are offered in this run; absent: all of them. */
  tools?: readonly string[];
  /** How long the model may think; absent: what role, agent or settings say, else the model's own. */
  effort?: Effort;
  /** For this run only; absent for the session's own, which may change while it runs. */
  approvalMode?: ApprovalMode;
  /** The same for what the agent may do at all; absent also in the session: what the agent says, else everything. */
  workMode?: WorkMode;
  limits?: RunLimits;
  /** What tools may know and no model; kept with the session, also for its later runs and those of agents that it starts. */
  metadata?: RunMetadata;
  /** The same for things that are no JSON, of this run alone. */
  resources?: Resources;
  /** Has the model name the session after its first exchange, which costs one small request. Default: no. */
  namesSession?: boolean;
  /**
   * True when whoever starts the run keeps what it could not take, as it ended while another process ran in the session.
   * Default: the session keeps it, for the next run.
   */
  callerKeepsInput?: boolean;
  /** Nothing is asked or done: the conversation so far is summed up for the model. */
  compacts?: boolean;
}
