import continuationPrompt from '../../../assets/prompts/continuation.md';
import type { TodoItem } from '../messages/todoItem';
import { todoListText } from '../tools/todos/todoList';

export interface AutoContinueRules {
  on: boolean;
  max: number;
  /** Said instead of the built-in words. */
  prompt?: string;
}

export type NextStep =
  | { kind: 'continue'; text: string; count: number; max: number; open: number }
  /** To-dos are open, and why it ends all the same. */
  | { kind: 'stop'; text: string }
  | { kind: 'done' };

/** Goes on by itself while to-dos are open: so often for each message of the person, and only while something happens. */
export class AutoContinue {
  private count = 0;
  private calls = 0;
  private last: { list: string; calls: number } | undefined;

  constructor(private readonly rules: AutoContinueRules) {}

  /** A new message of the person, or an emptied list: everything begins anew. */
  reset(): void {
    this.count = 0;
    this.last = undefined;
  }

  /** Tools were called. */
  called(calls: number): void {
    this.calls += calls;
  }

  /** What follows on an answer without calls. */
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
