import { type Disposable, Emitter } from '../../src/base/disposable';
import { errorText } from '../../src/base/errors';

/** The last failed request, shown above the composer until it is dismissed or a request succeeds. */
export class FailureLog implements Disposable {
  private readonly changes = new Emitter<undefined>((error) => reportError(error));
  /** One sentence, or null. */
  current: string | null = null;

  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Records a failure. `what` starts the sentence: "The message could not be sent". */
  add(what: string, error: unknown): void {
    this.current = `${what}. ${errorText(error)}`;
    this.changes.emit(undefined);
  }

  clear(): void {
    if (this.current === null) return;
    this.current = null;
    this.changes.emit(undefined);
  }

  /** Waits for the request and resolves to true if it succeeded. A failure is shown instead of thrown. */
  async watch(what: string, request: Promise<unknown>): Promise<boolean> {
    try {
      await request;
      this.clear();
      return true;
    } catch (error) {
      this.add(what, error);
      return false;
    }
  }

  dispose(): void {
    this.changes.dispose();
  }
}
