/** A resource to release. Disposing it a second time is a no-op. */
export interface Disposable {
  dispose(): void;
}

/** Returns a Disposable that runs `action` at most once. */
export function onDispose(action: () => void): Disposable {
  let pending: (() => void) | undefined = action;
  return {
    dispose() {
      const run = pending;
      pending = undefined;
      run?.();
    },
  };
}

/** Collects Disposables and disposes them together, last first. One that is added after that is disposed immediately. */
export class DisposableStore implements Disposable {
  private items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Disposes one item early and drops it from the store. */
  remove(item: Disposable): void {
    this.items = this.items.filter((one) => one !== item);
    item.dispose();
  }

  dispose(): void {
    this.disposed = true;
    const items = this.items;
    this.items = [];
    for (const item of items.reverse()) item.dispose();
  }
}

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
