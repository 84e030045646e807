import { type Disposable, onDispose } from './disposable';

/** Notifies any number of listeners. One that throws never affects the others: its error goes to `onListenerError`. */
export class Emitter<T> implements Disposable {
  private listeners = new Set<(value: T) => void>();

  constructor(private readonly onListenerError: (error: unknown) => void) {}

  on(listener: (value: T) => void): Disposable {
    // Wrapped, so that the same function can be added twice and removed once.
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
