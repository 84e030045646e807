import { KeyedMutex } from './keyedMutex';

/** Lets one piece of work go on at a time, in the order in which they came. */
export class Mutex {
  private readonly keyed = new KeyedMutex();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.keyed.take([''], work, signal);
  }
}
