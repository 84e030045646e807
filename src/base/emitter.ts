import { type Disposable, onDispose } from './disposable';

/** Tells any number of listeners. One that throws never stops the others: its error goes to `onListenerError`. */
export class Emitter<T> implements Disposable {
  private listeners = new Set<(value: T) => void>();

  constructor(private readonly onListenerError: (error: unknown) => void) {}

  on(listener: (value: T) => void): Disposable {
    // A wrapper of its own, so that the same function may listen twice and be removed once.
    const entry = (value: T) => listener(value);
    this.listeners.add(entry);
    return onDispose(() => this.listeners.delete(entry));
  }

  emit(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
