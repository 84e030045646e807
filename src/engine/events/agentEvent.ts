import * as z from '../../base/zod';
import type { AssistantMessage, Usage, UserMessage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import type { ToolResult } from '../messages/toolResult';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approvalHandler';
import type { ToolCategory } from '../permissions/permissionRule';
import type { WorkMode } from '../permissions/workMode';
import type { Question, QuestionAnswer } from './question';
import { type RunOutcome, runOutcomeSchema } from './runOutcome';

export type AgentState =
  | 'idle'
  | 'thinking'
  | 'waiting-for-approval'
  | 'waiting-for-answer'
  | 'running-tool'
  | 'waiting-for-agent'
  /** Another window or process runs in its session. */
  | 'waiting-for-session'
  | 'done'
  | 'failed';

/** On every event: its number in the run, its time, and whose it is. */
export interface EventStamp {
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  runId: string;
  sessionId: string;
  /** Names from the run's agent down to the sub-agent that it happened to. */
  agentPath: readonly string[];
}

/** What a run began with. */
export interface RunBeginning {
  model: string;
  /** Missing when that is not known any more. */
  workMode?: WorkMode;
}

/** What happens in a run. Plain data, noun first. */
export type AgentEventBody =
  | ({ type: 'run-started' } & RunBeginning)
  /** An agent was started by this one; its own events follow with a longer `agentPath`. */
  | ({ type: 'agent-spawned' } & SpawnedAgent)
  | ({ type: 'agent-finished' } & FinishedAgent)
  /** To-dos are open, so the run goes on by itself. */
  | { type: 'auto-continued'; count: number; max: number; open: number }
  | { type: 'skill-loaded'; skill: string }
  | { type: 'skill-unloaded'; skill: string }
  /** The person's message was taken into the conversation. */
  | { type: 'message-taken'; message: UserMessage }
  | { type: 'text-delta'; text: string }
  | { type: 'text-finished' }
  | { type: 'thinking-delta'; text: string }
  | { type: 'thinking-finished' }
  /** The model has begun to write a call; `title` and input are not known yet. */
  | { type: 'tool-announced'; callId: string; tool: string; category: ToolCategory }
  /** The call is parsed; it will run, or wait for approval first. */
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
      /** Which one answered, as `provider:model`. */
      model: string;
      usage: Usage;
      contextWindow: number | null;
      /** Null: not known. */
      costUsd: number | null;
      /** Of a request that is no part of the conversation, such as a summary; it says nothing of how long that is. */
      aside?: true;
    }
  /** An answer of the model is complete and kept. */
  | { type: 'reply-finished'; message: AssistantMessage }
  /** `Engine.sessions.branch(sessionId, { at: id })` gives a session as it is at this moment. */
  | { type: 'checkpoint-taken'; id: string; step: CheckpointStep }
  | { type: 'session-compressing' }
  /** The model sees `text` instead of what was said before; the person still sees all of it. */
  | { type: 'session-compressed'; text: string }
  | { type: 'session-renamed'; title: string }
  | { type: 'notice'; level: 'info' | 'warning'; text: string }
  /** The agent is a graph, which begins, or goes on where it was stopped; `graph` is its whole file. */
  | { type: 'graph-started'; graphId: string; name: string; resumed: boolean }
  | { type: 'node-started'; graphId: string; node: string; step: number }
  /** A map has collected so many of its items. */
  | { type: 'node-progress'; graphId: string; node: string; done: number; items: number }
  | ({ type: 'node-finished'; graphId: string } & FinishedNode)
  | { type: 'run-finished'; outcome: RunOutcome; durationMs: number };

export type AgentEvent = EventStamp & AgentEventBody;

/** What became of a node of a graph. Made when one is read. */
export const finishedNodeSchema = z.lazy(() =>
  z.object({
    node: z.string(),
    step: z.number(),
    durationMs: z.number(),
    /** Where it goes on. */
    targets: z.array(z.string()),
    tokens: z.number(),
    costUsd: z.number(),
    /** Why it failed. */
    failure: z.exactOptional(z.string()),
    /** The session of the agent that worked on it. */
    childSessionId: z.exactOptional(z.string()),
  }),
);
export type FinishedNode = z.infer<typeof finishedNodeSchema>;

/** An agent that another one started. */
export const spawnedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    agent: z.string(),
    childSessionId: z.string(),
    /** The call that started it; null when a task did. */
    callId: z.nullable(z.string()),
    task: z.string(),
  }),
);
export type SpawnedAgent = z.infer<typeof spawnedAgentSchema>;

/** What became of it; what it cost and did counts together with that of the agents that it started. */
export const finishedAgentSchema = z.lazy(() =>
  z.object({
    agentId: z.string(),
    outcome: runOutcomeSchema,
    durationMs: z.number(),
    tokens: z.number(),
    costUsd: z.number(),
    /** What a part of it cost is not known, so the whole cost is more than `costUsd`. */
    unpriced: z.exactOptional(z.literal(true)),
    commands: z._default(z.int(), 0),
    /** The lines of each file by all changes to it; paths are relative to the workspace. */
    files: z._default(z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })), []),
  }),
);
export type FinishedAgent = z.infer<typeof finishedAgentSchema>;
export type AgentWork = Pick<FinishedAgent, 'commands' | 'files'>;

/** Where in a run a checkpoint is. */
const CHECKPOINT_STEPS = ['after-input', 'before-model', 'before-tools', 'after-tools'] as const;
export type CheckpointStep = (typeof CHECKPOINT_STEPS)[number];

/** Names the place behind an entry of a history. That never changes, so nothing needs to be kept for it. */
export function checkpointId(entryId: string, step: CheckpointStep): string {
  return `${entryId}:${step}`;
}

/** The entry that such an id names; undefined for anything else. */
export function entryOfCheckpoint(id: string): string | undefined {
  return CHECKPOINT_STEPS.flatMap((step) => (id.endsWith(`:${step}`) ? [id.slice(0, -step.length - 1)] : []))[0];
}
