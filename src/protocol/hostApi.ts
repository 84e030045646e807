import * as z from 'zod/mini';
import type { ChatState } from './chatState';
import { PANEL_COMMANDS } from './commands';
import { type ContextItem, contextItem, MAX_PINNED, type MessageItem, messageItems } from './messageItem';

/**
 * Every request the panel can make. The schemas define the parameters: the host parses incoming requests with them, and both
 * sides infer their types from them.
 */
const sessionId = z.string().check(z.minLength(1), z.maxLength(200));
const name = z.string().check(z.minLength(1), z.maxLength(200));
const text = z.string().check(z.maxLength(1_000_000));
const saysSomething = z.refine<{ text: string; items?: MessageItem[] | undefined }>(
  (sent) => sent.text.trim() !== '' || (sent.items ?? []).length > 0,
  'The message is empty',
);
const message = z.object({ sessionId, text, items: z.optional(messageItems) });
const session = z.object({ sessionId });

const approvalAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  /** Allows it and adds the rule at this index of `PendingApproval.always`. */
  z.object({ kind: z.literal('always'), option: z.int().check(z.minimum(0)) }),
  z.object({ kind: z.literal('reject'), reason: z.optional(z.string().check(z.maxLength(20_000))) }),
]);
export type ChatApprovalAnswer = z.infer<typeof approvalAnswer>;

export const hostApiParams = {
  /** Attaches the panel to a session. Without an id: the last one it showed, or else the workspace's newest, or else a new one. */
  'chat/open': z.object({ sessionId: z.optional(sessionId) }),
  'session/new': z.object({}),
  'session/list': z.object({}),
  'session/set-favorite': z.object({ sessionId, isFavorite: z.boolean() }),
  'session/rename': z.object({ sessionId, title: z.string().check(z.minLength(1), z.maxLength(200)) }),
  /** The host asks the user first. A panel that shows the session switches to another one. */
  'session/delete': session,
  'session/open-in-editor': session,
  /** Lists the files changed since a user message. */
  'session/changes-since': z.object({ sessionId, entryId: z.string() }),
  /**
   * Continues in a new session from before a message, with this text in its place and, optionally, the files restored to that
   * point. Returns the requested session itself if the user canceled.
   */
  'session/branch': z.object({ sessionId, entryId: z.string(), text, restoreFiles: z.boolean() }),
  /** Continues in a new session with everything up to the end of this run. */
  'session/branch-after': z.object({ sessionId, runId: z.string() }),
  /** Sets the agent or the role from now on; null clears the choice. An agent may have a session of its own. */
  'setup/choose': z.object({ sessionId, kind: z.enum(['agent', 'role']), name: z.nullable(name) }),
  'setup/unload-skill': z.object({ sessionId, name }),
  /** Replaces the items sent with every message from now on. */
  'setup/pin': z.object({ sessionId, items: z.array(contextItem).check(z.maxLength(MAX_PINNED)) }),
  'run/start': message.check(saysSomething),
  /** Continues an interrupted run. */
  'run/resume': session,
  /** Sends a message to the run in progress; the model sees it with its next request. */
  'run/steer': message.check(saysSomething),
  /** Takes back a message that the model has not seen yet. */
  'run/withdraw': z.object({ sessionId, messageId: z.string() }),
  /** Interrupts the agent's current action so that it sees queued messages immediately. */
  'run/send-now': session,
  /** Searches for what the user may mean after `@`. A new search cancels the previous one. */
  'context/search': z.object({ query: z.string().check(z.maxLength(500)) }),
  /** Lists what the user can type after `/` in addition to the panel's own commands. */
  'commands/list': z.object({}),
  /** Resolves what was dropped on the composer, as URIs. */
  'context/from-uris': z.object({ uris: z.array(z.string().check(z.maxLength(4_000))).check(z.maxLength(50)) }),
  /** Has an MCP server write a prompt's message, after asking the user for its arguments. */
  'prompts/write': z.object({ name: z.string().check(z.maxLength(500)), words: text }),
  /** Asks the user for the variables in a resource's address. */
  'context/fill': z.object({ item: contextItem }),
  'run/cancel': session,
  /** Stops one running command without ending the run. */
  'run/stop-call': z.object({ sessionId, entryId: z.string() }),
  'approval/answer': z.object({ sessionId, approvalId: z.string(), answer: approvalAnswer }),
  /** Includes or excludes a part of the edit, by its index in diffParts. */
  'approval/choose-part': z.object({
    sessionId,
    approvalId: z.string(),
    part: z.int().check(z.minimum(0)),
    take: z.boolean(),
  }),
  'approval/open-diff': z.object({ sessionId, approvalId: z.string() }),
  /** Shows in the editor, keeps, or undoes what a run changed without asking. */
  'review/act': z.object({
    sessionId,
    runId: z.string(),
    action: z.enum(['show', 'keep', 'undo']),
  }),
  /** Restores the files to their state before this message, after the user confirms. */
  'checkpoint/restore': z.object({ sessionId, messageId: z.string() }),
  /** One text, or the chosen options of a checkbox question. For a confirm question "yes" or "no". */
  'question/answer': z.object({
    sessionId,
    questionId: z.string(),
    answers: z.array(z.string().check(z.maxLength(100_000))),
  }),
  /** Opens a run of a graph in the session as a drawing in an editor tab. */
  'graph/show': z.object({ sessionId, graphId: name }),
  'editor/open-file': z.object({ path: z.string().check(z.minLength(1)), line: z.optional(z.int()) }),
  'editor/open-link': z.object({ url: z.string().check(z.minLength(1)) }),
  'code/insert': z.object({ text }),
  /** Applies code to the file at this path, or else to the active editor; the user sees the change first. */
  'code/apply': z.object({ text, path: z.optional(z.string().check(z.minLength(1), z.maxLength(4_000))) }),
  /** Inserts text into a terminal; nothing runs until the user confirms. */
  'code/run': z.object({ text }),
  /** Opens a terminal with the past and future output of a command of the agent. */
  'terminal/show': z.object({ sessionId, entryId: z.string() }),
  'command/run': z.object({ command: z.enum(PANEL_COMMANDS) }),
} as const;

