import type { Image } from '../../../messages/attachment';
import type { ToolOutput } from '../../toolOutput';

/** Detects the image type from the first bytes; undefined if it is not one that models accept. */
export function imageType(bytes: Uint8Array): Image['mediaType'] | undefined {
  const begin = String.fromCharCode(...bytes.subarray(0, 12));
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (begin.startsWith('GIF87a') || begin.startsWith('GIF89a')) return 'image/gif';
  if (begin.startsWith('RIFF') && begin.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}

/**
 * Returns an image as a tool result; null if the bytes are not an image format that models accept. Throws ToolFailure if a provider
 * would refuse this one.
 */
export async function readImage(bytes: Uint8Array, shown: string): Promise<ToolOutput | null> {
  const mediaType = imageType(bytes);
  return mediaType ? (await import('./imageOutput')).imageOutput(bytes, mediaType, shown) : null;
}
