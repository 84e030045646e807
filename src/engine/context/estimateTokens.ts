import type { ToolSpec } from '../llm/llmClient';
import type { Message } from '../messages/message';

/** Characters of ordinary text and code per token; deliberately low, so that the estimate errs upward. */
const CHARACTERS_PER_TOKEN = 3.6;
/** Overhead that vendors count per message. */
const TOKENS_PER_MESSAGE = 6;
const TOKENS_PER_IMAGE = 1_500;

const known = new WeakMap<Message, number>();
const knownTools = new WeakMap<readonly ToolSpec[], number>();

/** Estimates the size of a request cheaply. Messages are immutable, so each is counted once. */
export function estimateRequest(system: string, tools: readonly ToolSpec[], messages: readonly Message[]): number {
  return estimateText(system) + estimateTools(tools) + estimateMessages(messages);
}

export function estimateMessages(messages: readonly Message[]): number {
  let tokens = 0;
  messages.forEach((message) => (tokens += estimateMessage(message)));
  return tokens;
}

export function estimateMessage(message: Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = TOKENS_PER_MESSAGE + countMessage(message);
  known.set(message, tokens);
  return tokens;
}

function estimateTools(tools: readonly ToolSpec[]): number {
  const tokens = knownTools.get(tools) ?? estimateText(JSON.stringify(tools));
  knownTools.set(tools, tokens);
  return tokens;
}

function countMessage(message: Message): number {
  if (message.role === 'tool') {
    return message.results.reduce(
      (sum, { text, images = [] }) => sum + estimateText(text) + images.length * TOKENS_PER_IMAGE,
      0,
    );
  }
  return message.parts.reduce((sum, part) => {
    switch (part.type) {
      case 'text':
      case 'thinking':
        return sum + estimateText(part.text);
      case 'redacted-thinking':
        return sum + estimateText(part.data);
      case 'tool-call':
        return sum + estimateText(part.call.name + part.call.arguments);
      case 'image':
        return sum + TOKENS_PER_IMAGE;
    }
  }, 0);
}

export function estimateText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Returns how many characters fit in so many tokens. */
export function charactersOf(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}

/** Weight of the latest report in the correction; a single outlier must not dominate it. */
const WEIGHT = 0.5;
const BOUNDS = { lowest: 0.7, highest: 3 };

/** Corrects the estimates for one conversation by the counts that the vendor reports. */
export class TokenGauge {
  private ratio = 1;
  private least: number | undefined;

  /** Corrected number of tokens that was more than the model can read; undefined until the model refuses a request. */
  get tooMany(): number | undefined {
    return this.least === undefined ? undefined : this.correct(this.least);
  }

  /** Returns the corrected estimate. */
  correct(estimated: number): number {
    return Math.ceil(estimated * this.ratio);
  }

  /** Takes an uncorrected estimate, and the vendor's count for the same request. */
  report(estimated: number, counted: number): void {
    if (estimated <= 0 || counted <= 0) return;
    const moved = this.ratio + WEIGHT * (counted / estimated - this.ratio);
    this.ratio = Math.min(BOUNDS.highest, Math.max(BOUNDS.lowest, moved));
  }

  /** Records that the model refused a request of this uncorrected estimate as too long. */
  refused(estimated: number): void {
    this.least = Math.min(this.least ?? estimated, estimated);
  }
}
