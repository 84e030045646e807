import { type ImageItem, keptItems, type MessageItem } from '../../src/protocol/messageItem';
import { PictureStore } from './pictureStore';

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
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'kept' &&
    'key' in value &&
    typeof value.key === 'string'
  );
}
