import type { Image } from '../../../messages/attachment';
import { ToolFailure, type ToolOutput } from '../../toolOutput';
import { pictureFlaw, sizeText } from './pictureFlaw';

const CHUNK = 8192;

/** Returns an image as a tool result. Throws ToolFailure if a provider would refuse it. */
export function imageOutput(bytes: Uint8Array, mediaType: Image['mediaType'], shown: string): ToolOutput {
  const flaw = pictureFlaw(bytes, mediaType);
  if (flaw !== undefined) throw new ToolFailure('failed', `${shown} is a picture that models cannot take: ${flaw}`);
  const text = `${shown} is a picture (${mediaType}, ${sizeText(bytes.length)}).`;
  const image: Image = { mediaType, data: base64(bytes) };
  return { text, images: [image], detail: { kind: 'text', text } };
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}
