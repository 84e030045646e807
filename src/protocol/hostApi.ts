import * as z from 'zod/mini';
import type { ChatState } from './chatState';
import { PANEL_COMMANDS } from './commands';
import { type ContextItem, contextItem, MAX_PINNED, type MessageItem, messageItems } from './messageItem';

/**
 * Every request the panel may make. The schemas are the contract of the parameters: the host parses with them what
 * arrives, and the types of both sides are inferred from them.
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

export const approvalAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  /** Allows it and adds the rule at this place of `PendingApproval.always`. */
  z.object({ kind: z.literal('always'), option: z.int().check(z.minimum(0)) }),
  z.object({ kind: z.literal('reject'), reason: z.optional(z.string().check(z.maxLength(20_000))) }),
]);
export type ChatApprovalAnswer = z.infer<typeof approvalAnswer>;

export const hostApiParams = {
  /** Attaches the panel to a session; without an id to the one it last showed, else the workspace's newest, else a new one. */
  'chat/open': z.object({ sessionId: z.optional(sessionId) }),
  'session/new': z.object({}),
  'session/list': z.object({}),
  'session/set-favorite': z.object({ sessionId, isFavorite: z.boolean() }),
  'session/rename': z.object({ sessionId, title: z.string().check(z.minLength(1), z.maxLength(200)) }),
  /** The host asks the person first; a panel that shows the session is given another one. */
  'session/delete': session,
  'session/open-in-editor': session,
  /** The files that were changed since a message of the person. */
  'session/changes-since': z.object({ sessionId, entryId: z.string() }),
  /**
   * Goes on in a new session from before a message, with this text in its place; on wish with the files as they were then.
   * Gives the session asked for when the person decided against it.
   */
  'session/branch': z.object({ sessionId, entryId: z.string(), text, restoreFiles: z.boolean() }),
  /** Goes on in a new session that has everything up to the end of this run. */
  'session/branch-after': z.object({ sessionId, runId: z.string() }),
  /** Who answers from now on, or how it behaves; null for nobody's choice. An agent may have a session of its own. */
  'setup/choose': z.object({ sessionId, kind: z.enum(['agent', 'role']), name: z.nullable(name) }),
  'setup/unload-skill': z.object({ sessionId, name }),
  /** All that goes with each message from now on. */
  'setup/pin': z.object({ sessionId, items: z.array(contextItem).check(z.maxLength(MAX_PINNED)) }),
  'run/start': message.check(saysSomething),
  /** Goes on with a run that was cut off. */
  'run/resume': session,
  /** A message for the run under way; the model sees it with its next request. */
  'run/steer': message.check(saysSomething),
  /** Takes back a message that the model has not seen yet. */
  'run/withdraw': z.object({ sessionId, messageId: z.string() }),
  /** Interrupts what the agent does, so that it sees what is queued at once. */
  'run/send-now': session,
  /** What the person may mean by what they typed after `@`. A later search ends an earlier one. */
  'context/search': z.object({ query: z.string().check(z.maxLength(500)) }),
  /** What the person may type after `/` besides the panel's own commands. */
  'commands/list': z.object({}),
  /** What was dropped on the composer, as addresses. */
  'context/from-uris': z.object({ uris: z.array(z.string().check(z.maxLength(4_000))).check(z.maxLength(50)) }),
  /** Has an MCP server write the message of a prompt, once the person gave what it asks for. */
  'prompts/write': z.object({ name: z.string().check(z.maxLength(500)), words: text }),
  /** Has the person give a value to each variable of a resource's address. */
  'context/fill': z.object({ item: contextItem }),
  'run/cancel': session,
  /** Ends one command that runs, and not the run. */
  'run/stop-call': z.object({ sessionId, entryId: z.string() }),
  'approval/answer': z.object({ sessionId, approvalId: z.string(), answer: approvalAnswer }),
  /** Takes a part of the edit, as diffParts counts them, or leaves it out. */
  'approval/choose-part': z.object({
    sessionId,
    approvalId: z.string(),
    part: z.int().check(z.minimum(0)),
    take: z.boolean(),
  }),
  'approval/open-diff': z.object({ sessionId, approvalId: z.string() }),
  /** What a run changed without asking: shown in the editor, kept, or undone. */
  'review/act': z.object({
    sessionId,
    runId: z.string(),
    action: z.enum(['show', 'keep', 'undo']),
  }),
  /** Puts the files back as they were before this message, after the person has confirmed it. */
  'checkpoint/restore': z.object({ sessionId, messageId: z.string() }),
  /** One text, or for a checkbox question the options that were chosen. Of a confirm question "yes" or "no". */
  'question/answer': z.object({
    sessionId,
    questionId: z.string(),
    answers: z.array(z.string().check(z.maxLength(100_000))),
  }),
  /** Shows a run of a graph that is in the session, drawn in an editor tab. */
  'graph/show': z.object({ sessionId, graphId: name }),
  'editor/open-file': z.object({ path: z.string().check(z.minLength(1)), line: z.optional(z.int()) }),
  'editor/open-link': z.object({ url: z.string().check(z.minLength(1)) }),
  'code/insert': z.object({ text }),
  /** Into the file of this path, else into the active editor; the person sees the change first. */
  'code/apply': z.object({ text, path: z.optional(z.string().check(z.minLength(1), z.maxLength(4_000))) }),
  /** Puts it into a terminal; nothing runs before the person says so. */
  'code/run': z.object({ text }),
  /** Goes to a terminal with what a command of the agent writes and wrote. */
  'terminal/show': z.object({ sessionId, entryId: z.string() }),
  'command/run': z.object({ command: z.enum(PANEL_COMMANDS) }),
} as const;

