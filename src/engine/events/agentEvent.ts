import * as z from '../../base/zod';
import type { AssistantMessage, Usage, UserMessage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import type { ToolResult } from '../messages/toolCall';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approvalHandler';
import type { WorkMode } from '../permissions/modes';
import type { ToolCategory } from '../permissions/permissionRule';
import { type RunOutcome, runOutcomeSchema } from './runOutcome';

export type AgentState =
  | 'idle'
  | 'thinking'
  | 'waiting-for-approval'
  | 'waiting-for-answer'
  | 'running-tool'
  | 'waiting-for-agent'
  /** Another window or process is running in its session. */
  | 'waiting-for-session'
  | 'done'
  | 'failed';

/** Common to all events: sequence number in the run, time, and origin. */
interface EventStamp {
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  runId: string;
  sessionId: string;
  /** Names from the run's agent down to the subagent that the event is about. */
  agentPath: readonly string[];
}

/** The settings a run started with. */
export interface RunBeginning {
  model: string;
  /** Absent if it is no longer known. */
  workMode?: WorkMode;
}

/** An event of a run. Plain data; types name the subject first. */
export type AgentEventBody =
  | ({ type: 'run-started' } & RunBeginning)
  /** This agent started another one, whose events follow with a longer `agentPath`. */
  | ({ type: 'agent-spawned' } & SpawnedAgent)
  | ({ type: 'agent-finished' } & FinishedAgent)
  /** To-dos are open, so the run continues automatically. */
  | { type: 'auto-continued'; count: number; max: number; open: number }
  | { type: 'skill-loaded'; skill: string }
  | { type: 'skill-unloaded'; skill: string }
  /** The user's message was added to the conversation. */
  | { type: 'message-taken'; message: UserMessage }
  | { type: 'text-delta'; text: string }
  | { type: 'text-finished' }
  | { type: 'thinking-delta'; text: string }
  | { type: 'thinking-finished' }
  /** The model has started to write a call; its `title` and input are not known yet. */
  | { type: 'tool-announced'; callId: string; tool: string; category: ToolCategory }
  /** The call is parsed and will run, possibly after an approval. */
  | { type: 'tool-prepared'; callId: string; tool: string; category: ToolCategory; title: string }
  | { type: 'tool-started'; callId: string }
  | { type: 'tool-progress'; callId: string; chunk: string }
  | { type: 'tool-finished'; result: ToolResult }
  | { type: 'approval-requested'; request: ApprovalRequest }
  | { type: 'approval-answered'; requestId: string; answer: ApprovalAnswer }
  | { type: 'question-asked'; question: Question }
  | { type: 'question-answered'; questionId: string; answer: QuestionAnswer }
  | { type: 'state-changed'; state: AgentState }
  | { type: 'todo-changed'; items: readonly TodoItem[] }
  | {
      type: 'usage-reported';
      /** The model that answered, as `provider:model`. */
      model: string;
      usage: Usage;
      contextWindow: number | null;
      /** Null if unknown. */
      costUsd: number | null;
      /** The request was not part of the conversation, such as a summary, so its usage does not reflect the conversation's length. */
      aside?: true;
    }
  /** A reply of the model is complete and stored. */
  | { type: 'reply-finished'; message: AssistantMessage }
  /** `Engine.sessions.branch(sessionId, { at: id })` returns a session with this state. */
  | { type: 'checkpoint-taken'; id: string; step: CheckpointStep }
  | { type: 'session-compressing' }
  /** The model now sees `text` instead of the earlier messages; the user still sees all of them. */
  | { type: 'session-compressed'; text: string }
  | { type: 'session-renamed'; title: string }
  /** `waitMs`: the model is asked again after this time, and `text` says why. */
  | { type: 'notice'; level: 'info' | 'warning'; text: string; waitMs?: number }
  /** The agent is a graph, which starts or resumes; `graph` is the full text of its file. */
  | { type: 'graph-started'; graphId: string; name: string; resumed: boolean }
  | { type: 'node-started'; graphId: string; node: string; step: number }
  /** A map node has collected this many of its items. */
  | { type: 'node-progress'; graphId: string; node: string; done: number; items: number }
  | ({ type: 'node-finished'; graphId: string } & FinishedNode)
  | { type: 'run-finished'; outcome: RunOutcome; durationMs: number };

export type AgentEvent = EventStamp & AgentEventBody;

/** The result of a graph node. Built on first use. */
export const finishedNodeSchema = z.lazy(() =>
  z.object({
    node: z.string(),
    step: z.number(),
    durationMs: z.number(),
    /** The nodes that follow. */
    targets: z.array(z.string()),
    tokens: z.number(),
    costUsd: z.number(),
    /** Why the node failed. */
    failure: z.exactOptional(z.string()),
    /** The session of the agent that worked on it. */
    childSessionId: z.exactOptional(z.string()),
  }),
);
export type FinishedNode = z.infer<typeof finishedNodeSchema>;

/** An agent started by another one. */
export const spawnedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    agent: z.string(),
    childSessionId: z.string(),
    /** The call that started it; null if a task did. */
    callId: z.nullable(z.string()),
    task: z.string(),
  }),
);
export type SpawnedAgent = z.infer<typeof spawnedAgentSchema>;

/** The result of an agent started by another one. Cost and work include those of the agents that it started. */
export const finishedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    outcome: runOutcomeSchema,
    durationMs: z.number(),
    tokens: z.number(),
    costUsd: z.number(),
    /** Part of the cost is unknown, so the total is more than `costUsd`. */
    unpriced: z.exactOptional(z.literal(true)),
    commands: z._default(z.int(), 0),
    /** Lines added and removed per file, over all edits; paths are relative to the workspace. */
    files: z._default(z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })), []),
  }),
);
export type FinishedAgent = z.infer<typeof finishedAgentSchema>;
export type AgentWork = Pick<FinishedAgent, 'commands' | 'files'>;

/** The points in a run where a checkpoint is taken. */
const CHECKPOINT_STEPS = ['after-input', 'before-model', 'before-tools', 'after-tools'] as const;
export type CheckpointStep = (typeof CHECKPOINT_STEPS)[number];

/** Returns the id of the point after an entry of a history. Derived, so nothing needs to be stored for it. */
export function checkpointId(entryId: string, step: CheckpointStep): string {
  return `${entryId}:${step}`;
}

/** Returns the entry id in a checkpoint id; undefined for any other text. */
export function entryOfCheckpoint(id: string): string | undefined {
  return CHECKPOINT_STEPS.flatMap((step) => (id.endsWith(`:${step}`) ? [id.slice(0, -step.length - 1)] : []))[0];
}

/** A question of an agent to the user. */
export interface Question {
  id: string;
  sessionId: string;
  callId: string;
  agent: string;
  question: string;
  kind: QuestionKind;
  /** The options of a choice or checkbox question. */
  options: readonly string[];
  /** The MCP server that asks through the agent; only the user can answer it. */
  server?: string;
}

/** `choice`: one of the options, or free text. `checkbox`: any number of the options. `confirm`: yes or no. `input`: free text. */
export type QuestionKind = 'choice' | 'checkbox' | 'confirm' | 'input';

/** The user's answer, or that nobody is available. `texts` has exactly one element except for a checkbox question. */
export type QuestionAnswer = { kind: 'answered'; texts: readonly string[] } | { kind: 'nobody' };

/** Asks the user. Rejects only with AbortError. */
export interface UserPrompter {
  /** True if nobody can ever answer; agents are then not offered the tools that ask. */
  readonly isNobody?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}
