/**
 * The state of a chat panel, as plain data. Host and panel both fold every HostEvent into it with `reduceChat`, so a panel can be
 * discarded and rebuilt at any time.
 */
import type { PanelCommand } from './commands';
import type { ContextItem } from './messageItem';

export interface ChatState {
  sessionId: string;
  title: string;
  entries: readonly ChatEntry[];
  /** The run in progress; null when the agent is idle. */
  run: RunStatus | null;
  /** True if the last run was interrupted (crash, reload, broken stream) and `run/resume` can continue it. */
  canResume: boolean;
  approvals: readonly PendingApproval[];
  questions: readonly PendingQuestion[];
  /** Messages that the current run has not picked up yet, oldest first. */
  queued: readonly QueuedMessage[];
  todos: readonly TodoItem[];
  setup: ChatSetup;
  model: ModelChoice;
  approvalMode: ApprovalMode;
  /** Changes that were applied without asking and that the user has neither kept nor undone. */
  toReview: readonly FileToReview[];
  usage: ChatUsage;
  welcome: Welcome;
}

/** Display form of an item sent with a message. */
export interface SentItem {
  kind: ContextItem['kind'] | 'input' | 'command' | 'image';
  label: string;
  /** Something the user should know about it; null if there is nothing. */
  note: string | null;
  /** For images: a `data:` URL. */
  thumbnail: string | null;
}

export interface QueuedMessage {
  id: string;
  text: string;
  items: readonly SentItem[];
}

export type ChatEntry =
  UserEntry | TextEntry | ThinkingEntry | ToolEntry | AgentEntry | GraphEntry | NoticeEntry | TurnEntry;

interface EntryBase {
  /** Unique in the session; stable across reloads. */
  id: string;
}

export interface UserEntry extends EntryBase {
  kind: 'user';
  text: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** True if it was sent during a run. */
  steering: boolean;
  items: readonly SentItem[];
}

export interface TextEntry extends EntryBase {
  kind: 'text';
  /** The agent's name, shown as the heading of the turn. */
  agent: string;
  /** Markdown. */
  text: string;
  streaming: boolean;
}

export interface ThinkingEntry extends EntryBase {
  kind: 'thinking';
  text: string;
  streaming: boolean;
  durationMs: number | null;
}

type ToolCategory = 'read' | 'write' | 'execute' | 'network' | 'agent' | 'user';

export type ToolStatus = 'preparing' | 'waiting' | 'running' | 'ok' | 'error' | 'rejected' | 'cancelled';

export interface ToolEntry extends EntryBase {
  kind: 'tool';
  tool: string;
  category: ToolCategory;
  /** Its effects are shown elsewhere, so it gets its own line only if it failed. */
  quiet?: true;
  /** Why it failed is worded by Cairn and may end with advice for the model. */
  advises?: true;
  /** It runs a program with a name and arguments of its own instead of a shell line. */
  isScript?: true;
  /** How consecutive calls are summarized in one line; absent if the tool does not specify it. */
  counted?: 'file' | 'search' | 'list' | 'page' | 'other';
  /** The card's one-line title: "Read src/date.ts 1–40". */
  title: string;
  status: ToolStatus;
  /** When it started running, in milliseconds since the epoch; null before. */
  startedAt: number | null;
  durationMs: number | null;
  /** The end of the live output while it runs. */
  output: string;
  detail: ToolDetail | null;
}

/** The contents of an expanded card. */
export type ToolDetail =
  /** `background`: id of the command started in the background. `repeated`: not run, because the same call had the same result before. */
  | { kind: 'text'; text: string; background?: string; repeated?: true }
  | { kind: 'file'; path: string; firstLine: number; lastLine: number; text: string }
  /** `leftOut`: the diff from what was written to what had been proposed, if the user changed it. */
  | { kind: 'change'; diff: FileDiff; leftOut?: FileDiff }
  | {
      kind: 'command';
      command: string;
      output: string;
      exitCode: number | null;
      signal: string | null;
      timedOut: boolean;
      /** Path of the complete output if it was too long to show. */
      outputPath: string | null;
    };

export interface FileDiff {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  /** True if the file did not exist before. */
  created: boolean;
  added: number;
  removed: number;
  hunks: readonly DiffHunk[];
}

interface DiffHunk {
  /** First line on each side, 1-based. */
  oldStart: number;
  newStart: number;
  /** Each line starts with ' ', '+' or '-'. */
  lines: readonly string[];
}

/** An agent started by the chat's agent. What its own child agents do counts as its own. */
export interface AgentEntry extends EntryBase {
  kind: 'agent';
  agent: string;
  /** The session with its complete transcript. */
  sessionId: string;
  /** The task it was given. */
  task: string;
  status: 'running' | TurnEntry['outcome'];
  /** Its current activity: "Read src/date.ts". Empty when unknown and after the end. */
  activity: string;
  startedAt: number;
  durationMs: number | null;
  tokens: number;
  /** In USD; 0 while unknown. */
  costUsd: number;
  /** Its final answer, as Markdown, or why it failed; null before. */
  answer: string | null;
}

/** The graph run by a graph agent, with what its nodes did. */
export interface GraphEntry extends EntryBase {
  kind: 'graph';
  /** Id of the graph's run. */
  graphId: string;
  name: string;
  status: 'running' | TurnEntry['outcome'];
  startedAt: number;
  durationMs: number | null;
  /** In the order they started. */
  nodes: readonly GraphNodeRow[];
}

/** One execution of a node. */
export interface GraphNodeRow {
  node: string;
  /** 0-based; nodes of the same step run in parallel. */
  step: number;
  status: 'running' | 'done' | 'failed';
  startedAt: number;
  durationMs: number | null;
  tokens: number;
  costUsd: number;
  /** For a map: the number of finished items. */
  items: { done: number; of: number } | null;
  /** Where it continues, or why it failed. */
  note: string;
  /** The session with the transcript of the agent that worked on it. */
  sessionId: string | null;
}

