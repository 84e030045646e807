import { safeLine } from '../../base/shown/safeText';
import { clipEnd } from '../../base/truncate';
import * as z from '../../base/zod';
import { type Attachment, type Image, textAttachment } from '../messages/attachment';
import { imageOutput } from '../tools/files/formats/imageOutput';
import { imageType } from '../tools/files/formats/imageType';
import { ToolFailure } from '../tools/toolOutput';

/** The contents of a resource: text for a model, and images. */
interface ResourceContents {
  readonly text: string;
  readonly images: readonly Image[];
}

/** One part of a resource, or a resource embedded in a tool result. */
export const resourcePart = z.looseObject({
  uri: z.string(),
  text: z.optional(z.nullable(z.string())),
  blob: z.optional(z.nullable(z.string())),
  mimeType: z.optional(z.nullable(z.string())),
});

const answer = z.looseObject({ contents: z.array(z.unknown()) });

const MAX_PARTS = 100;
const MAX_PICTURES = 8;
const MAX_URI = 2000;

/** Throws ToolFailure if the value is not a resource. */
export function readContents(value: unknown, server: string): ResourceContents {
  const { data } = answer.safeParse(value);
  if (!data)
    throw new ToolFailure('failed', `The MCP server ${server} answered with something that is not a resource.`);
  const images: Image[] = [];
  const parts = data.contents.slice(0, MAX_PARTS).map((one) => {
    const part = resourcePart.safeParse(one);
    if (!part.success) return '(a part of an unknown kind)';
    const text = partText(part.data, images);
    return data.contents.length > 1 ? `${clipEnd(safeLine(part.data.uri, MAX_URI), MAX_URI)}:\n${text}` : text;
  });
  const more = data.contents.length - parts.length;
  if (more > 0) parts.push(`(${more} more parts, left out)`);
  return { text: parts.join('\n\n'), images };
}

/** Returns the text for a model; an image is added to `images`. */
export function partText(part: z.infer<typeof resourcePart>, images: Image[]): string {
  if (typeof part.text === 'string') return part.text;
  const bytes = part.blob === null || part.blob === undefined ? undefined : bytesOf(part.blob);
  if (!bytes) return '(nothing readable)';
  return (
    pictureText(bytes, safeLine(part.uri, MAX_URI), images) ??
    writtenText(bytes) ??
    `(bytes${typeOf(part)}, ${bytes.length} of them, not shown)`
  );
}

/** Describes an image, and adds it to `images` if there is room and providers accept it; undefined if the bytes are not an image. */
export function pictureText(bytes: Uint8Array, shown: string, images: Image[]): string | undefined {
  const type = imageType(bytes);
  if (!type) return undefined;
  if (images.length >= MAX_PICTURES) return '(one more picture, left out)';
  try {
    const picture = imageOutput(bytes, type, shown);
    images.push(...(picture.images ?? []));
    return picture.text;
  } catch (error) {
    if (error instanceof ToolFailure) return `(${error.message})`;
    throw error;
  }
}

/** Undefined if the bytes are not text. */
function writtenText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text || '(nothing)';
  } catch {
    return undefined;
  }
}

function typeOf({ mimeType }: z.infer<typeof resourcePart>): string {
  return mimeType ? ` of ${safeLine(mimeType, 100)}` : '';
}

/** Undefined if the text is not base64. */
export function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const MAX_CHARACTERS = 40_000;

/** Converts a resource that the user attaches to a message: its text, as data with its source, and its images. */
export function attachResource(
  { text, images }: ResourceContents,
  { server, uri, label }: { server: string; uri: string; label: string },
): Attachment[] {
  const shown = text.slice(0, MAX_CHARACTERS);
  const isCut = shown.length < text.length;
  const contents = isCut ? `${shown}\n(the rest is left out; mcp_read_resource gives it)` : shown;
  const from = { kind: 'resource' as const, label, ...(isCut && { note: 'The beginning of it' }) };
  return [
    textAttachment(from, `${uri} of the MCP server ${server}`, contents),
    ...images.map((image): Attachment => ({ type: 'image', image, label })),
  ];
}
