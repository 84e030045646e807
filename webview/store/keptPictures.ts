import { isRecord } from '../../src/base/isRecord';
import { type ImageItem, keptItems, type MessageItem } from '../../src/protocol/messageItem';

/** Stands for a picture that is kept apart. */
export interface PictureKey {
  kind: 'kept';
  key: string;
}

/** Pictures of the message that is being typed: once one is kept apart, only its key is stored with the rest. */
export class KeptPictures {
  private readonly store = new PictureStore();
  private readonly keys = new Map<ImageItem, string>();
  private readonly begun = new Set<ImageItem>();

  /** As it is to be stored now: a picture itself as long as it is kept nowhere else. */
  stored(items: readonly (MessageItem | PictureKey)[]): (MessageItem | PictureKey)[] {
    return items.map((item) => {
      const key = item.kind === 'image' ? this.keys.get(item) : undefined;
      return key === undefined ? item : { kind: 'kept', key };
    });
  }

  /** Keeps the new pictures among these, and lets go of those that are not among them. Told when less is to be stored. */
  follow(items: readonly (MessageItem | PictureKey)[], onKept: () => void): void {
    const pictures = items.filter((item) => item.kind === 'image');
    for (const [picture, key] of this.keys) {
      if (pictures.includes(picture)) continue;
      this.keys.delete(picture);
      this.begun.delete(picture);
      // Left behind it is forgotten in time.
      this.store.delete(key).catch(() => undefined);
    }
    for (const picture of pictures) if (!this.begun.has(picture)) void this.keep(picture, onKept);
  }

  /** The picture of that key; undefined when it is gone. */
  async find({ key }: PictureKey): Promise<ImageItem | undefined> {
    const [item] = keptItems([await this.store.get(key).catch(() => undefined)]);
    if (item?.kind !== 'image') return undefined;
    this.begun.add(item);
    this.keys.set(item, key);
    return item;
  }

  private async keep(picture: ImageItem, onKept: () => void): Promise<void> {
    const key = crypto.randomUUID();
    this.begun.add(picture);
    try {
      await this.store.put(key, picture);
    } catch {
      // Where the browser keeps nothing it is stored with the rest, as slow as that is.
      return;
    }
    this.keys.set(picture, key);
    onKept();
  }
}

export function isPictureKey(value: unknown): value is PictureKey {
  return isRecord(value) && value['kind'] === 'kept' && typeof value['key'] === 'string';
}

const NAME = 'cairn';
const PICTURES = 'pictures';

/** A panel that never came back leaves its pictures behind. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60 * 1_000;

interface Kept {
  item: ImageItem;
  /** Milliseconds since the epoch. */
  time: number;
}

/** Keeps pictures over reloads, apart from what is stored with each letter. All reject when the browser keeps nothing. */
class PictureStore {
  private opened: Promise<IDBDatabase> | undefined;

  /** Resolves when it is on disk. */
  async put(key: string, item: ImageItem): Promise<void> {
    const kept: Kept = { item, time: Date.now() };
    await this.change((pictures) => pictures.put(kept, key));
  }

  async delete(key: string): Promise<void> {
    await this.change((pictures) => pictures.delete(key));
  }

  /** What was kept, unchecked; undefined when it is not there. */
  async get(key: string): Promise<unknown> {
    const database = await this.open();
    const kept: unknown = await answerTo(database.transaction(PICTURES).objectStore(PICTURES).get(key));
    return typeof kept === 'object' && kept !== null && 'item' in kept ? kept.item : undefined;
  }

  private async change(act: (pictures: IDBObjectStore) => void): Promise<void> {
    const transaction = (await this.open()).transaction(PICTURES, 'readwrite');
    act(transaction.objectStore(PICTURES));
    await ended(transaction);
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= openDatabase();
    return this.opened;
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(PICTURES);
  const database = await answerTo(request);
  const transaction = database.transaction(PICTURES, 'readwrite');
  const walk = transaction.objectStore(PICTURES).openCursor();
  walk.onsuccess = () => {
    const cursor = walk.result;
    const kept: unknown = cursor?.value;
    const time = typeof kept === 'object' && kept !== null && 'time' in kept ? Number(kept.time) : 0;
    if (Date.now() - time > FORGOTTEN_MS) cursor?.delete();
    cursor?.continue();
  };
  await ended(transaction);
  return database;
}

function answerTo<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no pictures.'));
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('The browser keeps no pictures.'));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}
