import { EngineError } from '../engineError';
import type { Message } from '../messages/message';

/** A conversation before it is sent to a model. Sizes are in tokens. */
export interface ConversationToFit {
  readonly sessionId: string;
  readonly agent: string;
  /** `provider:model`. */
  readonly model: string;
  /** The session's messages for the model, starting from its last mark. Results immediately follow their calls. */
  readonly messages: readonly Message[];
  /** Maximum size of a request that leaves room for an answer; smaller once the model has refused a request as too long. */
  readonly room: number;
  /** Size above which Cairn's own strategy reduces the conversation: a share of `room`, or the agent's setting. */
  readonly limit: number;
  /** Aborts when the run is canceled or its turn interrupted. */
  readonly signal: AbortSignal;
  /** Returns the size of a request with these messages, including prompt and tools: an estimate, corrected by what the provider counted. */
  readonly size: (messages: readonly Message[]) => number;
  /** Applies Cairn's own strategy, which may set marks, and returns the messages to send. */
  readonly asUsual: () => Promise<readonly Message[]>;
}

/** Stored in the session, which keeps its full history on disk. */
export type ContextMark =
  /** Replaces everything before this message by a summary, the user's messages verbatim, and the current to-dos. */
  | { readonly keptFrom: string; readonly summary: string }
  /** Removes the input and output of calls up to and including this message where they are long. */
  | { readonly prunedTo: string };

/** The outcome for a conversation; has at least one of the two fields. */
export interface FittedContext {
  /** Sent this time instead of the session's messages. Not stored. */
  readonly messages?: readonly Message[];
  readonly mark?: ContextMark;
}

/**
 * Decides what a model sees of a conversation. Called before each request of a run, and again when the model refused one as too
 * long. To benefit from the vendor's cache, return the same messages for the same input, or set a mark. If it throws or returns
 * an invalid result, the run ends with the reason `context-strategy`.
 */
export interface ContextStrategy {
  /** Named in the error if it fails. */
  readonly name: string;
  readonly fit: (conversation: ConversationToFit) => FittedContext | Promise<FittedContext>;
}

/**
 * Keeps the last rounds of a conversation without asking a model for a summary; a round is an answer with the results of its
 * calls. Once there are twice as many rounds, all but the last `count` are dropped at once, so that consecutive requests share a
 * prefix for as long as possible; fewer are kept if those do not fit the model. Throws EngineError `invalid-input` unless `count`
 * is a positive whole number.
 */
export function keepLastRounds(count: number): ContextStrategy {
  if (!Number.isInteger(count) || count < 1) {
    const text = `keepLastRounds takes a whole number above 0, and was given ${count}. Say how many rounds are kept.`;
    throw new EngineError('invalid-input', text);
  }
  return {
    name: `keepLastRounds(${count})`,
    fit: (conversation) => lastRounds(conversation, count),
  };
}

function lastRounds({ messages, size, limit }: ConversationToFit, count: number): FittedContext {
  const isTooLong = size(messages) > limit;
  const starts = messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));
  if (starts.length < 2 * count && !isTooLong) return { messages };
  const fitting = starts.slice(-count).find((start) => size(messages.slice(start)) <= limit) ?? starts.at(-1);
  const first = fitting === undefined ? undefined : beginOfRound(messages, fitting);
  if (!first) return { messages };
  return { mark: { keptFrom: first.id, summary: 'What came before the last rounds was left out to save room.' } };
}

/** User messages directly before an answer belong to its round. Returns undefined for the first round, since nothing would be dropped. */
function beginOfRound(messages: readonly Message[], start: number): Message | undefined {
  let at = start;
  while (messages[at - 1]?.role === 'user') at--;
  return at > 0 ? messages[at] : undefined;
}
