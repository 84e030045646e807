import type { ChatEntry } from '../../src/protocol/chatState';
import { entryText } from './entryText';

/** One place where the text was found: the nth of an entry, from 0. */
export interface Hit {
  entryId: string;
  nth: number;
}

/** Where a pattern stands in all entries of a chat. An entry that did not change is not looked at again. */
export class HitIndex {
  private counts = new WeakMap<ChatEntry, number>();
  /** The entries that have hits, in order. */
  private found: { entryId: string; at: number; count: number; before: number }[] = [];
  private pattern: RegExp | null = null;
  total = 0;

  /** Looks for another pattern. */
  begin(pattern: RegExp | null): void {
    this.pattern = pattern;
    this.counts = new WeakMap();
  }

  read(entries: readonly ChatEntry[]): void {
    this.found = [];
    this.total = 0;
    entries.forEach((entry, at) => {
      const count = this.countIn(entry);
      if (count === 0) return;
      this.found.push({ entryId: entry.id, at, count, before: this.total });
      this.total += count;
    });
  }

  countOf(entryId: string): number {
    return this.found.find((one) => one.entryId === entryId)?.count ?? 0;
  }

  /** Its number among all, from 1; 0 when it is none of them any more. */
  numberOf(hit: Hit | null): number {
    const one = hit && this.found.find(({ entryId }) => entryId === hit.entryId);
    return one && hit.nth < one.count ? one.before + hit.nth + 1 : 0;
  }

  /** The hit of this number, counted round. Null when there is none at all. */
  at(number: number): Hit | null {
    if (this.total === 0) return null;
    const wanted = (number - 1 + this.total) % this.total;
    const one = this.found.findLast(({ before }) => before <= wanted);
    return one ? { entryId: one.entryId, nth: wanted - one.before } : null;
  }

  /** The first hit in the entry of this place or after it, else the first of all. */
  firstFrom(place: number): Hit | null {
    const one = this.found.find(({ at }) => at >= place) ?? this.found[0];
    return one ? { entryId: one.entryId, nth: 0 } : null;
  }

  private countIn(entry: ChatEntry): number {
    const { pattern } = this;
    if (!pattern) return 0;
    const known = this.counts.get(entry);
    if (known !== undefined) return known;
    let count = 0;
    pattern.lastIndex = 0;
    for (const text = entryText(entry); pattern.test(text);) count++;
    this.counts.set(entry, count);
    return count;
  }
}
