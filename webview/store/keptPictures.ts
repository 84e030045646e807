import { isRecord } from '../../src/base/isRecord';
import { type ImageItem, keptItems, type MessageItem } from '../../src/protocol/messageItem';

/** A reference to an image that is stored separately. */
export interface PictureKey {
  kind: 'kept';
  key: string;
}

/** Images of the message being typed: once an image is stored separately, only its key is saved with the rest. */
export class KeptPictures {
  private readonly store = new PictureStore();
  private readonly keys = new Map<ImageItem, string>();
  private readonly begun = new Set<ImageItem>();

  /** Returns the items as they should be saved now: images not stored separately yet are included as they are. */
  stored(items: readonly (MessageItem | PictureKey)[]): (MessageItem | PictureKey)[] {
    return items.map((item) => {
      const key = item.kind === 'image' ? this.keys.get(item) : undefined;
      return key === undefined ? item : { kind: 'kept', key };
    });
  }

  /** Stores the new images among these and deletes those that are gone. Calls `onKept` when less needs to be saved. */
  follow(items: readonly (MessageItem | PictureKey)[], onKept: () => void): void {
    const pictures = items.filter((item) => item.kind === 'image');
    for (const [picture, key] of this.keys) {
      if (pictures.includes(picture)) continue;
      this.keys.delete(picture);
      this.begun.delete(picture);
      // An image that is left behind expires eventually.
      this.store.delete(key).catch(() => undefined);
    }
    for (const picture of pictures) if (!this.begun.has(picture)) void this.keep(picture, onKept);
  }

  /** Returns the image for a key; undefined if it is gone. */
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
      // Without browser storage the image is saved with the rest, even though that is slow.
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

/** Expiration of images left by panels that never returned. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60 * 1_000;

interface Kept {
  item: ImageItem;
  /** Milliseconds since the epoch. */
  time: number;
}

/** Stores images across reloads, apart from what is saved on each keystroke. All methods reject if the browser has no storage. */
class PictureStore {
  private opened: Promise<IDBDatabase> | undefined;

  /** Resolves once it is on disk. */
  async put(key: string, item: ImageItem): Promise<void> {
    const kept: Kept = { item, time: Date.now() };
    await this.change((pictures) => pictures.put(kept, key));
  }

  async delete(key: string): Promise<void> {
    await this.change((pictures) => pictures.delete(key));
  }

  /** Returns what was stored, unchecked; undefined if there is nothing. */
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
