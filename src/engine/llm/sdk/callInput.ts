import * as z from 'zod';
import type { ToolCall } from '../../messages/toolCall';

const inputSchema = z.record(z.string(), z.unknown());

/** The arguments of a call as an object; `{}` when the model wrote something else, as its result told it. */
export function callInput(call: ToolCall): Record<string, unknown> {
  try {
    const parsed = inputSchema.safeParse(JSON.parse(call.arguments));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
