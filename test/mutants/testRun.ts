import * as z from 'zod';

/** What a process with the tests of one module is asked for. */
export const testRunSchema = z.object({
  bundles: z.array(z.string()),
  /** The mutant that is tried; without one the run tells which mutants each test meets. */
  mutant: z.optional(z.number()),
  /** The tests to run, as `testName` names them; without it all. */
  tests: z.optional(z.array(z.string())),
  testTimeoutMs: z.number(),
  /** The panel's scripts with their mutants, for tests that open the panel. */
  panel: z.optional(z.string()),
});
export type TestRun = z.infer<typeof testRunSchema>;

export const testOutcomeSchema = z.object({
  failed: z.array(z.string()),
  tests: z.array(z.object({ name: z.string(), seconds: z.number(), met: z.array(z.number()) })),
});
/** What came of it. */
export type TestOutcome = z.infer<typeof testOutcomeSchema>;
