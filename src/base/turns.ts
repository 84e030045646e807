import { KeyedTurns } from './keyedTurns';

/** Lets one piece of work go on at a time, in the order in which they came. */
export class Turns {
  private readonly turns = new KeyedTurns();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.turns.take([''], work, signal);
  }
}