/** A result of an `@` search. */
export interface ContextHit {
  item: ContextItem;
  /** Its location or contents, shown less prominently next to the name. */
  detail: string;
  /** What the user is looking at, which is suggested before anything is typed. */
  near?: true;
  /** The user is asked for parts of its address before it is attached. */
  asks?: true;
}

/** A message written by a server, to be reviewed and sent. */
export interface WrittenMessage {
  text: string;
  /** Base64. */
  pictures: readonly { label: string; mediaType: string; data: string }[];
}

/** A named prompt or a skill; the text after the name goes with it. Kind `prompt` is an MCP server's prompt, which writes a message. */
export interface TypedCommand {
  name: string;
  description: string;
  /** What may follow the name, in the user's language. */
  hint: string;
  kind: 'command' | 'skill' | 'prompt';
}

export interface ChatSnapshot {
  /** Number of the last event included in `state`. */
  seq: number;
  state: ChatState;
}

export interface SessionSummary {
  sessionId: string;
  title: string;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  running: boolean;
  /** True if something in it, or in a session below it, waits for the user. */
  waiting: boolean;
  /** Beginning of the user's first messages. */
  opening: string;
  /** Cost of its runs and those of its child agents, as far as prices are known. */
  costUsd: number;
  /** Number of files changed by its own runs. */
  files: number;
  isFavorite: boolean;
  /** The current activity of its run: "Running npm test"; null if this process does not follow it. */
  activity: string | null;
  /** The agent that works in it, if another agent started that; otherwise null. */
  agent: string | null;
  /** Sessions of the agents started in it, in order. */
  children: readonly SessionSummary[];
}

export interface ChangeSince {
  /** Relative to the workspace if it is inside. */
  path: string;
  /** True if something else changed it after the agent did. */
  changedSince: boolean;
}

interface HostApiResults {
  'chat/open': ChatSnapshot;
  'session/new': ChatSnapshot;
  'session/list': SessionSummary[];
  'session/set-favorite': null;
  'session/rename': null;
  'session/delete': { deleted: boolean };
  'session/open-in-editor': null;
  'session/changes-since': ChangeSince[];
  'session/branch': ChatSnapshot;
  'session/branch-after': ChatSnapshot;
  'setup/choose': null;
  'setup/unload-skill': null;
  'setup/pin': null;
  /** Empty if the message was withdrawn before it was sent. */
  'run/start': { runId: string };
  'run/resume': { runId: string };
  'run/steer': null;
  /** The message, for editing; null if the model has already seen it. */
  'run/withdraw': { text: string; items: MessageItem[] } | null;
  'run/send-now': null;
  'context/search': ContextHit[];
  'commands/list': TypedCommand[];
  'context/from-uris': ContextItem[];
  /** Null if the user canceled. */
  'prompts/write': WrittenMessage | null;
  /** Null if the user canceled. */
  'context/fill': ContextItem | null;
  'run/cancel': null;
  'run/stop-call': null;
  'approval/answer': null;
  'approval/choose-part': null;
  'approval/open-diff': null;
  'review/act': null;
  'checkpoint/restore': null;
  'question/answer': null;
  'graph/show': null;
  'editor/open-file': null;
  'editor/open-link': null;
  'code/insert': null;
  'code/apply': null;
  'code/run': null;
  'terminal/show': null;
  'command/run': null;
}

/** Method → parameters and result. */
export type HostApi = {
  [M in keyof typeof hostApiParams]: { params: z.infer<(typeof hostApiParams)[M]>; result: HostApiResults[M] };
};
export type HostMethod = keyof HostApi;

/** One handler per method; a missing one does not compile. */
export type Handlers<M extends HostMethod = HostMethod> = {
  [K in M]: (params: HostApi[K]['params']) => Promise<HostApi[K]['result']>;
};
