import * as z from '../../base/zod';
import { issuesOf } from '../checkPlugin';
import { EngineError } from '../engineError';
import { effortSchema } from '../llm/effort';
import { inputSchema } from '../messages/message';
import { approvalModeSchema } from '../permissions/defaultRuleset';
import { workModeSchema } from '../permissions/workMode';
import { Resources } from '../tools/resources';

const limit = z.exactOptional(
  z.custom<number>((value) => typeof value === 'number' && value >= 0, 'expected a number from 0 on'),
);
const requestFields = {
  input: z.optional(inputSchema),
  sessionId: z.optional(z.string()),
  ...{ agent: z.optional(z.string()), role: z.optional(z.string()), model: z.optional(z.string()) },
  variables: z.optional(z.record(z.string(), z.string())),
  tools: z.optional(z.array(z.string())),
  effort: z.optional(effortSchema),
  approvalMode: z.optional(approvalModeSchema),
  workMode: z.optional(workModeSchema),
  limits: z.optional(z.strictObject({ turns: limit, timeMs: limit, tokens: limit, costUsd: limit })),
  resources: z.optional(
    z.custom((value) => value instanceof Resources, 'expected what Resources.none.with(key, value) gives'),
  ),
};
const requestSchema = z.object(requestFields);

/**
 * Checks what a program asks of an agent, whose types nobody may have checked: a limit that is no number would limit nothing.
 * Throws EngineError `invalid-input` that names each field that does not fit.
 */
export function checkRunRequest(request: unknown): void {
  const { error } = requestSchema.safeParse(request);
  if (!error) return;
  throw new EngineError(
    'invalid-input',
    `The run was not started, since its request does not fit: ${issuesOf(error)}.`,
  );
}
