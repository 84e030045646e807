/** Something to let go of. Disposing twice does nothing the second time. */
export interface Disposable {
  dispose(): void;
}

/** A Disposable that runs `action` at most once. */
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

/** Holds Disposables and disposes them together, last first. A late arrival is disposed at once. */
export class DisposableStore implements Disposable {
  private items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Disposes one of them before the others, and lets go of it. */
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
