import type { ImageItem } from '../../src/protocol/messageItem';

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
export class PictureStore {
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
