import { Deferred } from '../../base/deferred';
import { newId } from '../../base/newId';
import type { UserInput } from '../messages/message';

/** Queues messages that arrive during a run until the next request to the model. */
export class Steering {
  private inputs: (UserInput & { id: string })[] = [];
  private arrival = new Deferred<void>();
  private closed = false;

  /** Returns false if no more messages are accepted. */
  send(input: string | UserInput): boolean {
    if (this.closed) return false;
    const given = typeof input === 'string' ? { text: input } : input;
    this.inputs.push({ ...given, id: given.id ?? newId('message') });
    this.arrival.resolve();
    this.arrival = new Deferred();
    return true;
  }

  /** Resolves when the next message arrives. */
  next(): Promise<void> {
    return this.arrival.promise;
  }

  get waiting(): boolean {
    return this.inputs.length > 0;
  }

  /** Returns false if it was already taken. */
  withdraw(id: string): boolean {
    const before = this.inputs.length;
    this.inputs = this.inputs.filter((one) => one.id !== id);
    return this.inputs.length < before;
  }

  /** Takes the oldest message, if any. */
  takeOne(): UserInput | undefined {
    return this.inputs.shift();
  }

  take(): UserInput[] {
    const taken = this.inputs;
    this.inputs = [];
    return taken;
  }

  /** Takes what is left and accepts no more messages, so that none arrives too late to be taken. */
  close(): UserInput[] {
    this.closed = true;
    return this.take();
  }

  /** Accepts no more messages, unless some are waiting; then returns false. */
  closeIfEmpty(): boolean {
    if (!this.waiting) this.closed = true;
    return this.closed;
  }
}
