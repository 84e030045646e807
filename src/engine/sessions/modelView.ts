import { type Compaction, compactedView } from '../context/compaction';
import { prunedView } from '../context/prunedView';
import type { Message } from '../messages/message';
import type { SessionEntry } from './sessionEntry';

/** What the model was told of place and skills. */
export interface Told {
  /** When it was told first. */
  time: number;
  agent: string;
  role: string | null;
  /** In its prompt. */
  first: Readonly<Record<string, string>>;
  /** With what was said since. */
  now: Readonly<Record<string, string>>;
}

/** What a model sees of a session, by the marks that stand in its history. */
export class ModelView {
  private compaction: Compaction | undefined;
  private prunedTo: string | undefined;
  private toldFacts: Told | undefined;

  /** Undefined before the first request, and after a compaction, which leaves nothing of what was told. */
  get told(): Told | undefined {
    return this.toldFacts;
  }

  of(messages: readonly Message[]): readonly Message[] {
    return prunedView(compactedView(messages, this.compaction), this.prunedTo);
  }

  /** Sets a mark that was kept. */
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
