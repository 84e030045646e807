import type { Image } from '../../messages/attachment';

/** A picture as a `data:` address. */
export function imageUrl({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}
