import { type Attachment, textAttachment } from '../../messages/attachment';
import type { ResourceContents } from './resourceContents';

const MAX_CHARACTERS = 40_000;

/** What a person sends along of a server: its words, as data with their source, and its pictures. */
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
