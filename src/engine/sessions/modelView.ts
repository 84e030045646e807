import { type Compaction, compactedView } from '../context/compaction';
import { prunedView } from '../context/prunedView';
import type { Message } from '../messages/message';
import type { SessionEntry } from './sessionEntry';

/** What the model was told about its environment and skills. */
export interface Told {
  /** When it was first told. */
  time: number;
  agent: string;
  role: string | null;
  /** The facts in its prompt. */
  first: Readonly<Record<string, string>>;
  /** The facts including later changes. */
  now: Readonly<Record<string, string>>;
}

/** A session as the model sees it, according to the marks in its history. */
export class ModelView {
  private compaction: Compaction | undefined;
  private prunedTo: string | undefined;
  private toldFacts: Told | undefined;

  /** Undefined before the first request and after a compaction, which removes what was told. */
  get told(): Told | undefined {
    return this.toldFacts;
  }

  of(messages: readonly Message[]): readonly Message[] {
    return prunedView(compactedView(messages, this.compaction), this.prunedTo);
  }

  /** Applies a stored mark. */
  mark(entry: Extract<SessionEntry, { type: 'compacted' | 'pruned' | 'told' }>): void {
    switch (entry.type) {
      case 'compacted':
        this.compaction = entry;
        this.toldFacts = undefined;
        break;
      case 'pruned':
        this.prunedTo = entry.upTo;
        break;
      case 'told': {
        const { time, agent, role, facts: now } = entry;
        if (entry.begins) this.toldFacts = { time, agent, role, first: now, now };
        else if (this.toldFacts) this.toldFacts = { ...this.toldFacts, now };
      }
    }
  }
}
