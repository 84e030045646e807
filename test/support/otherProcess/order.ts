import * as z from 'zod';

/** Commands that another process can be given, and its replies. */
export const orderSchema = z.discriminatedUnion('do', [
  /** Takes a lock; with `at` (milliseconds since the epoch), at the same moment as other processes. Replies "held" or "refused". */
  z.object({ do: z.literal('lock'), file: z.string(), at: z.exactOptional(z.number()) }),
  /** Replies "true" or "false". */
  z.object({ do: z.literal('is-held') }),
  /** Releases what it holds. */
  z.object({ do: z.literal('release') }),
  /** Starts changing a file, until `release`. Replies "begun". */
  z.object({ do: z.literal('change'), file: z.string() }),
  /** Appends a line of this many characters to a file. */
  z.object({ do: z.literal('append'), file: z.string(), length: z.number() }),
  /** Adds a rule that denies each of these tools, one after the other. */
  z.object({ do: z.literal('deny'), config: z.string(), workspace: z.string(), tools: z.array(z.string()) }),
  /** Holds a session. Replies "held" or "refused". */
  z.object({ do: z.literal('hold'), root: z.string(), session: z.string() }),
  /** Adds a user message to a session. */
  z.object({ do: z.literal('say'), root: z.string(), session: z.string(), text: z.string() }),
  /** Counts a variable of a session up to that number. */
  z.object({ do: z.literal('set'), root: z.string(), session: z.string(), key: z.string(), times: z.number() }),
  /** Opens or creates a session by name, at the same moment as other processes (milliseconds since the epoch). Replies with its id. */
  z.object({ do: z.literal('open-named'), root: z.string(), name: z.string(), at: z.number() }),
]);
export type Order = z.infer<typeof orderSchema>;
