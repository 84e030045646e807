import type { ToolSpec } from '../llm/llmClient';
import type { Message } from '../messages/message';

/** Characters of ordinary text and code that make a token, taken low so that the estimate errs upwards. */
const CHARACTERS_PER_TOKEN = 3.6;
/** What a vendor counts for the frame around a message. */
const TOKENS_PER_MESSAGE = 6;
const TOKENS_PER_IMAGE = 1_500;

const known = new WeakMap<Message, number>();
const knownTools = new WeakMap<readonly ToolSpec[], number>();

/** A cheap guess at what a request costs. Messages never change, so each is counted once. */
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

/** How much text takes so many tokens. */
export function charactersOf(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}

/** How far the last report moves the correction; a single odd report must not throw it. */
const WEIGHT = 0.5;
const BOUNDS = { lowest: 0.7, highest: 3 };

/** Puts the estimate of one conversation right by what the vendor reports. */
export class TokenGauge {
  private ratio = 1;
  private least: number | undefined;

  /** As many tokens, corrected, were more than the model can read; undefined while it took everything. */
  get tooMany(): number | undefined {
    return this.least === undefined ? undefined : this.correct(this.least);
  }

  /** The estimate as it should be. */
  correct(estimated: number): number {
    return Math.ceil(estimated * this.ratio);
  }

  /** `estimated` without correction, and what the vendor then counted for the same request. */
  report(estimated: number, counted: number): void {
    if (estimated <= 0 || counted <= 0) return;
    const moved = this.ratio + WEIGHT * (counted / estimated - this.ratio);
    this.ratio = Math.min(BOUNDS.highest, Math.max(BOUNDS.lowest, moved));
  }

  /** The model refused what was estimated so, without correction, as too long. */
  refused(estimated: number): void {
    this.least = Math.min(this.least ?? estimated, estimated);
  }
}
