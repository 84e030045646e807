/**
 * What a chat panel shows, as plain data. The host folds every HostEvent into it with `reduceChat`, the panel does the
 * same, and so a panel can be thrown away and rebuilt at any time.
 */
import type { PanelCommand } from './commands';
import type { ContextItem } from './messageItem';

export interface ChatState {
  sessionId: string;
  title: string;
  entries: readonly ChatEntry[];
  /** The run under way, or null when the agent is idle. */
  run: RunStatus | null;
  /** True when the last run was cut off (crash, reload, broken stream) and `run/resume` would go on with it. */
  canResume: boolean;
  approvals: readonly PendingApproval[];
  questions: readonly PendingQuestion[];
  /** Messages that the run under way has not taken yet, oldest first. */
  queued: readonly QueuedMessage[];
  todos: readonly TodoItem[];
  setup: ChatSetup;
  model: ModelChoice;
  approvalMode: ApprovalMode;
  /** Changes that were applied at once and that the person has neither kept nor undone. */
  toReview: readonly FileToReview[];
  usage: ChatUsage;
  welcome: Welcome;
}

/** What went with a message, as it is shown. */
export interface SentItem {
  kind: ContextItem['kind'] | 'input' | 'command' | 'image';
  label: string;
  /** What the person should know of it; null for nothing. */
  note: string | null;
  /** Of a picture: a `data:` address. */
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
  /** Unique in the session; stable over reloads. */
  id: string;
}

export interface UserEntry extends EntryBase {
  kind: 'user';
  text: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** True when it was sent while a run was under way. */
  steering: boolean;
  items: readonly SentItem[];
}