/** Something that `@` finds. */
export interface ContextHit {
  item: ContextItem;
  /** Where it is, or what it holds: a quieter word beside its name. */
  detail: string;
  /** What the person looks at, which is offered before anything is typed. */
  near?: true;
  /** The person is asked for parts of its address before it goes with a message. */
  asks?: true;
}

/** A message that others wrote, to be looked at and sent. */
export interface WrittenMessage {
  text: string;
  /** Base64. */
  pictures: readonly { label: string; mediaType: string; data: string }[];
}

/**
 * A prompt that has a name, or a skill: what follows the name goes with it. Of kind `prompt` it is one of an MCP server, which
 * writes a message.
 */
export interface TypedCommand {
  name: string;
  description: string;
  /** What may follow the name, in words for people. */
  hint: string;
  kind: 'command' | 'skill' | 'prompt';
}

export interface ChatSnapshot {
  /** Number of the last event that is folded into `state`. */
  seq: number;
  state: ChatState;
}

export interface SessionSummary {
  sessionId: string;
  title: string;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  running: boolean;
  /** True when something in it waits for the person, or in a session below it. */
  waiting: boolean;
  /** How the person's first messages begin. */
  opening: string;
  /** Of its own runs and those of the agents below it, as far as prices are known. */
  costUsd: number;
  /** How many files its own runs changed. */
  files: number;
  isFavorite: boolean;
  /** What its run does now: "Running npm test"; null where nobody here follows it. */
  activity: string | null;
  /** The agent that works in it, where another one started that; else null. */
  agent: string | null;
  /** Of the agents that were started in it, in their order. */
  children: readonly SessionSummary[];
}

export interface ChangeSince {
  /** Relative to the workspace where it lies there. */
  path: string;
  /** True when somebody else changed it after the agent did. */
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
  /** Empty when the message was taken back before it was sent. */
  'run/start': { runId: string };
  'run/resume': { runId: string };
  'run/steer': null;
  /** What was sent, so that it can be edited; null when the model has it already. */
  'run/withdraw': { text: string; items: MessageItem[] } | null;
  'run/send-now': null;
  'context/search': ContextHit[];
  'commands/list': TypedCommand[];
  'context/from-uris': ContextItem[];
  /** Null when the person left. */
  'prompts/write': WrittenMessage | null;
  /** Null when the person left. */
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

/** Method → what it takes and gives. */
export type HostApi = {
  [M in keyof typeof hostApiParams]: { params: z.infer<(typeof hostApiParams)[M]>; result: HostApiResults[M] };
};
export type HostMethod = keyof HostApi;

/** One handler for each method; a forgotten one does not compile. */
export type Handlers<M extends HostMethod = HostMethod> = {
  [K in M]: (params: HostApi[K]['params']) => Promise<HostApi[K]['result']>;
};
