import type { Image } from '../../../messages/image';

/** What kind of picture these bytes are, by how they begin; undefined when they are none that models take. */
export function imageType(bytes: Uint8Array): Image['mediaType'] | undefined {
  const begin = String.fromCharCode(...bytes.subarray(0, 12));
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (begin.startsWith('GIF87a') || begin.startsWith('GIF89a')) return 'image/gif';
  if (begin.startsWith('RIFF') && begin.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}
