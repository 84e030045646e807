import * as z from '../../base/zod';
import { imageSchema, seenFileSchema } from './attachment';

/** A change to one file, for the screen. `path` is relative to the workspace, with forward slashes. */
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

/** What a card shows of a result; the model never sees it. */
export const toolDetailSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      text: z.string(),
      /** Of a command that was started in the background: its id. */
      background: z.exactOptional(z.string()),
      /** Of a call that was not run, as the same had come to the same before. */
      repeated: z.exactOptional(z.literal(true)),
    }),
    z.object({ kind: z.literal('file'), path: z.string(), firstLine: z.int(), lastLine: z.int(), text: z.string() }),
    z.object({
      kind: z.literal('change'),
      diff: fileDiffSchema,
      /** From what was written to what the model had proposed, where the person made something else of it. */
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
    /** For a model that sees. */
    images: z.exactOptional(z.array(imageSchema)),
    /** For the screen. */
    detail: z.nullable(toolDetailSchema),
    durationMs: z.number(),
    /** Of a call that read or wrote one. */
    seen: z.exactOptional(seenFileSchema),
  }),
);
/** What came of a call: text for the model, detail for the screen. */
export type ToolResult = z.infer<typeof toolResultSchema>;