export interface TextEntry extends EntryBase {
  kind: 'text';
  /** The agent's name, shown as heading of the turn. */
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

export type ToolCategory = 'read' | 'write' | 'execute' | 'network' | 'agent' | 'user';

export type ToolStatus = 'preparing' | 'waiting' | 'running' | 'ok' | 'error' | 'rejected' | 'cancelled';

export interface ToolEntry extends EntryBase {
  kind: 'tool';
  tool: string;
  category: ToolCategory;
  /** What it does is shown in another place: only when it went wrong does it have a line of its own. */
  quiet?: true;
  /** It runs a program by a name and arguments of its own, and no line of a shell. */
  isScript?: true;
  /** How several in a row are told of in one line; absent of a tool that says nothing of it. */
  counted?: 'file' | 'search' | 'list' | 'page' | 'other';
  /** One line for the card: "Read src/date.ts 1–40". */
  title: string;
  status: ToolStatus;
  /** When it began to run, milliseconds since the epoch; null before. */
  startedAt: number | null;
  durationMs: number | null;
  /** The tail of the live output while it runs. */
  output: string;
  detail: ToolDetail | null;
}

/** What a card shows when it is opened. */
export type ToolDetail =
  /** `background`: the id of the command that was started there; `repeated`: it was not run, as the same came to the same before. */
  | { kind: 'text'; text: string; background?: string; repeated?: true }
  | { kind: 'file'; path: string; firstLine: number; lastLine: number; text: string }
  /** `leftOut`: from what was written to what had been proposed, where the person made something else of it. */
  | { kind: 'change'; diff: FileDiff; leftOut?: FileDiff }
  | {
      kind: 'command';
      command: string;
      output: string;
      exitCode: number | null;
      signal: string | null;
      timedOut: boolean;
      /** Where the whole output is, when it was too long to show. */
      outputPath: string | null;
    };

export interface FileDiff {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  /** True when the file did not exist before. */
  created: boolean;
  added: number;
  removed: number;
  hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  /** First line on each side, from 1. */
  oldStart: number;
  newStart: number;
  /** Each line begins with ' ', '+' or '-'. */
  lines: readonly string[];
}

/** An agent that the chat's own one started. What those do that it starts itself counts as its own. */
export interface AgentEntry extends EntryBase {
  kind: 'agent';
  agent: string;
  /** Where its whole transcript is. */
  sessionId: string;
  /** What it was told to do. */
  task: string;
  status: 'running' | TurnEntry['outcome'];
  /** What it does now: "Read src/date.ts". Empty when that is not known, and in the end. */
  activity: string;
  startedAt: number;
  durationMs: number | null;
  tokens: number;
  /** In USD; 0 while nothing is known of it. */
  costUsd: number;
  /** What it said in the end, Markdown, or why it failed; null before. */
  answer: string | null;
}

/** The graph that the chat's agent is, and what its nodes did. */
export interface GraphEntry extends EntryBase {
  kind: 'graph';
  /** Of the run of the graph. */
  graphId: string;
  name: string;
  status: 'running' | TurnEntry['outcome'];
  startedAt: number;
  durationMs: number | null;
  /** In the order in which they began. */
  nodes: readonly GraphNodeRow[];
}

/** One time that a node ran. */
export interface GraphNodeRow {
  node: string;
  /** From 0; nodes of the same step run at the same time. */
  step: number;
  status: 'running' | 'done' | 'failed';
  startedAt: number;
  durationMs: number | null;
  tokens: number;
  costUsd: number;
  /** Of a map: so many of its items are done. */
  items: { done: number; of: number } | null;
  /** Where it goes on, or why it failed. */
  note: string;
  /** Where the transcript of the agent is that worked on it. */
  sessionId: string | null;
}

export interface NoticeEntry extends EntryBase {
  kind: 'notice';
  /** `quiet`: nothing that the person has to act on. */
  level: 'quiet' | 'info' | 'warning' | 'error';
  /** What happened and why. */
  text: string;
  /** What the person can do about it, as a button. */
  action: NoticeAction | null;
  /** More to read, which is opened. */
  detail?: { title: string; text: string };
}

export type NoticeAction = { label: string; command: PanelCommand } | { label: string; resume: true };

/** A file that was changed without asking, with what of it is left to review. */
export interface FileToReview {
  /** The run that changed it last. */
  runId: string;
  /** Relative to the workspace, with forward slashes. */
  path: string;
  added: number;
  removed: number;
}

/** The end of a turn, for the one-glance summary. */
export interface TurnEntry extends EntryBase {
  kind: 'turn';
  runId: string;
  /** The person's message that began it; null when that is not known. */
  messageId: string | null;
  outcome: 'completed' | 'cancelled' | 'limit-reached' | 'rejected' | 'failed' | 'interrupted';
  /** In which it began; null when that is not known. */
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
  /** What it is waiting for or doing, as words for the status line: "Running npm test". Empty: say it by `state`. */
  activity: string;
}

export interface PendingApproval {
  approvalId: string;
  /** The tool entry it belongs to; of an agent that was started, the entry of that. */
  entryId: string;
  agent: string;
  tool: string;
  category: ToolCategory;
  /** What is asked, one line. */
  title: string;
  /** Which rule of which scope made it ask, one sentence. */
  reason: string;
  /** True when nothing but the approval mode asks, so that the reason is told only to those who want to know. */
  usual: boolean;
  /** For edits. */
  diff: FileDiff | null;
  /** Of the parts of `diff` (see diffParts), those that the person left out. */
  leftOut: readonly number[];
  /** The tool entries of the edits that were asked for at the same time, in their order; one when it is alone. */
  together: readonly string[];
  /** For commands. */
  command: string | null;
  /** The rules that "always" could add, narrowest first. */
  always: readonly AlwaysOption[];
}

export interface AlwaysOption {
  /** How long and how far the rule holds. */
  scope: 'session' | 'workspace' | 'user';
  /** The exact rule: "“npm test” with harmless options in this session". */
  label: string;
}

export interface PendingQuestion {
  questionId: string;
  entryId: string;
  agent: string;
  question: string;
  /** `choice`: one option or a free answer. `checkbox`: any number of options. `confirm`: yes or no. `input`: free. */
  kind: 'choice' | 'checkbox' | 'confirm' | 'input';
  options: readonly string[];
}

export interface TodoItem {
  id: number;
  text: string;
  done: boolean;
}

/** What is asked before it is done: everything; edits and commands; commands, edits being reviewed after; commands; nothing. */
/** What the agent may do at all, whatever is approved. In `ask` and `plan` it only reads. */
export type WorkMode = 'ask' | 'plan' | 'agent';

export type ApprovalMode = 'everything' | 'edits-and-commands' | 'review-after' | 'commands' | 'nothing';

/** Who answers in a session, and what it was given. */
export interface ChatSetup {
  /** Its name. */
  agent: string;
  /** False: it answers because nobody chose another. */
  isChosen: boolean;
  /** As the session says it, else the agent. */
  mode: WorkMode;
  role: string | null;
  /** Names of the skills that are loaded, in the order of loading. */
  skills: readonly string[];
  /** What goes with each message until it is unpinned. */
  pinned: readonly ContextItem[];
  /** What the agent proposes to begin with, before what fits the workspace. */
  starters: readonly string[];
  /** The session whose agent started this one, with its title once that is known; null for a session of the person. */
  parent: { sessionId: string; title: string } | null;
}

export interface ModelChoice {
  /** `provider:model`. */
  id: string;
  label: string;
  /** True for the scripted tour, which the panel must say. */
  scripted: boolean;
}

export interface ChatUsage {
  inputTokens: number;
  outputTokens: number;
  /** Tokens of the last request, and of the model's window when it is known. */
  contextTokens: number;
  contextWindow: number | null;
  /** Of the session, in USD; null while a price is not known. */
  costUsd: number | null;
}

/** What the panel shows while there are no entries. */
export interface Welcome {
  workspaceName: string | null;
  /** "AGENTS.md", "Git repository": what was found to work with. */
  found: readonly string[];
  starters: readonly string[];
}
