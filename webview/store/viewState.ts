import type { Disposable } from '../../src/base/disposable';
import { Emitter } from '../../src/base/emitter';
import { type ContextItem, keptItems, type MessageItem, sameItem } from '../../src/protocol/messageItem';
import type { PanelStorage } from '../host';
import { isPictureKey, KeptPictures, type PictureKey } from './keptPictures';

/** Where the person reads: at the end, or this many pixels below the top of an entry. */
export type ScrollAnchor = 'end' | { entryId: string; offset: number };

interface Saved {
  sessionId: string | null;
  anchor: ScrollAnchor;
  /** What is half typed, by text box: 'message', or the id of an approval or a question. */
  drafts: Readonly<Record<string, string>>;
  /** What goes with the message that is being typed; keys stand for pictures that are being looked up. */
  items: readonly (MessageItem | PictureKey)[];
  /** Cards that were opened or closed by hand, by entry id. */
  open: Readonly<Record<string, boolean>>;
}

const SAVED_KEYS = ['sessionId', 'anchor', 'drafts', 'items', 'open'] as const;

/** What only the screen owns. Every change is kept, so a reloaded panel is exactly as it was. */
export class ViewState implements Disposable {
  private readonly changes: Emitter<keyof Saved | 'nearby'>;
  private saved: Saved;
  private readonly pictures = new KeptPictures();
  /** What was given back and stands in front of the message that is being typed. */
  private returned = '';
  private seen: ContextItem | null = null;

  constructor(
    private readonly storage: PanelStorage,
    onListenerError: (error: unknown) => void,
  ) {
    this.changes = new Emitter<keyof Saved | 'nearby'>(onListenerError);
    this.saved = parseSaved(storage.read());
    for (const one of this.saved.items) if (one.kind === 'kept') void this.lookUp(one);
  }

  get sessionId(): string | null {
    return this.saved.sessionId;
  }

  get anchor(): ScrollAnchor {
    return this.saved.anchor;
  }

  onChange(listener: (what: keyof Saved | 'nearby') => void): Disposable {
    return this.changes.on(listener);
  }

  draft(key: string): string {
    return this.saved.drafts[key] ?? '';
  }

  setDraft(key: string, text: string): void {
    if (this.draft(key) === text) return;
    const others = Object.entries(this.saved.drafts).filter(([one]) => one !== key);
    this.update({ drafts: Object.fromEntries(text === '' ? others : [...others, [key, text]]) });
  }

  get items(): readonly MessageItem[] {
    return this.saved.items.filter((one) => one.kind !== 'kept');
  }

  /** What the person looks at in the editor and can add; it never goes along by itself. */
  get nearby(): ContextItem | null {
    return this.seen;
  }

  setNearby(item: ContextItem | null): void {
    this.seen = item;
    this.changes.emit('nearby');
  }

  /** What is there already is not added again. */
  addItems(items: readonly MessageItem[]): void {
    const fresh = items.filter((item) => !this.items.some((one) => sameItem(one, item)));
    if (fresh.length > 0) this.setItems([...this.items, ...fresh]);
  }

  setItems(items: readonly MessageItem[]): void {
    const lookedUp = this.saved.items.filter((one) => one.kind === 'kept');
    this.setAll([...lookedUp, ...items]);
  }

  /** Puts what was not sent in front of what is being typed, and behind what was given back before it. */
  giveBack(text: string, items: readonly MessageItem[]): void {
    const typed = this.draft('message');
    const front = typed === this.returned || typed.startsWith(`${this.returned}\n`) ? this.returned : '';
    this.returned = joined(front, text);
    this.setDraft('message', joined(this.returned, typed.slice(front.length).replace(/^\n/, '')));
    this.setItems([...items, ...this.items.filter((one) => !items.some((item) => sameItem(one, item)))]);
  }

  /** Whether a card was opened or closed by hand; undefined when it was not touched. */
  isOpen(key: string): boolean | undefined {
    return this.saved.open[key];
  }

  setOpen(key: string, open: boolean): void {
    this.update({ open: { ...this.saved.open, [key]: open } });
  }

  setAnchor(anchor: ScrollAnchor): void {
    this.update({ anchor });
  }

  /** Another session begins at its end with all cards as they come; what is typed stays. */
  setSession(sessionId: string): void {
    if (sessionId !== this.saved.sessionId) this.update({ sessionId, anchor: 'end', open: {} });
  }

  dispose(): void {
    this.changes.dispose();
  }

  private setAll(items: Saved['items']): void {
    this.update({ items });
    this.pictures.follow(items, () => this.write());
  }

  /** Puts the picture in the place that was kept for it. */
  private async lookUp(key: PictureKey): Promise<void> {
    const picture = await this.pictures.find(key);
    this.setAll(this.saved.items.flatMap((one) => (one === key ? (picture ?? []) : [one])));
  }

  private write(): void {
    this.storage.write({ ...this.saved, items: this.pictures.stored(this.saved.items) });
  }

  private update(change: Partial<Saved>): void {
    this.saved = { ...this.saved, ...change };
    this.write();
    for (const what of SAVED_KEYS) if (what in change) this.changes.emit(what);
  }
}

/** What an older panel kept may look different: what does not fit is left out. */
function parseSaved(value: unknown): Saved {
  const saved = record(value);
  return {
    sessionId: typeof saved['sessionId'] === 'string' ? saved['sessionId'] : null,
    anchor: parseAnchor(saved['anchor']),
    drafts: pick(saved['drafts'], (one) => typeof one === 'string'),
    items: parseItems(saved['items']),
    open: pick(saved['open'], (one) => typeof one === 'boolean'),
  };
}

function parseItems(value: unknown): Saved['items'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): Saved['items'] => (isPictureKey(one) ? [one] : keptItems([one])));
}

function joined(before: string, after: string): string {
  return before === '' || after === '' ? before + after : `${before}\n${after}`;
}

function parseAnchor(value: unknown): ScrollAnchor {
  const { entryId, offset } = record(value);
  return typeof entryId === 'string' && typeof offset === 'number' ? { entryId, offset } : 'end';
}

function pick<T>(value: unknown, fits: (one: unknown) => one is T): Record<string, T> {
  const found: Record<string, T> = {};
  for (const [key, one] of Object.entries(record(value))) if (fits(one)) found[key] = one;
  return found;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
