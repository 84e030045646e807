import type { Image } from '../../../messages/image';
import type { ToolOutput } from '../../toolOutput';
import { ToolFailure } from '../../toolFailure';
import { imageType } from './imageType';

const MAX_BYTES = 5_000_000;
const CHUNK = 8192;

/** A picture as the result of a tool; null when the bytes are none that models take. Over 5 MB it is refused. */
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
