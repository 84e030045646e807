import * as z from '../../base/zod';
import { imageSchema, seenFileSchema } from './attachment';

/** A call as the model made it. `arguments` is the original JSON text, which may be invalid. */
export const toolCallSchema = z.object({
  /** Assigned by Cairn. */
  id: z.string(),
  /** The vendor's id; only used when the call is sent back to its model. */
  vendorId: z.exactOptional(z.string()),
  name: z.string(),
  arguments: z.string(),
  /** The vendor's proof that its model made the call; sent back unchanged. */
  signature: z.exactOptional(z.string()),
  /** The answer reached the output limit before the arguments were complete. */
  cut: z.exactOptional(z.literal(true)),
  /** A secret was redacted before the call was stored, so it is no longer what the model asked for. */
  struck: z.exactOptional(z.literal(true)),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** Replaces characters that some vendors do not accept in ids and names, which a model may have invented. */
export function wireName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}

/** The diff of one file, for display. `path` is relative to the workspace, with forward slashes. */
const fileDiffSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    created: z.boolean(),
    added: z.int(),
    removed: z.int(),
    hunks: z.array(z.object({ oldStart: z.int(), newStart: z.int(), lines: z.array(z.string()) })),
  }),
);
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** How a result is displayed; never shown to the model. */
export const toolDetailSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      text: z.string(),
      /** Id of a command that was started in the background. */
      background: z.exactOptional(z.string()),
      /** The call did not run, because the model kept repeating it. */
      repeated: z.exactOptional(z.literal(true)),
    }),
    z.object({ kind: z.literal('file'), path: z.string(), firstLine: z.int(), lastLine: z.int(), text: z.string() }),
    z.object({
      kind: z.literal('change'),
      diff: fileDiffSchema,
      /** Diff from what was written to what the model proposed, if the user modified the proposal. */
      leftOut: z.exactOptional(fileDiffSchema),
    }),
    z.object({
      kind: z.literal('command'),
      command: z.string(),
      output: z.string(),
      exitCode: z.nullable(z.int()),
      signal: z.nullable(z.string()),
      timedOut: z.boolean(),
      outputPath: z.nullable(z.string()),
    }),
  ]),
);
export type ToolDetail = z.infer<typeof toolDetailSchema>;

export const toolResultSchema = z.lazy(() =>
  z.object({
    callId: z.string(),
    name: z.string(),
    status: z.enum(['ok', 'error', 'rejected', 'cancelled']),
    /** For the model. */
    text: z.string(),
    /** For models that accept images. */
    images: z.exactOptional(z.array(imageSchema)),
    /** For display. */
    detail: z.nullable(toolDetailSchema),
    durationMs: z.number(),
    /** Set for a call that read or wrote a file. */
    seen: z.exactOptional(seenFileSchema),
  }),
);
/** The result of a call: text for the model, detail for display. */
export type ToolResult = z.infer<typeof toolResultSchema>;
