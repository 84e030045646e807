import type { Message } from '../messages/message';

/** A conversation before it is sent to a model. Sizes are in tokens. */
export interface ConversationToFit {
  readonly sessionId: string;
  readonly agent: string;
  /** `provider:model`. */
  readonly model: string;
  /** What the session has for the model, from its last mark on. Each call has its results right behind it. */
  readonly messages: readonly Message[];
  /** What a request may take at all, so that there is room for an answer; less once the model refused one as too long. */
  readonly room: number;
  /** Above this Cairn's own strategy takes something out: a part of `room`, or what the agent wants. */
  readonly limit: number;
  /** Aborts when the run is cancelled or its turn interrupted. */
  readonly signal: AbortSignal;
  /** What a request with these messages takes, with prompt and tools: an estimate, put right by what the provider counted. */
  readonly size: (messages: readonly Message[]) => number;
  /** Fits it by Cairn's own strategy, which may set marks, and gives what is to be sent then. */
  readonly asUsual: () => Promise<readonly Message[]>;
}

/** Set in the session, once; its history stays whole on the disk. */
export type ContextMark =
  /** A summary stands for all before this message, beside what the person said and the to-dos as they stand. */
  | { readonly keptFrom: string; readonly summary: string }
  /** What calls up to and with this message were given and gave is taken out where it is long. */
  | { readonly prunedTo: string };

/** What becomes of a conversation: at least one of the two. */
export interface FittedContext {
  /** Sent this time, instead of what the session has. Kept nowhere. */
  readonly messages?: readonly Message[];
  readonly mark?: ContextMark;
}

/**
 * Decides what a model sees of a conversation; asked before each request of a run, and again when the model refused one as
 * too long. So that vendors find in their caches what was sent before, give the same for the same messages, or set a mark.
 * One that throws, or gives what does not fit, ends the run with the reason `context-strategy`.
 */
export interface ContextStrategy {
  /** Named when it fails. */
  readonly name: string;
  readonly fit: (conversation: ConversationToFit) => FittedContext | Promise<FittedContext>;
}
