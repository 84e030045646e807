import type {
  AgentEntry,
  ApprovalMode,
  ChatEntry,
  ChatSetup,
  ChatUsage,
  FileToReview,
  GraphEntry,
  GraphNodeRow,
  ModelChoice,
  PendingApproval,
  PendingQuestion,
  QueuedMessage,
  RunStatus,
  TodoItem,
  ToolEntry,
  Welcome,
} from './chatState';

/** Fields of a tool's card that can change after it was added. */
export type ToolChanges = Partial<Pick<ToolEntry, 'title' | 'status' | 'startedAt' | 'durationMs' | 'detail'>>;

type GraphChanges = Partial<Pick<GraphEntry, 'status' | 'durationMs'>>;

export type AgentChanges = Partial<
  Pick<AgentEntry, 'status' | 'activity' | 'durationMs' | 'tokens' | 'costUsd' | 'answer'>
>;

/** Everything the host can report about a chat. Plain data, noun first; folded by `reduceChat`. */
export type HostEvent =
  | { type: 'entry-added'; entry: ChatEntry }
  | { type: 'text-appended'; entryId: string; text: string }
  /** A text or thinking entry has finished streaming. */
  | { type: 'text-finished'; entryId: string; durationMs: number | null }
  | { type: 'tool-changed'; entryId: string; changes: ToolChanges }
  | { type: 'tool-output-appended'; entryId: string; text: string }
  | { type: 'agent-changed'; entryId: string; changes: AgentChanges }
  | { type: 'graph-changed'; entryId: string; changes: GraphChanges }
  /** A node started or changed: replaces or adds the row of that node and step. */
  | { type: 'graph-node-changed'; entryId: string; row: GraphNodeRow }
  | { type: 'approval-added'; approval: PendingApproval }
  | { type: 'approval-removed'; approvalId: string }
  /** Parts of a proposed edit were included or excluded, in the card or in the diff. */
  | { type: 'approval-parts-changed'; approvalId: string; leftOut: readonly number[] }
  | { type: 'question-added'; question: PendingQuestion }
  | { type: 'question-removed'; questionId: string }
  | { type: 'queue-changed'; queued: readonly QueuedMessage[] }
  | { type: 'run-changed'; run: RunStatus | null }
  | { type: 'resumable-changed'; canResume: boolean }
  | { type: 'todos-changed'; todos: readonly TodoItem[] }
  | { type: 'title-changed'; title: string }
  | { type: 'setup-changed'; setup: ChatSetup }
  | { type: 'model-changed'; model: ModelChoice }
  | { type: 'approval-mode-changed'; approvalMode: ApprovalMode }
  | { type: 'review-changed'; toReview: readonly FileToReview[] }
  | { type: 'usage-changed'; usage: ChatUsage }
  /** The folder became trusted. */
  | { type: 'welcome-changed'; welcome: Welcome };
