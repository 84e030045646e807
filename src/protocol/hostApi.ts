import * as z from 'zod/mini';
import { type ChatState, PANEL_COMMANDS } from './chatState';

/**
 * Every request the panel may make. The schemas are the contract of the parameters: the host parses with them what
 * arrives, and the types of both sides are inferred from them.
 */
const sessionId = z.string().check(z.minLength(1), z.maxLength(200));
const text = z.string().check(z.minLength(1), z.maxLength(1_000_000));
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
  'run/start': z.object({ sessionId, text }),
  /** Goes on with a run that was cut off. */
  'run/resume': session,
  /** A message for the run under way; the model sees it with its next request. */
  'run/steer': z.object({ sessionId, text }),
  'run/cancel': session,
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
  'editor/open-file': z.object({ path: z.string().check(z.minLength(1)), line: z.optional(z.int()) }),
  'editor/open-link': z.object({ url: z.string().check(z.minLength(1)) }),
  'command/run': z.object({ command: z.enum(PANEL_COMMANDS) }),
} as const;

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
}

interface HostApiResults {
  'chat/open': ChatSnapshot;
  'session/new': ChatSnapshot;
  'session/list': SessionSummary[];
  'run/start': { runId: string };
  'run/resume': { runId: string };
  'run/steer': null;
  'run/cancel': null;
  'approval/answer': null;
  'approval/choose-part': null;
  'approval/open-diff': null;
  'review/act': null;
  'checkpoint/restore': null;
  'question/answer': null;
  'editor/open-file': null;
  'editor/open-link': null;
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