export interface NoticeEntry extends EntryBase {
  kind: 'notice';
  /** `quiet`: requires no action by the user. */
  level: 'quiet' | 'info' | 'warning' | 'error';
  /** What happened and why. */
  text: string;
  /** What the user can do about it, shown as a button. */
  action: NoticeAction | null;
  /** More details, shown on demand. */
  detail?: { title: string; text: string };
}

export type NoticeAction = { label: string; command: PanelCommand } | { label: string; resume: true };

/** A file changed without asking, with what is left to review. */
export interface FileToReview {
  /** The last run that changed it. */
  runId: string;
  /** Relative to the workspace, with forward slashes. */
  path: string;
  added: number;
  removed: number;
}

/** The end of a turn, summarizing it at a glance. */
export interface TurnEntry extends EntryBase {
  kind: 'turn';
  runId: string;
  /** The user message that started it; null if unknown. */
  messageId: string | null;
  outcome: 'completed' | 'cancelled' | 'paused' | 'limit-reached' | 'rejected' | 'failed' | 'interrupted';
  /** The mode at its start; null if unknown. */
  mode: WorkMode | null;
  durationMs: number;
  inputTokens: number;
  outputTokens: number;
  commands: number;
  files: readonly { path: string; added: number; removed: number }[];
}

export interface RunStatus {
  runId: string;
  agent: string;
  startedAt: number;
  state: 'thinking' | 'answering' | 'running-tool' | 'waiting-for-approval' | 'waiting-for-answer' | 'stopping';
  /** What it is doing or waiting for, for the status line: "Running npm test". Empty: derive it from `state`. */
  activity: string;
  /** When a request is sent again that could not be answered, in milliseconds since the epoch. Afterwards it says nothing. */
  retryAt?: number;
}

export interface PendingApproval {
  approvalId: string;
  /** The tool entry it belongs to; for a started agent, that agent's entry. */
  entryId: string;
  agent: string;
  tool: string;
  category: ToolCategory;
  /** What is being asked, as one line. */
  title: string;
  /** The rule, with its scope, that caused the question, as one sentence. */
  reason: string;
  /** True if only the approval mode asks, so that the reason is shown only on request. */
  usual: boolean;
  /** For edits. */
  diff: FileDiff | null;
  /** The parts of `diff` (see diffParts) that the user excluded. */
  leftOut: readonly number[];
  /** Tool entries of the edits requested at the same time, in order; just one if it is alone. */
  together: readonly string[];
  /** For commands. */
  command: string | null;
  /** The rules that "always" can add, narrowest first. */
  always: readonly AlwaysOption[];
}

export interface AlwaysOption {
  /** How long and how broadly the rule applies. */
  scope: 'session' | 'workspace' | 'user';
  /** The exact rule: "“npm test” with harmless options in this session". */
  label: string;
}

export interface PendingQuestion {
  questionId: string;
  entryId: string;
  agent: string;
  question: string;
  /** `choice`: one option or free text. `checkbox`: any number of options. `confirm`: yes or no. `input`: free text. */
  kind: 'choice' | 'checkbox' | 'confirm' | 'input';
  options: readonly string[];
}

export interface TodoItem {
  id: number;
  text: string;
  done: boolean;
}

/** The mode of an agent: what it can do at all, regardless of approvals. In `ask` and `plan` it only reads. */
export type WorkMode = 'ask' | 'plan' | 'agent';

/** What asks first: everything; edits and commands; commands, with edits reviewed afterwards; commands; nothing. */
export type ApprovalMode = 'everything' | 'edits-and-commands' | 'review-after' | 'commands' | 'nothing';

/** Who answers in a session, and what it uses. */
export interface ChatSetup {
  /** The agent's name. */
  agent: string;
  /** False if it is only the default. */
  isChosen: boolean;
  /** As set in the session, or else by the agent. */
  mode: WorkMode;
  role: string | null;
  /** Names of the loaded skills, in load order. */
  skills: readonly string[];
  /** Sent with every message until unpinned. */
  pinned: readonly ContextItem[];
  /** Conversation starters of the agent, shown before those for the workspace. */
  starters: readonly string[];
  /** The session whose agent started this one, with its title once known; null for a session of the user. */
  parent: { sessionId: string; title: string } | null;
}

export interface ModelChoice {
  /** `provider:model`. */
  id: string;
  label: string;
  /** True for the scripted tour, which the panel must indicate. */
  scripted: boolean;
}

export interface ChatUsage {
  inputTokens: number;
  outputTokens: number;
  /** Tokens of the last request, and the size of the model's context window if known. */
  contextTokens: number;
  contextWindow: number | null;
  /** Of the session, in USD; null while a price is unknown. */
  costUsd: number | null;
}

/** Contents of the panel while there are no entries. */
export interface Welcome {
  workspaceName: string | null;
  /** What there is to know about it: "Git repository". */
  project: readonly string[];
  /** Its instruction files, such as "AGENTS.md". */
  instructions: readonly string[];
  starters: readonly string[];
  /** What helps if little can be done here. */
  action?: { label: string; command: PanelCommand };
}

/** Returns the state of a chat in which nothing has happened. */
export function emptyChat(
  session: Pick<ChatState, 'sessionId' | 'setup' | 'model' | 'approvalMode' | 'welcome'>,
): ChatState {
  return {
    title: '',
    entries: [],
    run: null,
    canResume: false,
    approvals: [],
    questions: [],
    queued: [],
    todos: [],
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    toReview: [],
    ...session,
  };
}
