import type { Image } from '../../../messages/attachment';
import { ToolFailure, type ToolOutput } from '../../toolOutput';

const MAX_BYTES = 5_000_000;
const CHUNK = 8192;

/** Returns an image as a tool result; null if the bytes are not an image format that models accept. Throws ToolFailure above 5 MB. */
export function imageOutput(bytes: Uint8Array, shown: string): ToolOutput | null {
  const mediaType = imageType(bytes);
  if (!mediaType) return null;
  const size = sizeText(bytes.length);
  if (bytes.length > MAX_BYTES) {
    throw new ToolFailure(
      'failed',
      `${shown} is a picture of ${size}, and models take at most 5 MB. Make a smaller copy with execute_command.`,
    );
  }
  const text = `${shown} is a picture (${mediaType}, ${size}).`;
  const image: Image = { mediaType, data: base64(bytes) };
  return { text, images: [image], detail: { kind: 'text', text } };
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Detects the image type from the first bytes; undefined if it is not one that models accept. */
function imageType(bytes: Uint8Array): Image['mediaType'] | undefined {
  const begin = String.fromCharCode(...bytes.subarray(0, 12));
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (begin.startsWith('GIF87a') || begin.startsWith('GIF89a')) return 'image/gif';
  if (begin.startsWith('RIFF') && begin.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}
