import { Deferred } from '../../base/deferred';
import { newId } from '../../base/newId';
import type { UserInput } from '../messages/message';

/** Messages that arrive while a run is under way, waiting for the next request to the model. */
export class Steering {
  private inputs: (UserInput & { id: string })[] = [];
  private arrival = new Deferred<void>();
  private closed = false;

  /** False when nothing is taken any more. */
  send(input: string | UserInput): boolean {
    if (this.closed) return false;
    const given = typeof input === 'string' ? { text: input } : input;
    this.inputs.push({ ...given, id: given.id ?? newId('message') });
    this.arrival.resolve();
    this.arrival = new Deferred();
    return true;
  }

  /** Resolves with the next message. */
  next(): Promise<void> {
    return this.arrival.promise;
  }

  get waiting(): boolean {
    return this.inputs.length > 0;
  }

  /** False when it was taken already. */
  withdraw(id: string): boolean {
    const before = this.inputs.length;
    this.inputs = this.inputs.filter((one) => one.id !== id);
    return this.inputs.length < before;
  }

  /** The one that waits longest; undefined when none does. */
  takeOne(): UserInput | undefined {
    return this.inputs.shift();
  }

  take(): UserInput[] {
    const taken = this.inputs;
    this.inputs = [];
    return taken;
  }

  /** The last look: from now on nothing is accepted, so that nothing comes which nobody would take. */
  close(): UserInput[] {
    this.closed = true;
    return this.take();
  }

  /** The same, unless something waits; then false. */
  closeIfEmpty(): boolean {
    if (!this.waiting) this.closed = true;
    return this.closed;
  }
}
