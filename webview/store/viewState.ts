import { type Disposable, Emitter } from '../../src/base/disposable';
import { type ContextItem, keptItems, type MessageItem, sameItem } from '../../src/protocol/messageItem';
import type { PanelStorage } from '../host';
import { isPictureKey, KeptPictures, type PictureKey } from './keptPictures';

/** The scroll position: the end, or this many pixels below the top of an entry. */
type ScrollAnchor = 'end' | { entryId: string; offset: number };

interface Saved {
  sessionId: string | null;
  anchor: ScrollAnchor;
  /** Unsent text by text box: 'message', or the id of an approval or a question. */
  drafts: Readonly<Record<string, string>>;
  /** Items of the message being typed; keys stand in for images that are being loaded. */
  items: readonly (MessageItem | PictureKey)[];
  /** Cards expanded or collapsed by the user, by entry id. */
  open: Readonly<Record<string, boolean>>;
}

const SAVED_KEYS = ['sessionId', 'anchor', 'drafts', 'items', 'open'] as const;

/** State that belongs to the screen only. Every change is saved, so a reloaded panel looks exactly as before. */
export class ViewState implements Disposable {
  private readonly changes: Emitter<keyof Saved | 'nearby'>;
  private saved: Saved;
  private readonly pictures = new KeptPictures();
  /** Returned text that precedes the message being typed. */
  private returned = '';
  private isDisposed = false;
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

  /** What the user is looking at in the editor and may attach; it is never attached automatically. */
  get nearby(): ContextItem | null {
    return this.seen;
  }

  setNearby(item: ContextItem | null): void {
    this.seen = item;
    this.changes.emit('nearby');
  }

  /** Skips items that are already attached. */
  addItems(items: readonly MessageItem[]): void {
    const fresh = items.filter((item) => !this.items.some((one) => sameItem(one, item)));
    if (fresh.length > 0) this.setItems([...this.items, ...fresh]);
  }

  setItems(items: readonly MessageItem[]): void {
    const lookedUp = this.saved.items.filter((one) => one.kind === 'kept');
    this.setAll([...lookedUp, ...items]);
  }

  /** Inserts unsent text before what is being typed, and after text returned earlier. */
  giveBack(text: string, items: readonly MessageItem[]): void {
    const typed = this.draft('message');
    const front = typed === this.returned || typed.startsWith(`${this.returned}\n`) ? this.returned : '';
    this.returned = joined(front, text);
    this.setDraft('message', joined(this.returned, typed.slice(front.length).replace(/^\n/, '')));
    this.setItems([...items, ...this.items.filter((one) => !items.some((item) => sameItem(one, item)))]);
  }

  /** Whether the user expanded or collapsed a card; undefined if neither. */
  isOpen(key: string): boolean | undefined {
    return this.saved.open[key];
  }

  setOpen(key: string, open: boolean): void {
    this.update({ open: { ...this.saved.open, [key]: open } });
  }

  setAnchor(anchor: ScrollAnchor): void {
    this.update({ anchor });
  }

  /** Another session starts at its end with all cards in their default state; typed text stays. */
  setSession(sessionId: string): void {
    if (sessionId !== this.saved.sessionId) this.update({ sessionId, anchor: 'end', open: {} });
  }

  /** From then on nothing is saved: a closed panel gives back the messages whose answers it will not get, but they were sent. */
  dispose(): void {
    this.isDisposed = true;
    this.changes.dispose();
  }

  private setAll(items: Saved['items']): void {
    this.update({ items });
    this.pictures.follow(items, () => this.write());
  }

  /** Replaces the placeholder with the image. */
  private async lookUp(key: PictureKey): Promise<void> {
    const picture = await this.pictures.find(key);
    this.setAll(this.saved.items.flatMap((one) => (one === key ? (picture ?? []) : [one])));
  }

  private write(): void {
    if (this.isDisposed) return;
    this.storage.write({ ...this.saved, items: this.pictures.stored(this.saved.items) });
  }

  private update(change: Partial<Saved>): void {
    this.saved = { ...this.saved, ...change };
    this.write();
    for (const what of SAVED_KEYS) if (what in change) this.changes.emit(what);
  }
}

/** An older version may have saved a different format, so whatever is invalid is dropped. */
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
