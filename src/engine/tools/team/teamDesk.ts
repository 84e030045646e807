/** How a started agent stands. `interrupted`: the program ended while it worked; its session can be gone on with. */
export type ChildState =
  'running' | 'completed' | 'rejected' | 'cancelled' | 'limit-reached' | 'failed' | 'interrupted';

/** What became of a started agent, in the words of the tools. */
export interface ChildReport {
  id: string;
  agent: string;
  session_id: string;
  state: ChildState;
  /** `Completed`, or `Failed("…")` with the reason. Absent while it runs. */
  exit_status?: string;
  /** Its answer, or a summary of one that is long. */
  output?: string;
  /** The file with the whole answer, where `output` is a summary. */
  full_output?: string;
}

/** A question of a started agent that nobody has answered yet. */
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
  /** A task of the list that this agent works on. */
  taskId?: string;
  /** The session of an earlier agent, which goes on in it. */
  sessionId?: string;
  /** The call that starts it; null when a task did. */
  callId: string | null;
  /** Whoever starts it does nothing but wait for it, and is told its end by that. */
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

/** What a change of the task list set going. */
export interface TaskChange {
  task_id: string;
  warnings: readonly string[];
  /** Tasks that nothing stands before any more and that nobody works on. */
  newly_runnable: readonly { id: string; subject: string }[];
  auto_dispatched: readonly { task_id: string; id: string; agent: string }[];
  /** Tasks that failed because one before them did. */
  failed_dependents: readonly string[];
}

export interface InboxMessage {
  from: string;
  payload: { type: 'text'; content: string };
  /** RFC 3339. */
  timestamp: string;
}

/** What an agent may do with other agents. Every method throws ToolFailure, in words for the model, when it cannot. */
export interface TeamDesk {
  spawn(request: SpawnRequest): Promise<ChildReport>;
  /** Never waits. */
  check(id: string): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }>;
  /** Waits for the end, and not past a question that waits for this agent. */
  collect(id: string, signal: AbortSignal): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }>;
  /** Waits for the end, whatever is asked meanwhile. */
  wait(id: string, signal: AbortSignal): Promise<ChildReport>;
  list(): { active_count: number; max_concurrent: number; agents: readonly ChildReport[] };
  available(): Promise<readonly { name: string; description: string }[]>;
  /** Ends it with everything that it started; resolves when all of it is over. */
  cancel(id: string): Promise<ChildReport>;
  createTask(task: NewTask): Promise<TaskChange>;
  tasks(): readonly TaskView[];
  completeTask(id: string): Promise<TaskChange>;
  failTask(id: string): Promise<TaskChange>;
  send(to: string, message: string): void;
  /** What came since the last look. */
  inbox(): readonly InboxMessage[];
  /** Gives the question that was answered. */
  reply(escalationId: string, reply: string): string;
}
