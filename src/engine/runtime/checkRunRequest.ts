import * as z from '../../base/zod';
import { fields, issuesOf } from '../checkPlugin';
import { EngineError } from '../engineError';
import { effortSchema } from '../llm/model';
import { inputSchema } from '../messages/message';
import { approvalModeSchema, workModeSchema } from '../permissions/modes';
import { limitsSchema } from '../run/stopConditions';
import { Resources } from '../tools/resources';

const flag = z.optional(z.boolean());
/** Made for each check: kept, they would fill the heap of a process that checks one request. */
const requestFields = () => ({
  input: z.optional(inputSchema),
  sessionId: z.optional(z.string()),
  agent: z.optional(z.string()),
  role: z.optional(z.string()),
  model: z.optional(z.string()),
  variables: z.optional(z.record(z.string(), z.string())),
  tools: z.optional(z.array(z.string())),
  effort: z.optional(effortSchema),
  approvalMode: z.optional(approvalModeSchema),
  workMode: z.optional(workModeSchema),
  limits: z.optional(limitsSchema),
  resources: z.optional(
    z.custom((value) => value instanceof Resources, 'expected what Resources.none.with(key, value) gives'),
  ),
  /** Validated where it is used. */
  metadata: z.optional(z.unknown()),
  namesSession: flag,
  keepsModel: flag,
  callerKeepsInput: flag,
  compacts: flag,
  graphRun: z.optional(z.object({ id: z.string(), isRetry: z.boolean() })),
});

/**
 * Validates a program's request, which may not be type-checked: a limit of NaN, for example, would limit nothing. Throws an
 * EngineError `invalid-input` that names each invalid field.
 */
export function checkRunRequest(request: unknown): void {
  check(request, fields({ ...requestFields(), sessionId: z.string() }));
}

/** Validates the argument of `startRun` in the same way. */
export function checkStartRequest(request: unknown): void {
  // Creates its own session, whose folder is validated where it is opened.
  check(request, fields({ ...requestFields(), workspace: z.optional(z.unknown()) }));
}

function check(request: unknown, schema: z.ZodMiniType): void {
  const { error } = schema.safeParse(request);
  if (!error) return;
  throw new EngineError(
    'invalid-input',
    `The run was not started, because its request is not valid: ${issuesOf(error)}.`,
  );
}
