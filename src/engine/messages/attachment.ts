import * as z from '../../base/zod';

export const seenFileSchema = z.lazy(() =>
  z.object({
    /** Absolute, links followed. */
    path: z.string(),
    /** Of its text, so that a file that changed since is known to have done so. */
    digest: z.string(),
    /** The lines that were given whole, from 1. */
    lines: z.array(z.object({ first: z.int(), last: z.int() })),
    /** How many it has. */
    of: z.int(),
  }),
);

/** What a model knows of a file, because it was shown it or wrote it. The model never sees this. */
export type SeenFile = z.infer<typeof seenFileSchema>;

export const imageSchema = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string(),
});

/** A picture, as vendors take it. */
export type Image = z.infer<typeof imageSchema>;

/** What a text of a message is, that the person did not type but sent along. */
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
  /** For people: "date.ts:3-10". */
  label: z.string(),
  /** Said to people when it is not all there: "named only". */
  note: z.exactOptional(z.string()),
  /** Of a file that is there with some or all of its lines. */
  seen: z.exactOptional(seenFileSchema),
});

/** A part of what a person said; `attachment` is absent on what was typed. Made when a message is read. */
export const userPartSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), attachment: z.exactOptional(sourceSchema) }),
    z.object({
      type: z.literal('image'),
      image: imageSchema,
      label: z.exactOptional(z.string()),
      /** A small copy for the screen, as a `data:` address. */
      thumbnail: z.exactOptional(z.string()),
    }),
  ]),
);

export type AttachmentSource = z.infer<typeof sourceSchema>;
/** What goes with a message besides its words. */
export type Attachment = z.infer<typeof userPartSchema>;

/**
 * Data with its source, between marks that it cannot close by itself, so that a model does not take it for the person's
 * words. `source` says what it is in words for the model.
 */
export function textAttachment(attachment: AttachmentSource, source: string, contents: string): Attachment {
  const shown = contents.replace(/<(?=\/?attached\b)/gi, '&lt;').replace(/\n+$/, '');
  const head = `<attached source="${source.replaceAll('"', "'")}">`;
  return { type: 'text', text: `${head}\n${shown}\n</attached>\n\n`, attachment };
}

/** What a person's command says, as their words: only what it says may not end it. */
export function commandAttachment(name: string, from: string, words: string): Attachment {
  const shown = words.replace(/<(?=\/?command\b)/gi, '&lt;').trim();
  const text = `This is what the person asks for with /${name}:\n<command name="${name}">\n${shown}\n</command>\n\n`;
  return { type: 'text', text, attachment: { kind: 'command', label: `/${name}`, note: from } };
}

/** Whether it is what a command says, which is made anew with every message. */
export function isOfCommand(attachment: Attachment): boolean {
  return attachment.type === 'text' && attachment.attachment?.kind === 'command';
}
