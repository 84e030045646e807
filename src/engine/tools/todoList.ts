import type { TodoItem } from '../messages/todoItem';
import type { ToolOutput } from './toolOutput';

/** The to-dos of one session. `onChange` receives the whole list after each change. */
export class TodoList {
  private list: readonly TodoItem[];

  constructor(
    items: readonly TodoItem[],
    private readonly onChange: (items: readonly TodoItem[]) => void,
  ) {
    this.list = items;
  }

  get items(): readonly TodoItem[] {
    return this.list;
  }

  /** Replaces the list; ids start at 1 again. */
  init(texts: readonly string[]): void {
    this.set(texts.map((text, index) => ({ id: index + 1, text, done: false })));
  }

  /** Like `init`, including what is already done. */
  write(items: readonly Omit<TodoItem, 'id'>[]): void {
    this.set(items.map((item, index) => ({ id: index + 1, ...item })));
  }

  add(text: string): TodoItem {
    const item = { id: Math.max(0, ...this.list.map(({ id }) => id)) + 1, text, done: false };
    this.set([...this.list, item]);
    return item;
  }

  /** Returns undefined if there is no such item. */
  complete(id: number): TodoItem | undefined {
    const item = this.list.find((one) => one.id === id);
    if (!item) return undefined;
    const done = { ...item, done: true };
    this.set(this.list.map((one) => (one.id === id ? done : one)));
    return done;
  }

  /** Adopts a stored list without notifying anyone. */
  load(items: readonly TodoItem[]): void {
    this.list = items;
  }

  clear(): void {
    this.set([]);
  }

  private set(items: readonly TodoItem[]): void {
    this.list = items;
    this.onChange(items);
  }
}

/** Formats the list for a model, one item per line. */
export function todoListText(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The to-do list is empty.';
  return items.map(({ id, text, done }) => `${id}. [${done ? 'x' : ' '}] ${text}`).join('\n');
}

/** Returns the list as a tool result. */
export function todoListOutput(items: readonly TodoItem[]): ToolOutput {
  const text = todoListText(items);
  return { text, detail: { kind: 'text', text } };
}
