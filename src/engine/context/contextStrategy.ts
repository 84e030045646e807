import { EngineError } from '../engineError';
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

/**
 * Keeps the last rounds of a conversation, a round being an answer with the results of its calls, and asks no model for a
 * summary. When there are twice as many all but the last `count` go at once, so that requests begin alike as long as possible;
 * fewer are kept where those do not fit the model. Throws EngineError `invalid-input` unless `count` is a whole number above 0.
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

/** What was said right before an answer belongs to its round. Undefined for the first one: nothing would be left out. */
function beginOfRound(messages: readonly Message[], start: number): Message | undefined {
  let at = start;
  while (messages[at - 1]?.role === 'user') at--;
  return at > 0 ? messages[at] : undefined;
}
