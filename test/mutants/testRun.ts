import * as z from 'zod';

/** The request to a process that runs one module's tests. */
export const testRunSchema = z.object({
  bundles: z.array(z.string()),
  /** The active mutant. Without one, the run reports which mutants each test reaches. */
  mutant: z.optional(z.number()),
  /** The tests to run, named by `testName`; all if undefined. */
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
/** The outcome of a run. */
export type TestOutcome = z.infer<typeof testOutcomeSchema>;
