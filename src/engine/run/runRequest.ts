import type { Effort } from '../llm/model';
import type { UserInput } from '../messages/message';
import type { ApprovalMode, WorkMode } from '../permissions/modes';
import type { RunMetadata } from '../tools/hiddenContext';
import type { Resources } from '../tools/resources';
import type { RunLimits } from './stopConditions';

/** A request to run an agent. */
export interface RunRequest {
  sessionId: string;
  /** The user's message. Absent: continue a run that was cut off. */
  input?: string | UserInput;
  /** Name of the agent that answers. Absent: the session's own, or else the default agent. */
  agent?: string;
  /** Name of the role for this message. Absent: the session's own. */
  role?: string;
  /** Values of the agent's variables. They override those of the session. */
  variables?: Readonly<Record<string, string>>;
  /** `provider:model`. Absent: that of the role, session, or agent, or else the engine's default. */
  model?: string;
  /** Names and wildcards that restrict which of the agent's tools are offered in this run. Absent: all of them. */
  tools?: readonly string[];
  /** Reasoning effort. Absent: set by the role, agent, or settings, or else the model's default. */
  effort?: Effort;
  /** For this run only. Absent: the session's own, which may change during the run. */
  approvalMode?: ApprovalMode;
  /** For this run only. If also absent in the session: the agent's own mode, or else everything is allowed. */
  workMode?: WorkMode;
  limits?: RunLimits;
  /** Data for tools, hidden from models. Stored with the session, and also available to its later runs and to those of agents it starts. */
  metadata?: RunMetadata;
  /** Values for tools that are not JSON, for this run only. */
  resources?: Resources;
  /** Has the model name the session after its first exchange, which costs one small request. Default: false. */
  namesSession?: boolean;
  /** A session without a model of its own keeps the default of this run, whatever the default becomes. Default: false. */
  keepsModel?: boolean;
  /**
   * True if the caller keeps a message that the run could not take because it ended while another process was running in the
   * session. Default: the session keeps it for the next run.
   */
  callerKeepsInput?: boolean;
  /**
   * The run of a graph agent to continue, without `input`; `isRetry`: it was just created by a retry, so it may start although the
   * session has later ones. Absent: the latest of the session.
   */
  graphRun?: { readonly id: string; readonly isRetry: boolean };
  /** Only summarizes the conversation so far for the model; nothing is asked or done. */
  compacts?: boolean;
}
