/** The state of a started agent. `interrupted`: the program ended while the agent worked; its session can be continued. */
export type ChildState =
  'running' | 'completed' | 'rejected' | 'cancelled' | 'limit-reached' | 'failed' | 'interrupted';

/** The outcome of a started agent, in the terms of the tools. */
export interface ChildReport {
  id: string;
  agent: string;
  session_id: string;
  state: ChildState;
  /** `Completed`, or `Failed("…")` with the reason. Absent while it runs. */
  exit_status?: string;
  /** Its answer, or a summary of a long one. */
  output?: string;
  /** The file with the whole answer, if `output` is a summary. */
  full_output?: string;
}

/** A question of a started agent that is still unanswered. */
export interface OpenEscalation {
  escalation_id: string;
  from_agent_id: string;
  from_agent_name: string;
  question: string;
  options?: readonly string[];
}

export interface SpawnRequest {
  agent: string;
  prompt: string;
  /** The task of the list that this agent works on. */
  taskId?: string;
  /** The session of an earlier agent, to continue in. */
  sessionId?: string;
  /** The call that starts it; null if a task did. */
  callId: string | null;
  /** The caller does nothing but wait for the agent, and learns of its end that way. */
  awaited?: boolean;
}

export interface NewTask {
  subject: string;
  description?: string;
  blockedBy: readonly string[];
  agent?: string;
  prompt?: string;
}

export interface TaskView {
  id: string;
  subject: string;
  status: 'pending' | 'blocked' | 'in_progress' | 'completed' | 'failed';
  owner: string | null;
  blocked_by: readonly string[];
  blocks: readonly string[];
  agent?: string;
  prompt?: string;
  output?: string;
}

/** The effects of a change to the task list. */
export interface TaskChange {
  task_id: string;
  warnings: readonly string[];
  /** Tasks that are no longer blocked and have no owner. */
  newly_runnable: readonly { id: string; subject: string }[];
  auto_dispatched: readonly { task_id: string; id: string; agent: string }[];
  /** Tasks that failed because one that they depend on did. */
  failed_dependents: readonly string[];
}

export interface InboxMessage {
  from: string;
  payload: { type: 'text'; content: string };
  /** RFC 3339. */
  timestamp: string;
}

/** The operations of an agent on other agents. On failure, every method throws ToolFailure, worded for the model. */
export interface TeamDesk {
  spawn(request: SpawnRequest): Promise<ChildReport>;
  /** Never waits. */
  check(id: string): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }>;
  /** Waits for the end, or until a question needs this agent's answer. */
  collect(id: string, signal: AbortSignal): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }>;
  /** Waits for the end, whatever is asked in the meantime. */
  wait(id: string, signal: AbortSignal): Promise<ChildReport>;
  list(): { active_count: number; max_concurrent: number; agents: readonly ChildReport[] };
  available(): Promise<readonly { name: string; description: string }[]>;
  /** Ends the agent and everything that it started; resolves once all of it has ended. */
  cancel(id: string): Promise<ChildReport>;
  createTask(task: NewTask): Promise<TaskChange>;
  tasks(): readonly TaskView[];
  completeTask(id: string): Promise<TaskChange>;
  failTask(id: string): Promise<TaskChange>;
  send(to: string, message: string): void;
  /** Returns what arrived since the last call. */
  inbox(): readonly InboxMessage[];
  /** Returns the question that was answered. */
  reply(escalationId: string, reply: string): string;
}
