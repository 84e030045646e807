import { isRecord } from '../../../base/isRecord';
import { callArguments } from '../../messages/callArguments';
import type { ToolCall } from '../../messages/toolCall';

/** What a model wrote that nobody could read, under a name that says so. */
const UNREADABLE = 'unreadable_arguments';

/**
 * The arguments of a call as an object, as vendors want them back: what the tool was given. What nobody could read, and what
 * therefore did not run, stays the text that it was, so that the model is never shown another call than the one it made.
 */
export function callInput(call: ToolCall): Record<string, unknown> {
  const read = callArguments(call);
  if (read.ok && isRecord(read.value) && !Array.isArray(read.value)) return read.value;
  return { [UNREADABLE]: call.arguments };
}
