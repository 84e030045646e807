import * as z from 'zod';

/** What another process can be told to do. */
export const orderSchema = z.discriminatedUnion('do', [
  /** Takes a lock, with others at the same moment when `at` (milliseconds since the epoch) says so: "held" or "refused". */
  z.object({ do: z.literal('lock'), file: z.string(), at: z.exactOptional(z.number()) }),
  /** "true" or "false". */
  z.object({ do: z.literal('is-held') }),
  /** Gives back what it holds. */
  z.object({ do: z.literal('release') }),
  /** Begins to change a file, which ends with `release`: "begun". */
  z.object({ do: z.literal('change'), file: z.string() }),
  /** Adds a line of so many characters to a file. */
  z.object({ do: z.literal('append'), file: z.string(), length: z.number() }),
  /** Adds a rule that denies each of these tools, one after the other. */
  z.object({ do: z.literal('deny'), config: z.string(), workspace: z.string(), tools: z.array(z.string()) }),
  /** Holds a session: "held" or "refused". */
  z.object({ do: z.literal('hold'), root: z.string(), session: z.string() }),
  /** Adds a message of the person to it. */
  z.object({ do: z.literal('say'), root: z.string(), session: z.string(), text: z.string() }),
  /** Counts a variable of a session up to that number. */
  z.object({ do: z.literal('set'), root: z.string(), session: z.string(), key: z.string(), times: z.number() }),
  /** Opens a session by its name, or makes it, with others at the same moment (milliseconds since the epoch): its id. */
  z.object({ do: z.literal('open-named'), root: z.string(), name: z.string(), at: z.number() }),
]);
export type Order = z.infer<typeof orderSchema>;
