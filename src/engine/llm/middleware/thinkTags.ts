import { mappedStream } from '../../../base/streams/mappedStream';
import type { LlmClient, LlmEvent } from '../llmClient';

/** Some hosts leave a model's thinking in its text, between `<think>` and `</think>` at the very beginning. */
export function thinkTags(next: LlmClient): LlmClient {
  return {
    stream(request, signal) {
      const splitter = new ThinkSplitter();
      return mappedStream(
        () => next.stream(request, signal),
        (event) => splitter.split(event),
      );
    },
  };
}

const NAMES = ['think', 'thinking', 'thought'];
const OPENING = /^\s*<(think|thinking|thought)>/;

class ThinkSplitter {
  private state: 'beginning' | 'thinking' | 'after' | 'text' = 'beginning';
  /** Text received but not yet emitted, because it may be part of a tag. */
  private held = '';
  private closing = '';

  split(event: LlmEvent): readonly LlmEvent[] {
    if (event.type === 'text-delta') return this.is('text') ? [event] : [...this.add(event.text)];
    const ends = event.type === 'tool-call-started' || event.type === 'finished' || event.type === 'failed';
    return ends ? [...this.end(), event] : [event];
  }

  private *add(text: string): Generator<LlmEvent> {
    this.held += text;
    if (this.is('beginning')) this.begin();
    if (this.is('thinking')) yield* this.think();
    if (this.is('after')) this.skipBlank();
    if (this.is('text')) yield* this.say();
  }

  private is(state: ThinkSplitter['state']): boolean {
    return this.state === state;
  }

  /** Flushes what is held, since no more of this text comes. */
  private *end(): Generator<LlmEvent> {
    if (this.state === 'thinking') {
      if (this.held !== '') yield { type: 'thinking-delta', text: this.held };
      yield { type: 'thinking-finished' };
      this.held = '';
    }
    this.state = 'text';
    yield* this.say();
  }

  private begin(): void {
    const opening = OPENING.exec(this.held);
    if (opening) {
      this.closing = `</${opening[1] ?? ''}>`;
      this.held = this.held.slice(opening[0].length);
      this.state = 'thinking';
      return;
    }
    const start = this.held.trimStart();
    if (!NAMES.some((name) => `<${name}>`.startsWith(start))) this.state = 'text';
  }

  private *think(): Generator<LlmEvent> {
    const end = this.held.indexOf(this.closing);
    const told = end < 0 ? this.held.length - this.openEnd() : end;
    if (told > 0) yield { type: 'thinking-delta', text: this.held.slice(0, told) };
    this.held = this.held.slice(end < 0 ? told : end + this.closing.length);
    if (end < 0) return;
    yield { type: 'thinking-finished' };
    this.state = 'after';
  }

  /** Returns how many characters at the end of the held text may be the start of the closing tag. */
  private openEnd(): number {
    for (let length = Math.min(this.closing.length - 1, this.held.length); length > 0; length--) {
      if (this.closing.startsWith(this.held.slice(-length))) return length;
    }
    return 0;
  }

  private skipBlank(): void {
    this.held = this.held.trimStart();
    if (this.held !== '') this.state = 'text';
  }

  private *say(): Generator<LlmEvent> {
    if (this.held !== '') yield { type: 'text-delta', text: this.held };
    this.held = '';
  }
}
