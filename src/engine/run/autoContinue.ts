import continuationPrompt from '../../../assets/prompts/continuation.md';
import type { TodoItem } from '../messages/todoItem';
import { todoListText } from '../tools/todoList';

export interface AutoContinueRules {
  on: boolean;
  max: number;
  /** Replaces the built-in prompt. */
  prompt?: string;
}

type NextStep =
  | { kind: 'continue'; text: string; count: number; max: number; open: number }
  /** Open to-dos remain; `text` says why the run ends anyway. */
  | { kind: 'stop'; text: string }
  | { kind: 'done' };

const MOST_SILENCES = 2;

/**
 * Continues automatically while to-dos are open: a limited number of times for each message of the user, and only while there is
 * progress.
 */
export class AutoContinue {
  private count = 0;
  private calls = 0;
  private silences = 0;
  private last: { list: string; calls: number } | undefined;

  constructor(private readonly rules: AutoContinueRules) {}

  /** Starts over, after a new message from the user or when the list was emptied. */
  reset(): void {
    this.count = 0;
    this.last = undefined;
    this.silences = 0;
  }

  /** Counts tool calls as progress. */
  called(calls: number): void {
    this.calls += calls;
    this.silences = 0;
  }

  /** Whether a model that answered nothing is asked again: a few times in a row. */
  breaksSilence(): boolean {
    return this.silences++ < MOST_SILENCES;
  }

  /** Decides what follows an answer without calls. */
  next(todos: readonly TodoItem[]): NextStep {
    const open = todos.filter(({ done }) => !done).length;
    const { on, max } = this.rules;
    if (!on || max === 0 || open === 0) return { kind: 'done' };
    const left = `${open} ${open === 1 ? 'to-do is' : 'to-dos are'} left.`;
    if (this.count >= max)
      return { kind: 'stop', text: `Stopped after continuing automatically ${times(max)}: ${left}` };
    const list = todoListText(todos);
    if (this.last?.list === list && this.last.calls === this.calls) {
      return { kind: 'stop', text: `Stopped because nothing has progressed since the last answer: ${left}` };
    }
    this.last = { list, calls: this.calls };
    this.count++;
    const text = `${(this.rules.prompt ?? continuationPrompt).trim()}\n\n${list}`;
    return { kind: 'continue', text, count: this.count, max, open };
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
