import { withoutEnd } from '../../base/truncate';
import { withinTag } from '../../base/withinTag';
import * as z from '../../base/zod';

export const seenFileSchema = z.lazy(() =>
  z.object({
    /** Absolute path, with links resolved. */
    path: z.string(),
    /** Digest of its text, to detect later changes. */
    digest: z.string(),
    /** The ranges of lines that were included in full, 1-based. */
    lines: z.array(z.object({ first: z.int(), last: z.int() })),
    /** Total number of lines. */
    of: z.int(),
    /** It was changed without having been read. */
    unread: z.exactOptional(z.literal(true)),
  }),
);

/** What a model knows of a file because it read or wrote it. Never shown to the model. */
export type SeenFile = z.infer<typeof seenFileSchema>;

export const imageSchema = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string(),
});

/** An image in the form that vendors accept. */
export type Image = z.infer<typeof imageSchema>;

/** Larger files are only named, and the agent reads what it needs of them. */
export const MAX_ATTACHED_BYTES = 40_000;
export const NAMED_ONLY = 'Too long to send along: the agent reads what it needs of it';

/** The source of a text that the user attached rather than typed. */
const sourceSchema = z.object({
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
    'input',
    'command',
  ]),
  /** Display label: "date.ts:3-10". */
  label: z.string(),
  /** Displayed if the content is not complete: "named only". */
  note: z.exactOptional(z.string()),
  /** Set for a file of which some or all lines are included. */
  seen: z.exactOptional(seenFileSchema),
});

/** A part of a user message; `attachment` is absent for typed text. Built on first use. */
export const userPartSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), attachment: z.exactOptional(sourceSchema) }),
    z.object({
      type: z.literal('image'),
      image: imageSchema,
      label: z.exactOptional(z.string()),
      /** A small copy for display, as a `data:` URL. */
      thumbnail: z.exactOptional(z.string()),
    }),
  ]),
);

export type AttachmentSource = z.infer<typeof sourceSchema>;
/** Content that accompanies the text of a message. */
export type Attachment = z.infer<typeof userPartSchema>;

/**
 * Wraps data between tags that it cannot close itself, so that a model does not mistake it for the user's own text. `source`
 * describes it for the model.
 */
export function textAttachment(attachment: AttachmentSource, source: string, contents: string): Attachment {
  const shown = withoutEnd(withinTag('attached', contents), '\n');
  // A file name or the title of a page may contain anything.
  const named = source.replaceAll('"', "'").replaceAll('<', '&lt;').replace(/\s+/g, ' ');
  const head = `<attached source="${named}">`;
  return { type: 'text', text: `${head}\n${shown}\n</attached>\n\n`, attachment };
}

/** Wraps the text of a command that the user sent. It counts as the user's own words; it only cannot close its tag. */
export function commandAttachment(name: string, from: string, words: string): Attachment {
  const shown = withinTag('command', words).trim();
  const text = `This is what the user asks for with /${name}:\n<command name="${name}">\n${shown}\n</command>\n\n`;
  return { type: 'text', text, attachment: { kind: 'command', label: `/${name}`, note: from } };
}

/** Whether the attachment is the text of a command, which is generated anew for every message. */
export function isOfCommand(attachment: Attachment): boolean {
  return attachment.type === 'text' && attachment.attachment?.kind === 'command';
}
