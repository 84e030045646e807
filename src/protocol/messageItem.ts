import * as z from 'zod/mini';

const label = z.string().check(z.minLength(1), z.maxLength(500));
const line = z.int().check(z.minimum(1));

/** Something that the user attaches by its location; the host reads it when the message is sent. */
export const contextItem = z.object({
  kind: z.enum([
    'file',
    'folder',
    'symbol',
    'selection',
    'problems',
    'changes',
    'terminal',
    'page',
    'resource',
    'agent',
  ]),
  label,
  /** A path, absolute or relative to the workspace, or the address of a page, a resource or an unsaved document; empty for "all". */
  target: z.string().check(z.maxLength(4_000)),
  /** The relevant lines, inclusive. */
  lines: z.optional(z.object({ first: line, last: line })),
  /** For a resource: the id of its MCP server. */
  server: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  /** Something the user should know, such as that it is too long to send in full. */
  note: z.optional(z.string().check(z.maxLength(500))),
});
const imageItem = z.object({
  kind: z.literal('image'),
  label,
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string().check(z.minLength(1), z.maxLength(8_000_000)),
  /** A small copy for display, as a `data:` URL. */
  thumbnail: z.string().check(z.regex(/^data:image\//), z.maxLength(100_000)),
});

/** Maximum number of items sent with every message of a session. */
export const MAX_PINNED = 10;

const messageItem = z.union([contextItem, imageItem]);
export const messageItems = z.array(messageItem).check(z.maxLength(50));

export type ContextItem = z.infer<typeof contextItem>;
export type ImageItem = z.infer<typeof imageItem>;
/** An item that the user attaches to a message. */
export type MessageItem = z.infer<typeof messageItem>;

/** Whether two items are the same, so that one is redundant in a message. */
export function sameItem(a: MessageItem, b: MessageItem): boolean {
  if (a.kind === 'image' || b.kind === 'image')
    return a.kind === b.kind && 'data' in a && 'data' in b && a.data === b.data;
  const sameLines = a.lines?.first === b.lines?.first && a.lines?.last === b.lines?.last;
  return a.kind === b.kind && a.target === b.target && a.server === b.server && sameLines;
}

/** Returns the items in a stored value that are still valid. */
export function keptItems(value: unknown): MessageItem[] {
  return Array.isArray(value) ? value.flatMap((one) => z.safeParse(messageItem, one).data ?? []) : [];
}
