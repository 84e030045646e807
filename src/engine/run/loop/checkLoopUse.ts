import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import { toolCallSchema } from '../../messages/toolCall';

const schemas = {
  send: z.discriminatedUnion('type', [
    z.object({ type: z.enum(['text-delta', 'thinking-delta']), text: z.string() }),
    z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning']), text: z.string() }),
  ]),
  setState: z.enum(['idle', 'thinking', 'running-tool', 'waiting-for-agent']),
  callTool: z.object({
    name: z.string(),
    input: z.record(z.string(), z.unknown()).check(z.refine(isJson, 'expected a JSON value')),
  }),
  runCalls: z.array(toolCallSchema),
  ask: z.object({
    question: z.string(),
    kind: z.enum(['choice', 'checkbox', 'confirm', 'input']),
    options: z.array(z.string()),
  }),
};

/**
 * Validates the arguments that a loop, which may not be type-checked, passes to a method of its run. Throws an EngineError
 * `invalid-input` that names what is invalid.
 */
export function checkLoopUse(method: keyof typeof schemas, given: unknown): void {
  const { error } = schemas[method].safeParse(given);
  if (!error) return;
  throw new EngineError('invalid-input', `The arguments of ${method} are not valid: ${z.misfit(error)}.`);
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
