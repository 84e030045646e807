import * as z from 'zod/mini';

const label = z.string().check(z.minLength(1), z.maxLength(500));
const line = z.int().check(z.minimum(1));

/** Something to look at that the person sends along by its place; the host reads it when the message is sent. */
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
  /** A path relative to the workspace or absolute, or the address of a page, a resource or an unsaved document; empty for "all". */
  target: z.string().check(z.maxLength(4_000)),
  /** Lines meant, both counted. */
  lines: z.optional(z.object({ first: line, last: line })),
  /** Of a resource: the id of the MCP server that has it. */
  server: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  /** What the person should know of it, such as that it is too long to send along whole. */
  note: z.optional(z.string().check(z.maxLength(500))),
});
const imageItem = z.object({
  kind: z.literal('image'),
  label,
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string().check(z.minLength(1), z.maxLength(8_000_000)),
  /** A small copy for the screen, as a `data:` address. */
  thumbnail: z.string().check(z.regex(/^data:image\//), z.maxLength(100_000)),
});

/** So many go with each message of a session at most. */
export const MAX_PINNED = 10;

export const messageItem = z.union([contextItem, imageItem]);
export const messageItems = z.array(messageItem).check(z.maxLength(50));

export type ContextItem = z.infer<typeof contextItem>;
export type ImageItem = z.infer<typeof imageItem>;
/** What the person sends along with a message. */
export type MessageItem = z.infer<typeof messageItem>;

/** The same thing twice in one message says no more than once. */
export function sameItem(a: MessageItem, b: MessageItem): boolean {
  if (a.kind === 'image' || b.kind === 'image')
    return a.kind === b.kind && 'data' in a && 'data' in b && a.data === b.data;
  const sameLines = a.lines?.first === b.lines?.first && a.lines?.last === b.lines?.last;
  return a.kind === b.kind && a.target === b.target && a.server === b.server && sameLines;
}

/** What of a kept value still fits. */
export function keptItems(value: unknown): MessageItem[] {
  return Array.isArray(value) ? value.flatMap((one) => z.safeParse(messageItem, one).data ?? []) : [];
}
